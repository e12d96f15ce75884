-- Whose memory it is and the life it began with: the base of every replay.
CREATE TABLE meta (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    golem TEXT NOT NULL,
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

-- Signed transactions, before they are sent. One whose nonce another transaction took says in which block.
CREATE TABLE attempts (
    place        INTEGER PRIMARY KEY,
    hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    effect       BLOB NOT NULL CHECK (length(effect) = 32),
    signer       BLOB NOT NULL CHECK (length(signer) = 20),
    nonce        INTEGER NOT NULL,
    raw          BLOB NOT NULL,
    permit       TEXT NOT NULL,
    block        INTEGER NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('signed', 'landed', 'taken', 'lost')),
    landed_block INTEGER CHECK ((landed_block IS NULL) = (state IN ('signed', 'lost'))),
    landed_hash  BLOB CHECK ((landed_hash IS NULL) = (state IN ('signed', 'lost')))
) STRICT;
CREATE INDEX attempts_of ON attempts (effect);
CREATE INDEX attempts_nonce ON attempts (signer, nonce);
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

-- The Grimoire. The two revisions move with every change of entries and of vectors, for whoever keeps them in memory.
CREATE TABLE grimoire (
    id               INTEGER PRIMARY KEY CHECK (id = 1),
    entries_revision INTEGER NOT NULL,
    vectors_revision INTEGER NOT NULL,
    pruning          TEXT NOT NULL
) STRICT;
INSERT INTO grimoire (id, entries_revision, vectors_revision, pruning) VALUES (1, 0, 0, '{"cycles":{}}');

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
CREATE INDEX annotations_unreplayed ON annotations (place) WHERE replay_count = 0;

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

-- What is left of burned entries. What one claimed and how often that was contradicted is kept: it is not taken in again as
-- if it were new.
CREATE TABLE burned (
    place   INTEGER PRIMARY KEY,
    id      BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    kind    TEXT NOT NULL,
    summary TEXT NOT NULL,
    tick    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    refuted TEXT
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

-- Authorisations of the float, before they are given away. One effect has at most one that is not void.
CREATE TABLE payments (
    place        INTEGER PRIMARY KEY,
    nonce        BLOB NOT NULL UNIQUE CHECK (length(nonce) = 32),
    effect       BLOB NOT NULL CHECK (length(effect) = 32),
    partition    TEXT NOT NULL CHECK (partition IN ('llm', 'gas', 'data', 'legacy')),
    host         TEXT NOT NULL,
    payee        BLOB NOT NULL CHECK (length(payee) = 20),
    amount       INTEGER NOT NULL,
    valid_before INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    day          INTEGER NOT NULL,
    version      INTEGER NOT NULL CHECK (version IN (1, 2)),
    header       TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'settled', 'void')),
    delivery     TEXT NOT NULL CHECK (delivery IN ('awaited', 'served', 'unserved')),
    tx           BLOB CHECK (length(tx) = 32),
    payer        BLOB CHECK (length(payer) = 20),
    network      TEXT,
    media        TEXT,
    body         BLOB,
    why          TEXT
) STRICT;
CREATE INDEX payments_of ON payments (effect);
CREATE INDEX payments_open ON payments (place) WHERE state = 'open';
CREATE INDEX payments_day ON payments (day);
CREATE INDEX payments_host ON payments (host);

-- Hosts that took money and served nothing.
CREATE TABLE barred (
    host  TEXT NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Float drawn from the vault, once for each effect.
CREATE TABLE draws (
    effect    BLOB NOT NULL PRIMARY KEY CHECK (length(effect) = 32),
    partition TEXT NOT NULL CHECK (partition IN ('llm', 'gas', 'data', 'legacy')),
    amount    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Dreams. What a cycle is dreamt from, frozen before anything is asked, under the effect that wants it.
CREATE TABLE dream_frozen (
    place  INTEGER PRIMARY KEY,
    effect BLOB NOT NULL UNIQUE CHECK (length(effect) = 32),
    cycle  INTEGER NOT NULL,
    tick   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    slumber TEXT NOT NULL
) STRICT;

-- Questions of a dream: on disk before they are sent, answered once. One without an answer is never sent again.
CREATE TABLE dream_answers (
    effect  BLOB NOT NULL CHECK (length(effect) = 32),
    ask     INTEGER NOT NULL,
    ceiling INTEGER NOT NULL,
    answer  TEXT,
    PRIMARY KEY (effect, ask)
) STRICT, WITHOUT ROWID;

-- Dreams that are over, each by the effect that wanted it. `dreamt` is what the life was told, `left` what it wakes with.
CREATE TABLE dream_journal (
    place  INTEGER PRIMARY KEY,
    effect BLOB NOT NULL UNIQUE CHECK (length(effect) = 32),
    cycle  INTEGER NOT NULL,
    tick   INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    cost   INTEGER NOT NULL,
    dreamt TEXT NOT NULL,
    entry  TEXT NOT NULL,
    left   TEXT NOT NULL
) STRICT;

-- How trades came about, by the effect that wanted each.
CREATE TABLE dream_fills (
    place  INTEGER PRIMARY KEY,
    effect BLOB NOT NULL UNIQUE CHECK (length(effect) = 32),
    fill   TEXT NOT NULL
) STRICT;

-- What came up at the edges of sleep; those held wait for a second look.
CREATE TABLE dream_fragments (
    place    INTEGER PRIMARY KEY,
    cycle    INTEGER NOT NULL,
    status   TEXT NOT NULL,
    until    INTEGER,
    fragment TEXT NOT NULL
) STRICT;
CREATE INDEX dream_fragments_held ON dream_fragments (place) WHERE until IS NOT NULL;

-- When each kind of threat was rehearsed, and what came of it.
CREATE TABLE dream_rehearsals (
    kind      TEXT NOT NULL PRIMARY KEY,
    rehearsal TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What is left of an episode's feeling, which its notes have no place for.
CREATE TABLE dream_episodes (
    place   INTEGER PRIMARY KEY,
    feeling TEXT NOT NULL
) STRICT;
