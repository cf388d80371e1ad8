//go:build unix

package trust

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKeyThatIsAPipe is not waited for: nobody may ever write to it.
func TestKeyThatIsAPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, keyName), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := at(dir).Err(); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("got %v", err)
	}
}
