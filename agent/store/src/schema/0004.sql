-- What a burned entry claimed and how often that was contradicted: it is not taken in again as if it were new.
ALTER TABLE burned ADD COLUMN refuted TEXT;
