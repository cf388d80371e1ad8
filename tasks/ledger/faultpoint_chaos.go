//go:build chaos

package ledger

import (
	"fmt"
	"os"
	"time"
)

// syncVariable names the environment's variable that says by how much each commit
// that is synced takes longer, as on a disk that needs so long for it: "10ms".
// Where SQLite itself folds its log, every thousand pages, it is not slowed.
const syncVariable = "POSCRAPE_SYNC_DELAY"

// slowDisk slows the disk where the environment says so.
func slowDisk() func() {
	text := os.Getenv(syncVariable)
	if text == "" {
		return func() {}
	}
	delay, err := time.ParseDuration(text)
	if err != nil {
		panic(fmt.Sprintf("%s is %q: it must be a duration, as 10ms", syncVariable, text))
	}
	return func() { time.Sleep(delay) }
}
