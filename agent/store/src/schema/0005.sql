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
CREATE INDEX annotations_unreplayed ON annotations (place) WHERE replay_count = 0;
