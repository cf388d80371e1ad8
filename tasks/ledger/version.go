package ledger

import (
	_ "embed"
	"fmt"
)

// schemaVersion is the version of the files that are written. Those of earlier
// versions are read as they are, and brought up to date by their next owner.
const schemaVersion = 6

//go:embed schema.sql
var schema1 string

//go:embed schema_2.sql
var schema2 string

//go:embed schema_3.sql
var schema3 string

//go:embed schema_4.sql
var schema4 string

//go:embed schema_5.sql
var schema5 string

//go:embed schema_6.sql
var schema6 string

// schemas are the steps from an empty file to the latest version: the first makes
// version 1, each other one the next version of the one before.
var schemas = [schemaVersion]string{schema1, schema2, schema3, schema4, schema5, schema6}

// version is that of a file's tables. It says how to read what only later versions
// have.
type version int

// These list what is read of a record; what the version does not have is NULL.
func (v version) sessionColumns() string {
	return sessionColumns + v.added(", input_text, selectors", 2) + v.added(", code", 5) + v.added(", containers_left", 6)
}

func (v version) taskColumns() string {
	return taskColumns + v.added(", sheet", 3) + v.added(", portal", 4) + v.added(", code", 5)
}

func (v version) attemptColumns() string { return attemptColumns + v.added(", looks", 2) }

func (v version) workerColumns() string {
	return workerColumns + v.added(", browser_id", 3) + v.added(", isolation", 6)
}

func (v version) eventColumns() string { return eventColumns + v.added(", browser_id", 3) }

// added returns columns that a version has added, or as many NULLs.
func (v version) added(columns string, since version) string {
	if v >= since {
		return columns
	}
	nulls := ""
	for _, c := range columns {
		if c == ',' {
			nulls += ", NULL"
		}
	}
	return nulls
}

func (v version) selectSession() string {
	return "SELECT " + v.sessionColumns() + " FROM session"
}

func (v version) selectTasks() string { return "SELECT " + v.taskColumns() + " FROM tasks" }

func (v version) allTasks() string { return v.selectTasks() + " ORDER BY seq" }

func (v version) allAttempts() string { return "SELECT " + v.attemptColumns() + " FROM attempts" }

func (v version) selectAttempts() string { return v.allAttempts() + " WHERE task = ? ORDER BY seq" }

// upgrade brings the tables from a version, 0 for an empty file, to the latest.
func (x *txn) upgrade(from version) error {
	for v := from; v < schemaVersion; v++ {
		if _, err := x.conn.ExecContext(background, schemas[v]); err != nil {
			return fmt.Errorf("making the tables of version %d: %w", v+1, err)
		}
	}
	if from == schemaVersion {
		return nil
	}
	if from == 0 {
		if _, err := x.conn.ExecContext(background, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
			return err
		}
		_, err := x.exec(`INSERT INTO ledger (one, schema_version, epoch, owner_pid, opened_at) VALUES (1, ?, 0, 0, '')`, schemaVersion)
		return err
	}
	_, err := x.exec("UPDATE ledger SET schema_version = ?", schemaVersion)
	return err
}
