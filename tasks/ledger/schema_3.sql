-- What version 3 adds to version 2.

-- What the sheet says of the order besides its number; NULL where it says nothing.
ALTER TABLE tasks ADD COLUMN sheet TEXT;
