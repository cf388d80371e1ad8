package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/poscrape/poscrape/internal/trust"
	"github.com/poscrape/poscrape/tasks"
)

// Ledger is one session file. It is made by Open or OpenReadOnly, and must be
// closed. All methods may be called by many goroutines at once.
type Ledger struct {
	path    string
	readers *sql.DB
	reading reading
	// version is that of the file's tables, the latest for an owner.
	version version
	// made knows the codes of what this user has stored.
	made *trust.Store
	// moment is what is read of a ledger as it was at one moment, and nil of any other.
	moment *sql.Tx
	// owner is nil for a ledger that was opened to read.
	owner *owner
	close sync.Once
	ended error
}

// owner is what only the owner of a session file has.
type owner struct {
	lock   *lock
	db     *sql.DB
	writer *writer
	leases *leases
	epoch  int64
	// file is the session file as it was opened.
	file os.FileInfo
}

var (
	_ tasks.TaskQueue  = (*Ledger)(nil)
	_ tasks.SessionLog = (*Ledger)(nil)
)

// ErrReadOnly is returned by whatever would change a ledger that was opened to
// read.
var ErrReadOnly = errors.New("the session file was opened to read only")

// Open opens a session file as its owner, and creates it, for its user alone
// (0600), if it is missing. The tasks that an earlier owner left in progress are
// PENDING again, their attempts not charged. It returns an *OwnedError while
// another owner lives, and a *FileError if the file cannot be used.
func Open(path string) (*Ledger, error) { return own(path, false) }

// OpenExisting is Open for a session that was begun before: a file that is
// missing, or in which nothing was ever stored, is a *FileError too.
func OpenExisting(path string) (*Ledger, error) {
	if err := exists(path); err != nil {
		return nil, err
	}
	return own(path, true)
}

func own(path string, begun bool) (*Ledger, error) {
	if err := checkLinks(path, readWrite); err != nil {
		return nil, err
	}
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	l, err := open(path, begun, lock)
	if err != nil {
		return nil, errors.Join(err, lock.release())
	}
	return l, nil
}

func open(path string, begun bool, lock *lock) (_ *Ledger, err error) {
	made := trust.Open()
	created, err := create(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil && created {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	readers, err := connect(path, readOnly)
	if err != nil {
		return nil, err
	}
	o := &owner{lock: lock, leases: newLeases()}
	known, err := examine(readers, path)
	if err == nil {
		err = o.take(path, begun, known, made)
	}
	if err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	return &Ledger{path: path, readers: readers, owner: o, version: schemaVersion, made: made}, nil
}

// take makes the file the owner's, and starts to write to it.
func (o *owner) take(path string, begun bool, known version, made *trust.Store) (err error) {
	if o.db, err = connect(path, readWrite); err != nil {
		return err
	}
	conn, err := o.db.Conn(background)
	if err != nil {
		return errors.Join(fileError(path, err), o.db.Close())
	}
	tx := newTxn(conn, made)
	if o.epoch, err = begin(tx, path, begun, known); err != nil {
		return errors.Join(err, conn.Close(), o.db.Close())
	}
	if o.file, err = os.Stat(path); err != nil {
		return errors.Join(fileError(path, err), conn.Close(), o.db.Close())
	}
	o.writer = startWriter(tx)
	return nil
}

// InPlace returns a *FileError where the session file that was opened is not at
// its path any more: it was removed or moved, with its folder or without, and
// perhaps replaced. What is written to it then is lost. It looks once, and only
// for the owner.
func (l *Ledger) InPlace() error {
	if l.owner == nil {
		return ErrReadOnly
	}
	now, err := os.Stat(l.path)
	if err == nil && !os.SameFile(now, l.owner.file) {
		err = errors.New("another file is in its place")
	}
	if err != nil {
		return &FileError{Path: l.path, Problem: "was removed, moved or replaced while it was in use; put it back, or start a new session", Err: err}
	}
	return nil
}

// OpenReadOnly opens a session file to look at it, also while its owner works.
// The owner need not live. What would change the file returns ErrReadOnly. It
// returns a *FileError if there is no such file, or it cannot be used.
func OpenReadOnly(path string) (*Ledger, error) {
	if err := exists(path); err != nil {
		return nil, err
	}
	if err := errors.Join(checkLinks(path, readOnly), checkHeader(path)); err != nil {
		return nil, err
	}
	readers, err := connect(path, readOnly)
	if err != nil {
		return nil, err
	}
	v, err := verify(background, readers, path)
	if err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	return &Ledger{path: path, readers: readers, version: v, made: trust.Open()}, nil
}

// Close ends the ledger. Operations that are under way are finished, claims that
// wait and everything later return tasks.ErrClosed. It leaves the session file
// alone, all of it in one file, unless another process is reading it. It must
// not be called by the function that Each calls.
func (l *Ledger) Close() error {
	l.close.Do(func() {
		if l.moment != nil {
			return
		}
		if err := l.shut(); err != nil {
			if isSQLite(err) {
				err = fileError(l.path, err)
			}
			l.ended = fmt.Errorf("closing the session file %s: %w", l.path, err)
		}
	})
	return l.ended
}

func (l *Ledger) shut() error {
	if l.owner != nil {
		l.owner.writer.stop()
	}
	l.reading.end()
	err := l.readers.Close()
	if l.owner == nil {
		return err
	}
	tx := l.owner.writer.tx
	if l.InPlace() == nil {
		err = errors.Join(err, tx.fold())
	}
	return errors.Join(err, tx.conn.Close(), l.owner.db.Close(), l.owner.lock.release())
}

// reading counts the readers, so that Close can wait for them.
type reading struct {
	mu     sync.Mutex
	closed bool
	count  sync.WaitGroup
}

func (r *reading) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return tasks.ErrClosed
	}
	r.count.Add(1)
	return nil
}

func (r *reading) end() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.count.Wait()
}

// begin makes the file ours: the tables of the latest version, a new epoch, and no
// task left in progress by those before. known is its version, or 0 where that was not
// looked at yet.
func begin(tx *txn, path string, begun bool, known version) (epoch int64, err error) {
	fresh, err := empty(background, tx.conn)
	switch {
	case err != nil:
		err = damage(path, err)
	case fresh && begun:
		err = &FileError{Path: path, Problem: "is empty: the program ended before it stored anything, or the file is damaged; start a new session"}
	case !fresh && known == 0:
		known, err = verify(background, tx.conn, path)
	}
	if err != nil {
		return 0, err
	}
	if err := tx.wal(); err != nil {
		return 0, fileError(path, err)
	}
	now := time.Now()
	err = tx.durably(func() error {
		if err := tx.upgrade(known); err != nil {
			return err
		}
		row := tx.row(`UPDATE ledger SET epoch = epoch + 1, owner_pid = ?, opened_at = ? RETURNING epoch`,
			os.Getpid(), text(now))
		if err := row.Scan(&epoch); err != nil {
			return fmt.Errorf("raising the epoch: %w", err)
		}
		if err := tx.hasten(now.Add(longestWait), func(time.Time) time.Time { return now }); err != nil {
			return err
		}
		return tx.releaseAll(now)
	})
	if err != nil {
		return 0, fileError(path, err)
	}
	return epoch, nil
}

// releaseAll puts the tasks back that an earlier owner left in progress.
func (x *txn) releaseAll(now time.Time) error {
	seqs, err := x.seqs(`SELECT seq FROM tasks WHERE state IN ('ASSIGNED', 'PROCESSING')`)
	if err != nil {
		return fmt.Errorf("looking for tasks in progress: %w", err)
	}
	for _, seq := range seqs {
		e, err := x.load(seq)
		if err != nil {
			return err
		}
		// When the attempt really ended nobody knows; it was alive when it began.
		d := e.task.Lapse(e.task.Updated, "the program ended while "+e.task.Worker+" held it")
		if _, err := x.apply(e, d, now); err != nil {
			return err
		}
	}
	return nil
}

// beside returns the absolute path of a file beside the session file.
func beside(path, suffix string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the session file %s: %w", path, err)
	}
	return abs + suffix, nil
}
