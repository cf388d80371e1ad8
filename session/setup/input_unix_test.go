//go:build unix

package setup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
)

// TestPipes: nobody may ever write to one that lies in a folder; one of the shell ends by itself.
func TestPipes(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	testkit.Must(t, syscall.Mkfifo(pipe, 0o600))
	if _, _, err := ReadRecipe(pipe); err == nil || !strings.Contains(err.Error(), "a pipe") {
		t.Errorf("the recipe: %v", err)
	}
	if _, err := readSheet(Config{File: pipe}, Recipes{{Recipe: scrape.AutoRecipe()}}); err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("the sheet: %v", err)
	}
	out, in, err := os.Pipe()
	testkit.Must(t, err)
	defer out.Close()
	_, err = in.WriteString("version: 1\nname: of a shell\n")
	testkit.Must(t, err)
	testkit.Must(t, in.Close())
	recipe, _, err := ReadRecipe("/dev/fd/" + strconv.Itoa(int(out.Fd())))
	if err != nil || recipe.Name != "of a shell" {
		t.Errorf("got %v, %v", recipe, err)
	}
}
