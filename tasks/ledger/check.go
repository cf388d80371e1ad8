package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/poscrape/poscrape/tasks"
)

// querier is a connection, or several.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// examine verifies a session through connections that only read, so that a file
// that is refused is left as it is. It returns 0 where that must wait: there
// is nothing in the file yet, or SQLite has first to take back a change that a
// killed program left half done, which it does when it may write.
func examine(readers *sql.DB, path string) (version, error) {
	if _, err := os.Stat(path + "-journal"); err == nil {
		return 0, nil
	}
	if err := checkHeader(path); err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, &FileError{Path: path, Problem: "cannot be opened", Err: err}
	}
	if info.Size() == 0 {
		return 0, nil
	}
	fresh, err := empty(background, readers)
	if err != nil {
		return 0, damage(path, err)
	}
	if fresh {
		return 0, nil
	}
	return verify(background, readers, path)
}

// verify returns the version of a file's tables, and a *FileError unless the file is a
// session that we can read, and a whole one: SQLite finds its pages, indexes and
// references in order, its tables are those of its version, and every record in it can
// be decoded. It
// changes nothing if q only reads. With 10,000 orders it takes about 0.3 s, most
// of it for the records.
func verify(ctx context.Context, q querier, path string) (version, error) {
	v, err := identify(ctx, q, path)
	if err != nil {
		return 0, err
	}
	for _, check := range []func(context.Context, querier) error{checkPages, checkReferences, v.checkRecords} {
		if err := check(ctx, q); err != nil {
			return 0, damage(path, err)
		}
	}
	return v, nil
}

// identify returns a *FileError unless the file is a session of a version that we know.
func identify(ctx context.Context, q querier, path string) (version, error) {
	var id int64
	if err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, damage(path, err)
	}
	if id != applicationID {
		return 0, &FileError{Path: path, Problem: foreign}
	}
	var v version
	if err := q.QueryRowContext(ctx, "SELECT schema_version FROM ledger").Scan(&v); err != nil {
		return 0, damage(path, err)
	}
	if v < 1 || v > schemaVersion {
		return 0, &FileError{Path: path, Problem: fmt.Sprintf(
			"has the schema version %d, and this poscrape reads versions up to %d; use the poscrape that made it, or a newer one", v, schemaVersion)}
	}
	return v, checkSchema(ctx, q, path, v)
}

// damage says of an error that was met while a session was checked that the file
// is damaged, unless it is the system that did not let us read it.
func damage(path string, err error) error {
	var known *FileError
	if errors.As(err, &known) {
		return err
	}
	var code *sqlite.Error
	if errors.As(err, &code) {
		switch code.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM,
			sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PROTOCOL:
			return fileError(path, err)
		}
	}
	return &FileError{Path: path, Problem: damaged, Err: err}
}

// magic is how every SQLite file begins.
var magic = []byte("SQLite format 3\x00")

// headerSize is that of SQLite's header. Two of its bytes say whether changes are
// in a write-ahead log: SQLite believes either of them.
const headerSize, writeVersion, readVersion = 100, 18, 19

// checkHeader returns a *FileError for a file whose head SQLite would
// misunderstand: it deletes the log of an empty file, passes by the log of one
// that denies having one, and never writes to a file of a later version. The file
// is only read.
func checkHeader(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return &FileError{Path: path, Problem: "cannot be opened", Err: err}
	}
	defer f.Close()
	head := make([]byte, headerSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return &FileError{Path: path, Problem: "cannot be read", Err: err}
	}
	log, err := os.Stat(path + "-wal")
	switch {
	case n == 0 && err == nil && log.Size() > 0:
		return &FileError{Path: path, Problem: damaged, Err: errors.New("it is empty, although its log is not")}
	case n == 0:
		return nil
	case !bytes.HasPrefix(head[:n], magic):
		return &FileError{Path: path, Problem: foreign}
	case n < headerSize:
		return &FileError{Path: path, Problem: damaged, Err: fmt.Errorf("it has but %d bytes", n)}
	case head[writeVersion] != head[readVersion], head[writeVersion] < 1, head[writeVersion] > 2:
		return &FileError{Path: path, Problem: damaged, Err: fmt.Errorf("its versions are %d and %d", head[writeVersion], head[readVersion])}
	}
	return nil
}

// tablesOf lists the tables and indexes of a file, with how they were made.
func tablesOf(ctx context.Context, q querier) ([]string, error) {
	rows, err := q.QueryContext(ctx, "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// ourTables makes the tables of each version, and returns how they were made.
var ourTables = func() (made [schemaVersion + 1]func() ([]string, error)) {
	for v := range made {
		made[v] = sync.OnceValues(func() (list []string, err error) {
			db, err := sql.Open("sqlite", ":memory:")
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			db.SetMaxOpenConns(1) // each connection would have a memory of its own
			for _, step := range schemas[:v] {
				if _, err := db.ExecContext(background, step); err != nil {
					return nil, err
				}
			}
			return tablesOf(background, db)
		})
	}
	return made
}()

func checkSchema(ctx context.Context, q querier, path string, v version) error {
	want, err := ourTables[v]()
	if err != nil {
		return fmt.Errorf("making the tables of version %d: %w", v, err)
	}
	got, err := tablesOf(ctx, q)
	if err == nil && !slices.Equal(got, want) {
		err = errors.New("its tables are not those of its version")
	}
	if err != nil {
		return damage(path, err)
	}
	return nil
}

func checkPages(ctx context.Context, q querier) error {
	var found string
	if err := q.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return errors.New(found)
	}
	return nil
}

func checkReferences(ctx context.Context, q querier) error {
	var lost int
	if err := q.QueryRowContext(ctx, "SELECT count(*) FROM pragma_foreign_key_check").Scan(&lost); err != nil {
		return err
	}
	if lost > 0 {
		return fmt.Errorf("%d records belong to a task that is not there", lost)
	}
	return nil
}

// checkRecords decodes the session's record, every task and every attempt.
func (v version) checkRecords(ctx context.Context, q querier) error {
	session, _, err := scanSession(q.QueryRowContext(ctx, v.selectSession()))
	if err != nil && !errors.Is(err, tasks.ErrNotFound) {
		return err
	}
	if len(session.Config) > 0 && !json.Valid(session.Config) {
		return errors.New("the session's configuration is no JSON")
	}
	rows, err := q.QueryContext(ctx, v.allTasks())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scanTask(rows)
		if err != nil {
			return err
		}
		if o := e.task.Outcome; o != "" && !slices.Contains(tasks.Outcomes(), o) {
			return fmt.Errorf("the task %s has the outcome %q, which is none", e.task.Key, o)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	attempts, err := q.QueryContext(ctx, v.allAttempts())
	if err != nil {
		return err
	}
	defer attempts.Close()
	_, err = scanAttempts(attempts)
	return err
}
