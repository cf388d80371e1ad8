package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/poscrape/poscrape/internal/trust"
)

// txn is the one connection that writes. It is used by one goroutine at a time.
type txn struct {
	conn *sql.Conn
	// stmts are the prepared statements by their text.
	stmts map[string]*sql.Stmt
	// synced is the synchronous setting of the connection: "", FULL or NORMAL.
	synced string
	// fresh: nothing was done in the transaction yet.
	fresh bool
	// made makes the codes of what is stored, and session is the session's id, or empty until it is
	// needed.
	made    *trust.Store
	session string
	// drag is called after each commit that was synced.
	drag func()
}

func newTxn(conn *sql.Conn, made *trust.Store) *txn {
	return &txn{conn: conn, made: made, stmts: make(map[string]*sql.Stmt), drag: slowDisk()}
}

// background is the context of what is written: a transaction is never broken
// off half-way.
var background = context.Background()

func (x *txn) stmt(query string) (*sql.Stmt, error) {
	if s := x.stmts[query]; s != nil {
		return s, nil
	}
	s, err := x.conn.PrepareContext(background, query)
	if err != nil {
		return nil, err
	}
	x.stmts[query] = s
	return s, nil
}

// exec returns how many rows were changed.
func (x *txn) exec(query string, args ...any) (int64, error) {
	s, err := x.stmt(query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(background, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (x *txn) query(query string, args ...any) (*sql.Rows, error) {
	s, err := x.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(background, args...)
}

// row is for a query that returns exactly one row.
func (x *txn) row(query string, args ...any) scanner {
	s, err := x.stmt(query)
	if err != nil {
		return failedRow{err}
	}
	return s.QueryRowContext(background, args...)
}

// scanner is a row to read.
type scanner interface{ Scan(into ...any) error }

type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// begin starts a transaction that is synced to disk when it is committed, or not.
func (x *txn) begin(durable bool) error {
	want := "NORMAL"
	if durable {
		want = "FULL"
	}
	if x.synced != want {
		if _, err := x.exec("PRAGMA synchronous = " + want); err != nil {
			return err
		}
		x.synced = want
	}
	_, err := x.exec("BEGIN IMMEDIATE")
	x.fresh = err == nil
	return err
}

func (x *txn) commit() error {
	_, err := x.exec("COMMIT")
	if x.synced == "FULL" {
		x.drag()
	}
	return err
}

// rollback ends a transaction that failed. SQLite may have ended it already.
func (x *txn) rollback() { _, _ = x.exec("ROLLBACK") }

// within runs do, and undoes it alone if it fails. The second error is one that
// spoils the whole transaction: a full disk, for one, makes SQLite undo all of it.
// What is the first in its transaction, as most are, needs no savepoint for that.
func (x *txn) within(do func() error) (err, broken error) {
	if x.fresh {
		x.fresh = false
		if err = do(); err != nil {
			x.rollback()
			_, broken = x.exec("BEGIN IMMEDIATE")
			x.fresh = broken == nil
		}
		return err, broken
	}
	if _, err := x.exec("SAVEPOINT operation"); err != nil {
		return err, err
	}
	if err = do(); err != nil {
		if _, undone := x.exec("ROLLBACK TO operation"); undone != nil {
			return err, err
		}
	}
	_, broken = x.exec("RELEASE operation")
	return err, broken
}

// durably runs do in a transaction of its own, synced to disk.
func (x *txn) durably(do func() error) error {
	if err := x.begin(true); err != nil {
		return err
	}
	err := do()
	if err == nil {
		err = x.commit()
	}
	if err != nil {
		x.rollback()
	}
	return err
}

// seqs returns the numbers of the tasks that the query selects.
func (x *txn) seqs(query string, args ...any) ([]int64, error) {
	rows, err := x.query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		list = append(list, seq)
	}
	return list, rows.Err()
}

// empty reports whether nothing was ever stored in the file.
func empty(ctx context.Context, q querier) (bool, error) {
	var tables, id int
	if err := q.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return false, err
	}
	if err := q.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return false, err
	}
	return tables == 0 && id == 0, nil
}

// wal turns the write-ahead log on, so that readers and the writer do not block
// each other.
func (x *txn) wal() error {
	var mode string
	if err := x.row("PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("its file system does not support SQLite's write-ahead log (journal mode %s); use a local disk", mode)
	}
	return nil
}

// fold brings the write-ahead log into the file, so that it stands alone. A
// process that reads the file keeps it from being folded wholly; that is no
// error, for nothing is lost.
func (x *txn) fold() error {
	for _, s := range x.stmts {
		if err := s.Close(); err != nil {
			return err
		}
	}
	clear(x.stmts)
	var busy, frames, folded int
	row := x.conn.QueryRowContext(background, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := row.Scan(&busy, &frames, &folded); err != nil {
		return fmt.Errorf("folding the write-ahead log: %w", err)
	}
	if busy != 0 {
		return nil
	}
	var mode string
	err := x.conn.QueryRowContext(background, "PRAGMA journal_mode = DELETE").Scan(&mode)
	if err != nil && !isBusy(err) {
		return fmt.Errorf("ending the write-ahead log: %w", err)
	}
	return nil
}
