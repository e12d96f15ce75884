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
