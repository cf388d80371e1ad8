package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/poscrape/poscrape/report"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// ReportVariable names the environment's variable that has a test process write
// the report of the session in that folder, print its ReportFigures, and end.
const ReportVariable = "POSCRAPE_TEST_REPORT"

// ReportFigures are what writing a report took, and what it says of the claims.
type ReportFigures struct {
	Seconds float64
	// PeakMB is the most memory that the process had; 0 where the system does not say.
	PeakMB             float64
	ClaimP50, ClaimP99 float64
}

// WriteReport writes the report of the session in dir, and prints what that took.
func WriteReport(dir string) (err error) {
	l, err := ledger.OpenReadOnly(filepath.Join(dir, folder.LedgerName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	began := time.Now()
	r, err := report.WriteFiles(context.Background(), dir, l)
	if err != nil {
		return err
	}
	claims := r.Performance.ClaimMS
	return json.NewEncoder(os.Stdout).Encode(ReportFigures{
		Seconds: time.Since(began).Seconds(), PeakMB: peakMB(), ClaimP50: claims.P50, ClaimP99: claims.P99,
	})
}

// peakMB reads what Linux calls the high water mark.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		var kb string
		if _, err := fmt.Sscanf(string(line), "VmHWM: %s kB", &kb); err == nil {
			n, _ := strconv.ParseFloat(kb, 64)
			return n / 1000
		}
	}
	return 0
}
