package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/poscrape/poscrape/internal/trust"
)

// A session's settings and each result carry a code that only this user can make. They cover the
// session's id and not its path, and are stored with what they cover in one transaction. A result
// that has no right code never gets one by being stored again.

const (
	sessionCode = "session"
	resultCode  = "result"
)

// codeOf returns a code as it is stored: NULL where no key can be kept.
func (x *txn) codeOf(kind string, parts ...string) sql.NullString {
	code := x.made.Code(kind, parts...)
	return sql.NullString{String: code, Valid: code != ""}
}

// resultCodeOf returns the code of an order's result, or NULL where there is none, or it is foreign.
func (x *txn) resultCodeOf(e entry, result sql.NullString) (sql.NullString, error) {
	if !result.Valid || e.task.Foreign {
		return sql.NullString{}, nil
	}
	session, err := x.sessionID()
	return x.codeOf(resultCode, session, e.task.Key, result.String), err
}

// judge says of a stored result whether it is this user's.
func (e entry) judge(made *trust.Store, session string) {
	e.task.Foreign = e.result.Valid && !made.Made(e.code.String, resultCode, session, e.task.Key, e.result.String)
}

const selectSessionID = "SELECT id FROM session"

// sessionID returns the session's id, or "" while none is stored.
func sessionID(row scanner) (id string, err error) {
	if err = row.Scan(&id); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("reading the session's id: %w", err)
	}
	return id, nil
}

func (x *txn) sessionID() (_ string, err error) {
	if x.session == "" {
		x.session, err = sessionID(x.row(selectSessionID))
	}
	return x.session, err
}

// Sign makes the settings and all results this user's own, as they are.
func (l *Ledger) Sign(ctx context.Context) error {
	return l.write(ctx, "signing the session", &op{durable: true, run: func(time.Time) error { return l.owner.writer.tx.sign() }})
}

func (x *txn) sign() error {
	if err := x.made.Err(); err != nil {
		return err
	}
	var id, config string
	if err := x.row("SELECT id, config FROM session").Scan(&id, &config); err != nil {
		return err
	}
	if _, err := x.exec("UPDATE session SET code = ?", x.codeOf(sessionCode, id, config)); err != nil {
		return err
	}
	seqs, err := x.seqs("SELECT seq FROM tasks WHERE result IS NOT NULL")
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		var key, result string
		if err := x.row("SELECT key, result FROM tasks WHERE seq = ?", seq).Scan(&key, &result); err != nil {
			return err
		}
		if _, err := x.exec("UPDATE tasks SET code = ? WHERE seq = ?", x.codeOf(resultCode, id, key, result), seq); err != nil {
			return err
		}
	}
	return nil
}
