//go:build chaos

package worker

import (
	"fmt"
	"os"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// hangVariable names the environment's variable that says after what silence a
// browser is asked whether it is there, and how long it then has to answer.
const hangVariable = "POSCRAPE_HANG_CHECK"

// hurry shortens a browser's patience where the environment says so, for tests
// that cannot wait.
func hurry(cfg *browser.Config) {
	text := os.Getenv(hangVariable)
	if text == "" {
		return
	}
	patience, err := time.ParseDuration(text)
	if err != nil {
		panic(fmt.Sprintf("%s is %q: it must be a duration, as 3s", hangVariable, text))
	}
	cfg.HangCheck, cfg.HangTimeout = patience, patience
}
