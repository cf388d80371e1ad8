//go:build unix

package folder

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
)

// A session that others can change is not gone on with, and none is begun in a folder of theirs.
func TestFoldersOfOthers(t *testing.T) {
	t.Parallel()
	const other = 12345
	for name, test := range map[string]struct {
		folder, ledger fs.FileMode
		owner, beside  int
		may            bool
	}{
		"closed":                        {0o700, 0o600, -1, -1, true},
		"open to the group":             {0o770, 0o660, -1, -1, true},
		"readable":                      {0o755, 0o644, -1, -1, true},
		"a folder open to all":          {0o777, 0o600, -1, -1, false},
		"a sticky one":                  {0o777 | fs.ModeSticky, 0o600, -1, -1, false},
		"a ledger open to all":          {0o700, 0o666, -1, -1, false},
		"another's folder":              {0o755, 0o600, other, -1, false},
		"another's ledger":              {0o700, 0o644, -1, other, false},
		"another's, open to the group":  {0o770, 0o660, other, other, false},
		"another's log of the database": {0o700, 0o600, -1, -other, false},
	} {
		if os.Geteuid() != 0 && (test.owner > 0 || test.beside != -1) {
			continue // it takes root to act as two users
		}
		dir := filepath.Join(t.TempDir(), "session")
		testkit.Must(t, os.Mkdir(dir, 0o700))
		if _, err := Choose(dir, "", uuid.Nil); err != nil {
			t.Errorf("%s: one's own: %v", name, err)
		}
		db := filepath.Join(dir, LedgerName)
		testkit.Must(t, os.Chmod(dir, test.folder))
		testkit.Must(t, os.Chown(dir, test.owner, -1))
		if _, err := Choose(dir, "", uuid.Nil); (err == nil) != (test.may || test.owner < 0 && test.folder.Perm()&0o002 == 0) {
			t.Errorf("%s: to begin in: %v", name, err)
		}
		testkit.Must(t, os.WriteFile(db, nil, 0o600))
		testkit.Must(t, os.Chmod(db, test.ledger))
		if test.beside < -1 {
			testkit.Must(t, os.WriteFile(db+"-wal", nil, 0o600))
			testkit.Must(t, os.Chown(db+"-wal", -test.beside, -1))
		} else {
			testkit.Must(t, os.Chown(db, test.beside, -1))
		}
		if _, err := FindOwn(dir); (err == nil) != test.may || err != nil && !strings.Contains(err.Error(), "not only yours") {
			t.Errorf("%s: to go on with: %v", name, err)
		}
		if _, err := Find(dir); err != nil {
			t.Errorf("%s: to report: %v", name, err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, ".poscrape-*")); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind %q, %v", name, left, err)
		}
		link := filepath.Join(filepath.Dir(dir), "link")
		testkit.Must(t, os.Symlink(dir, link))
		if _, err := FindOwn(link); (err == nil) != test.may {
			t.Errorf("%s, by a link: %v", name, err)
		}
	}
}
