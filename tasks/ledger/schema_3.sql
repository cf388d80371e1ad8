-- What version 3 adds to version 2.

-- What the sheet says of the order besides its number; NULL where it says nothing.
ALTER TABLE tasks ADD COLUMN sheet TEXT;

-- The browser of a slot, and of an event, as a UUID; NULL where there is none.
ALTER TABLE workers ADD COLUMN browser_id TEXT;
ALTER TABLE events ADD COLUMN browser_id TEXT;
