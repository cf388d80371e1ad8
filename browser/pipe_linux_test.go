package browser_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/poscrape/poscrape/browser"
)

// TestPipesHoldWholeMessages looks at a pipe as one to Chrome is made.
func TestPipesHoldWholeMessages(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	browser.Widen([]*os.File{w})
	size, err := unix.FcntlInt(r.Fd(), unix.F_GETPIPE_SZ, 0)
	if err != nil || size < 1<<20 {
		t.Errorf("the pipe holds %d bytes: %v", size, err)
	}
}
