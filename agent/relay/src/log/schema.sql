-- What the log is called, and the secret under which it hides who left a sign.
CREATE TABLE meta (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    salt BLOB NOT NULL CHECK (length(salt) = 32)
) STRICT;

-- I-109. Every frame, filed under who owned its sender when it came. Places are never used twice.
CREATE TABLE frames (
    place   INTEGER PRIMARY KEY AUTOINCREMENT,
    owner   BLOB NOT NULL CHECK (length(owner) = 20),
    vault   BLOB NOT NULL CHECK (length(vault) = 20),
    seq     INTEGER NOT NULL CHECK (seq > 0),
    content BLOB NOT NULL CHECK (length(content) = 32),
    stored  INTEGER NOT NULL,
    frame   BLOB NOT NULL,
    UNIQUE (vault, seq)
) STRICT;
CREATE INDEX frames_by_owner ON frames (owner, place);
CREATE INDEX frames_by_age ON frames (stored);

-- I-323. Every sign, as it was left; the field follows from them.
CREATE TABLE scents (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    at    INTEGER NOT NULL,
    scent TEXT NOT NULL
) STRICT;
