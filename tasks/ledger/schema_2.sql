-- What version 2 adds to version 1. New files are made by all steps in turn, so that
-- a file that was brought up to date is like one that was made so.

-- The kind of address whose pages have to show an item before the task is proven to
-- have no documents; empty where it does not wait for that.
ALTER TABLE tasks ADD COLUMN awaits TEXT NOT NULL DEFAULT '';
CREATE INDEX tasks_awaiting ON tasks (awaits) WHERE awaits <> '';

-- What the recipe's selectors met on the order's own page, see looks.go.
ALTER TABLE attempts ADD COLUMN looks TEXT;

-- How the input's text was written, and the recipe's selectors.
ALTER TABLE session ADD COLUMN input_text TEXT;
ALTER TABLE session ADD COLUMN selectors TEXT;
