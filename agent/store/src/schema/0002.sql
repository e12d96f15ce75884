-- The Grimoire. Passes up to `since_pass` were lived before there was one and left no episodes.
-- The two revisions move with every change of entries and of vectors, for whoever keeps them in memory.
CREATE TABLE grimoire (
    id               INTEGER PRIMARY KEY CHECK (id = 1),
    since_pass       INTEGER NOT NULL,
    entries_revision INTEGER NOT NULL,
    vectors_revision INTEGER NOT NULL,
    pruning          TEXT NOT NULL
) STRICT;
INSERT INTO grimoire (id, since_pass, entries_revision, vectors_revision, pruning)
SELECT 1, coalesce(max(seq), 0), 0, 0, '{"cycles":{}}' FROM journal;

-- What happened, written once.
CREATE TABLE episodes (
    place         INTEGER PRIMARY KEY,
    id            BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    pass          INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    text          TEXT NOT NULL,
    tool          TEXT NOT NULL,
    chain         INTEGER NOT NULL,
    pair          TEXT NOT NULL,
    outcome       TEXT NOT NULL,
    importance    TEXT NOT NULL,
    happened_tick INTEGER NOT NULL,
    happened_at   INTEGER NOT NULL,
    recorded_tick INTEGER NOT NULL,
    recorded_at   INTEGER NOT NULL,
    regime        TEXT,
    emotion       TEXT,
    expected      REAL,
    actual        REAL,
    pnl_micros    INTEGER,
    position      INTEGER NOT NULL,
    confidence    INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 1000000),
    is_unfinished INTEGER NOT NULL CHECK (is_unfinished IN (0, 1))
) STRICT;
CREATE INDEX episodes_pass ON episodes (pass);
CREATE INDEX episodes_recorded ON episodes (recorded_tick);
CREATE INDEX episodes_decided ON episodes (place) WHERE outcome IN ('positive', 'negative');
CREATE TRIGGER episodes_stay BEFORE UPDATE ON episodes
BEGIN SELECT raise(ABORT, 'an episode is written once'); END;
CREATE TRIGGER episodes_remain BEFORE DELETE ON episodes
BEGIN SELECT raise(ABORT, 'an episode is never taken away'); END;

-- What was noted beside an episode since.
CREATE TABLE annotations (
    place           INTEGER PRIMARY KEY,
    strength        INTEGER NOT NULL,
    arousal         INTEGER NOT NULL CHECK (arousal BETWEEN 0 AND 1000000),
    dream_priority  TEXT,
    ambiguity       TEXT CHECK ((ambiguity IS NULL) = (dream_priority IS NULL)),
    replay_count    INTEGER NOT NULL,
    replayed_tick   INTEGER,
    replayed_at     INTEGER CHECK ((replayed_at IS NULL) = (replayed_tick IS NULL)),
    is_consolidated INTEGER NOT NULL CHECK (is_consolidated IN (0, 1)),
    is_forgotten    INTEGER NOT NULL CHECK (is_forgotten IN (0, 1)),
    entries         TEXT NOT NULL
) STRICT;
CREATE INDEX annotations_fresh ON annotations (place) WHERE is_consolidated = 0;

CREATE TABLE entries (
    place                  INTEGER PRIMARY KEY,
    id                     BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    status                 TEXT NOT NULL CHECK (status IN ('candidate', 'active', 'archived')),
    kind                   TEXT NOT NULL,
    content                TEXT NOT NULL,
    body                   TEXT NOT NULL,
    provenance             TEXT NOT NULL,
    origin                 TEXT NOT NULL,
    generation             INTEGER NOT NULL,
    is_bloodstain          INTEGER NOT NULL CHECK (is_bloodstain IN (0, 1)),
    source                 TEXT NOT NULL,
    original_confidence    INTEGER NOT NULL CHECK (original_confidence BETWEEN 0 AND 1000000),
    domain                 TEXT NOT NULL,
    regime                 TEXT,
    asked_class            TEXT,
    decay_class            TEXT NOT NULL,
    valid_from             INTEGER NOT NULL,
    valid_until            INTEGER,
    parents                TEXT NOT NULL,
    tags                   TEXT NOT NULL,
    emotion                TEXT,
    question               TEXT,
    is_open_question       INTEGER NOT NULL CHECK (is_open_question IN (0, 1)),
    gaps                   TEXT NOT NULL,
    method                 TEXT NOT NULL,
    dream                  TEXT,
    confidence             INTEGER NOT NULL CHECK (confidence BETWEEN 0 AND 1000000),
    quality                INTEGER NOT NULL CHECK (quality BETWEEN 0 AND 1000000),
    validated              INTEGER NOT NULL,
    contradicted           INTEGER NOT NULL,
    validated_tick         INTEGER NOT NULL,
    validated_at           INTEGER NOT NULL,
    recorded_tick          INTEGER NOT NULL,
    recorded_at            INTEGER NOT NULL,
    accessed_tick          INTEGER NOT NULL,
    access_count           INTEGER NOT NULL,
    useful_count           INTEGER NOT NULL,
    strength               INTEGER NOT NULL CHECK (strength >= 100),
    low_cycles             INTEGER NOT NULL,
    cycles                 INTEGER NOT NULL,
    has_arousal_bias       INTEGER NOT NULL CHECK (has_arousal_bias IN (0, 1)),
    candidate_tick         INTEGER NOT NULL,
    candidate_at           INTEGER NOT NULL,
    promoted_tick          INTEGER CHECK ((promoted_tick IS NULL) = (promoted_at IS NULL)),
    promoted_at            INTEGER,
    promoted_confirmations INTEGER CHECK ((promoted_confirmations IS NULL) = (promoted_at IS NULL)),
    promoted_confidence    INTEGER CHECK ((promoted_confidence IS NULL) = (promoted_at IS NULL)),
    archived_tick          INTEGER CHECK ((archived_tick IS NULL) = (status <> 'archived')),
    archived_at            INTEGER CHECK ((archived_at IS NULL) = (status <> 'archived')),
    archived_reason        TEXT CHECK ((archived_reason IS NULL) = (status <> 'archived')),
    CHECK (status <> 'active' OR promoted_at IS NOT NULL),
    CHECK (status <> 'candidate' OR promoted_at IS NULL)
) STRICT;
CREATE INDEX entries_status ON entries (status, kind);

-- What is left of burned entries.
CREATE TABLE burned (
    place   INTEGER PRIMARY KEY,
    id      BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    kind    TEXT NOT NULL,
    summary TEXT NOT NULL,
    tick    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    reason  TEXT NOT NULL
) STRICT;

-- Drafts that attack what is well known, until the Curator has looked at them.
CREATE TABLE quarantine (
    place      INTEGER PRIMARY KEY,
    content    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    provenance TEXT NOT NULL,
    draft      TEXT NOT NULL,
    claim      TEXT,
    since_tick INTEGER NOT NULL,
    since_at   INTEGER NOT NULL,
    cycles     INTEGER NOT NULL
) STRICT;

-- Votes, checks and reinforcements, each once for its cause; `cycle` is the one that used it up.
CREATE TABLE evidence (
    place   INTEGER PRIMARY KEY,
    cause   BLOB NOT NULL CHECK (length(cause) = 32),
    entry   BLOB NOT NULL CHECK (length(entry) = 16),
    kind    TEXT NOT NULL CHECK (kind IN ('vote', 'check', 'reinforcement')),
    up      INTEGER,
    down    INTEGER,
    correct INTEGER,
    detail  TEXT,
    cycle   BLOB,
    UNIQUE (cause, entry, kind)
) STRICT;
CREATE INDEX evidence_open ON evidence (place) WHERE cycle IS NULL AND kind <> 'reinforcement';

-- What happened to an entry. Never what it said: that goes with it.
CREATE TABLE changes (
    place INTEGER PRIMARY KEY,
    entry BLOB NOT NULL CHECK (length(entry) = 16),
    tick  INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    what  TEXT NOT NULL,
    cause BLOB,
    note  TEXT
) STRICT;
CREATE INDEX changes_of ON changes (entry);

-- Curator cycles that landed, each by the effect that asked for it.
CREATE TABLE cycles (
    place             INTEGER PRIMARY KEY,
    effect            BLOB NOT NULL UNIQUE CHECK (length(effect) = 32),
    tick              INTEGER NOT NULL,
    at                INTEGER NOT NULL,
    duty              TEXT NOT NULL,
    added             INTEGER NOT NULL,
    promoted          INTEGER NOT NULL,
    demoted           INTEGER NOT NULL,
    archived          INTEGER NOT NULL,
    restored          INTEGER NOT NULL,
    burned            INTEGER NOT NULL,
    archived_recently INTEGER NOT NULL,
    active_at_start   INTEGER NOT NULL,
    active            INTEGER NOT NULL,
    candidates        INTEGER NOT NULL,
    rules             INTEGER NOT NULL,
    playbook_version  INTEGER NOT NULL,
    mean_before       INTEGER NOT NULL,
    mean_after        INTEGER NOT NULL,
    -- When something was done that spoke for or against an entry, in seconds.
    taught            TEXT NOT NULL,
    minority_weight   REAL NOT NULL,
    to_push           TEXT NOT NULL,
    events            TEXT NOT NULL
) STRICT;

-- Every version of PLAYBOOK.md.
CREATE TABLE playbooks (
    version INTEGER PRIMARY KEY CHECK (version > 0),
    cycle   TEXT NOT NULL,
    tick    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    rules   INTEGER NOT NULL,
    hash    BLOB NOT NULL CHECK (length(hash) = 32),
    text    TEXT NOT NULL
) STRICT;

-- At most one model is searched and at most one is on its way in.
CREATE TABLE models (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    version       TEXT NOT NULL,
    preprocessing BLOB NOT NULL CHECK (length(preprocessing) = 32),
    dimensions    INTEGER NOT NULL CHECK (dimensions > 0),
    state         TEXT NOT NULL UNIQUE CHECK (state IN ('active', 'next')),
    UNIQUE (name, version, preprocessing, dimensions)
) STRICT;
CREATE TABLE vectors (
    place  INTEGER PRIMARY KEY,
    model  INTEGER NOT NULL,
    entry  BLOB NOT NULL CHECK (length(entry) = 16),
    at     INTEGER NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (entry, model)
) STRICT;

-- Arrivals that wait for the next hour, and how many were taken in this one.
CREATE TABLE arrivals (
    place   INTEGER PRIMARY KEY,
    source  TEXT NOT NULL,
    arrival TEXT NOT NULL,
    nearest TEXT
) STRICT;
CREATE TABLE ingested (
    source TEXT NOT NULL PRIMARY KEY,
    hour   INTEGER NOT NULL,
    taken  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How often a pattern was refused: the third time is the last it is read.
CREATE TABLE refusals (
    pattern BLOB NOT NULL PRIMARY KEY CHECK (length(pattern) = 32),
    times   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE entries_text USING fts5 (
    content, content = 'entries', content_rowid = 'place', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE episodes_text USING fts5 (
    text, content = 'episodes', content_rowid = 'place', tokenize = 'porter unicode61 remove_diacritics 2'
);
