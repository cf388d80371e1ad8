-- What version 6 adds to version 5.

-- What the worker's browser ran in, 'process' or 'container'; NULL where an earlier build has stored it.
ALTER TABLE workers ADD COLUMN isolation TEXT;
-- How many containers were not proven gone at the end.
ALTER TABLE session ADD COLUMN containers_left INTEGER;
