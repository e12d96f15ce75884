-- Attempts belong to the key that signed them, and one whose nonce another transaction took says in which block. Those
-- written before name no key: they are watched by their blocks, and no nonce is compared with theirs.
CREATE TABLE signed (
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
INSERT INTO signed (place, hash, effect, signer, nonce, raw, permit, block, state, landed_block, landed_hash)
    SELECT place, hash, effect, zeroblob(20), nonce, raw, permit, block, state, landed_block, landed_hash FROM attempts;
DROP TABLE attempts;
ALTER TABLE signed RENAME TO attempts;
CREATE INDEX attempts_of ON attempts (effect);
CREATE INDEX attempts_nonce ON attempts (signer, nonce);
CREATE INDEX attempts_landed ON attempts (landed_block) WHERE landed_block IS NOT NULL;
