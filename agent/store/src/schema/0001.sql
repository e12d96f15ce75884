-- Whose memory it is and the life it began with: the base of every replay.
CREATE TABLE meta (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    golem TEXT NOT NULL,
    born  INTEGER NOT NULL,
    life  BLOB NOT NULL,
    hash  BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Every input, before anything is decided from it; the hash of the life after it once the pass has landed.
CREATE TABLE journal (
    seq   INTEGER PRIMARY KEY CHECK (seq > 0),
    tick  INTEGER NOT NULL,
    turn  TEXT NOT NULL,
    input TEXT NOT NULL,
    hash  BLOB CHECK (length(hash) = 32)
) STRICT;

-- A cache: the last few lives, to start from without living everything again.
CREATE TABLE snapshots (
    seq  INTEGER PRIMARY KEY,
    life BLOB NOT NULL
) STRICT;

CREATE TABLE events (
    id    INTEGER PRIMARY KEY,
    seq   INTEGER NOT NULL,
    tick  INTEGER NOT NULL,
    turn  TEXT NOT NULL,
    event TEXT NOT NULL
) STRICT;

-- The outbox. An effect is open until the pass that took in its outcome.
CREATE TABLE effects (
    place      INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
    seq        INTEGER NOT NULL,
    tick       INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    budget     TEXT NOT NULL,
    closed_seq INTEGER
) STRICT;
CREATE INDEX effects_open ON effects (place) WHERE closed_seq IS NULL;

-- Signed transactions, before they are sent.
CREATE TABLE attempts (
    place        INTEGER PRIMARY KEY,
    hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    effect       BLOB NOT NULL CHECK (length(effect) = 32),
    nonce        INTEGER NOT NULL,
    raw          BLOB NOT NULL,
    permit       TEXT NOT NULL,
    block        INTEGER NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('signed', 'landed', 'lost')),
    landed_block INTEGER CHECK ((landed_block IS NULL) = (state <> 'landed')),
    landed_hash  BLOB CHECK ((landed_hash IS NULL) = (state <> 'landed'))
) STRICT;
CREATE INDEX attempts_of ON attempts (effect);
CREATE INDEX attempts_nonce ON attempts (nonce);
CREATE INDEX attempts_landed ON attempts (landed_block) WHERE landed_block IS NOT NULL;

-- Verified outcomes. One that a reorganisation took back stays, marked.
CREATE TABLE outcomes (
    seq       INTEGER PRIMARY KEY,
    pass      INTEGER NOT NULL,
    effect    BLOB NOT NULL CHECK (length(effect) = 32),
    record    TEXT NOT NULL,
    tx        BLOB CHECK (length(tx) = 32),
    withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1))
) STRICT;
CREATE INDEX outcomes_of ON outcomes (effect);

-- The block whose hash fed the death roll of a tick.
CREATE TABLE rolls (
    tick  INTEGER PRIMARY KEY,
    block INTEGER NOT NULL
) STRICT;

-- The audit trail.
CREATE TABLE ticks (
    tick   INTEGER PRIMARY KEY,
    seq    INTEGER NOT NULL,
    record TEXT NOT NULL
) STRICT;

CREATE TABLE notes (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Empty in a living memory. A copy that left it carries the digest of everything else here.
CREATE TABLE seal (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    tick   INTEGER NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;
