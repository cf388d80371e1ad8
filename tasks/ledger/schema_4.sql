-- What version 4 adds to version 3.

-- The portal that the order is of; empty where the session has only one.
ALTER TABLE tasks ADD COLUMN portal TEXT NOT NULL DEFAULT '';
CREATE INDEX tasks_portal ON tasks (portal, priority DESC, seq, not_before) WHERE state = 'PENDING' AND skipped = '' AND portal <> '';
