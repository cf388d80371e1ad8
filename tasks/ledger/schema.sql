-- A session of poscrape. Times are RFC 3339 in UTC and sort as text, an empty
-- one means none; *_us are microseconds; structures are JSON.

CREATE TABLE ledger (
	one            INTEGER PRIMARY KEY CHECK (one = 1),
	schema_version INTEGER NOT NULL,
	epoch          INTEGER NOT NULL, -- raised each time that an owner opens the file
	owner_pid      INTEGER NOT NULL, -- of the latest owner
	opened_at      TEXT NOT NULL     -- by the latest owner
) STRICT;

CREATE TABLE tasks (
	seq        INTEGER PRIMARY KEY,  -- the order in which they were enqueued
	id         TEXT NOT NULL UNIQUE,
	key        TEXT NOT NULL UNIQUE,
	po         TEXT NOT NULL,
	digits     TEXT NOT NULL,        -- po without its prefix
	dir        TEXT NOT NULL,
	url        TEXT NOT NULL,
	priority   INTEGER NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('PENDING', 'ASSIGNED', 'PROCESSING', 'COMPLETED', 'FAILED')),
	outcome    TEXT NOT NULL,        -- empty: nothing is known yet
	worker     TEXT NOT NULL,        -- that holds it, or had it last
	attempts   INTEGER NOT NULL,     -- charged ones
	losses     INTEGER NOT NULL,     -- releases because its browser was lost
	lease      INTEGER NOT NULL,     -- how often it was claimed
	epoch      INTEGER NOT NULL,     -- of the latest claim
	not_before TEXT NOT NULL,        -- when a pending task is due
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,        -- when it last changed its state
	skipped    TEXT NOT NULL,        -- why the user left it out
	invalid    TEXT,                 -- why its rows cannot be used
	failure    TEXT,                 -- why it is not well
	rows       TEXT,                 -- of the input, cells verbatim
	result     TEXT
) STRICT;

-- What can be claimed, in the order of claims.
CREATE INDEX tasks_pending ON tasks (priority DESC, seq, not_before) WHERE state = 'PENDING' AND skipped = '';
CREATE INDEX tasks_state ON tasks (state, outcome);

CREATE TABLE attempts (
	seq        INTEGER PRIMARY KEY,
	task       INTEGER NOT NULL REFERENCES tasks (seq),
	n          INTEGER NOT NULL,
	worker     TEXT NOT NULL,
	executor   TEXT NOT NULL,
	outcome    TEXT NOT NULL,
	released   INTEGER NOT NULL,     -- 1: not charged
	started_at TEXT NOT NULL,
	ended_at   TEXT NOT NULL,
	retry_at   TEXT NOT NULL,
	phase_ms   TEXT,
	error      TEXT,
	evidence   TEXT
) STRICT;
CREATE INDEX attempts_task ON attempts (task);

CREATE TABLE transitions (
	seq        INTEGER PRIMARY KEY,
	task       INTEGER NOT NULL REFERENCES tasks (seq),
	at         TEXT NOT NULL,
	from_state TEXT NOT NULL,
	to_state   TEXT NOT NULL,
	outcome    TEXT NOT NULL,
	worker     TEXT NOT NULL,
	reason     TEXT NOT NULL
) STRICT;
CREATE INDEX transitions_task ON transitions (task);

CREATE TABLE session (
	one             INTEGER PRIMARY KEY CHECK (one = 1),
	id              TEXT NOT NULL,
	status          TEXT NOT NULL,
	reason          TEXT NOT NULL,
	started_at      TEXT NOT NULL,
	ended_at        TEXT NOT NULL,
	worked_us       INTEGER NOT NULL,
	version         TEXT NOT NULL,
	chrome          TEXT NOT NULL,
	host            TEXT NOT NULL,
	sandbox         TEXT NOT NULL,
	workers         INTEGER NOT NULL,
	mode            TEXT NOT NULL,
	resumed         INTEGER NOT NULL,
	input_file      TEXT NOT NULL,
	input_rows      INTEGER NOT NULL,
	input_sha256    TEXT NOT NULL,
	input_columns   TEXT NOT NULL,
	config          TEXT NOT NULL,
	browsers_left   INTEGER NOT NULL,
	profiles_left   INTEGER NOT NULL,
	cleanup_took_us INTEGER NOT NULL
) STRICT;

CREATE TABLE workers (
	id            TEXT PRIMARY KEY,
	pid           INTEGER NOT NULL,
	profile       TEXT NOT NULL,
	state         TEXT NOT NULL,
	draining      INTEGER NOT NULL,
	task          TEXT NOT NULL,
	processed     INTEGER NOT NULL,
	failed        INTEGER NOT NULL,
	started_at    TEXT NOT NULL,
	last_activity TEXT NOT NULL,
	restarts      INTEGER NOT NULL,
	error         TEXT NOT NULL,
	memory        INTEGER NOT NULL,     -- bytes that its browser used when that was last looked at
	memory_peak   INTEGER NOT NULL,     -- the most that one of its browsers used
	cpu           REAL NOT NULL,        -- processors
	disk          INTEGER NOT NULL      -- bytes of its profile
) STRICT;

CREATE TABLE events (
	seq     INTEGER PRIMARY KEY,
	at      TEXT NOT NULL,
	type    TEXT NOT NULL,
	worker  TEXT NOT NULL,
	detail  TEXT NOT NULL,
	took_us INTEGER NOT NULL
) STRICT;

CREATE TABLE scaling (
	seq          INTEGER PRIMARY KEY,
	at           TEXT NOT NULL,
	from_workers INTEGER NOT NULL,
	to_workers   INTEGER NOT NULL,
	reason       TEXT NOT NULL,
	cpu          REAL NOT NULL,
	memory       REAL NOT NULL,
	pressure     REAL NOT NULL        -- negative: not measured
) STRICT;
