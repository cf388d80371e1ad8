-- What version 5 adds to version 4.

-- Codes that show that this user has stored the settings, and the result, here: see codes.go.
-- NULL where no key could be kept, or what an earlier build or somebody else has stored.
ALTER TABLE session ADD COLUMN code TEXT;
ALTER TABLE tasks ADD COLUMN code TEXT;
