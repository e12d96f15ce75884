-- Where the life stands with its relay: the last number it gave, and how far it read in which log.
CREATE TABLE place (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    seq    INTEGER NOT NULL,
    log    TEXT NOT NULL,
    cursor INTEGER NOT NULL
) STRICT;
INSERT INTO place VALUES (1, 0, '', 0);

-- What was said and is not stored by the relay yet. A number is given when it is sent first, and stays.
CREATE TABLE outbox (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    kind INTEGER NOT NULL,
    body BLOB NOT NULL,
    seq  INTEGER UNIQUE
) STRICT;

-- What siblings said and the life did not take yet.
CREATE TABLE inbox (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    vault BLOB NOT NULL CHECK (length(vault) = 20),
    at    INTEGER NOT NULL,
    kind  INTEGER NOT NULL,
    body  BLOB NOT NULL
) STRICT;

-- Every word that was heard, by its number: what comes again is nothing, what comes otherwise is a lie.
CREATE TABLE seen (
    vault   BLOB NOT NULL CHECK (length(vault) = 20),
    seq     INTEGER NOT NULL,
    content BLOB NOT NULL CHECK (length(content) = 32),
    at      INTEGER NOT NULL,
    PRIMARY KEY (vault, seq)
) STRICT, WITHOUT ROWID;

-- Signs that were left and are not in the air yet; a newer one of the same place takes the older one's.
CREATE TABLE signs (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    class         TEXT NOT NULL,
    domain        TEXT NOT NULL,
    regime        TEXT NOT NULL,
    intensity_ppm INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    UNIQUE (class, domain, regime)
) STRICT;

-- How the line to the relay stood when that last changed, for whoever looks.
CREATE TABLE line (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    breaker TEXT NOT NULL,
    trouble TEXT,
    at      INTEGER
) STRICT;
INSERT INTO line VALUES (1, 'closed', NULL, NULL);
