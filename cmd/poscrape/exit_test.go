package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/profiles"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

func TestExitCodeOfErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("a bug"), 1},
		{usageErrorf("typo"), 2},
		{&session.ConfigError{Field: "workers", Message: "no"}, 2},
		{&orders.FileError{File: "pos.csv", Message: "no"}, 2},
		{&orders.OptionError{Field: "URL", Message: "no"}, 2},
		{errors.Join(&scrape.RecipeError{File: "r.yaml"}, &scrape.RecipeError{File: "r.yaml"}), 2},
		{&scrape.SecretError{File: "r.yaml", Message: "no"}, 2},
		{profiles.ErrBase, 2},
		{profiles.ErrTooLarge, 2},
		{browser.ErrNoChrome, 4},
		{browser.ErrLaunch, 4},
		{profiles.ErrNoSpace, 4},
		{profiles.ErrBaseInUse, 4},
		{syscall.ENOSPC, 4},
		{&environmentError{errors.New("port in use")}, 4},
		{&session.EnvironmentError{Doing: "the folder was removed", Err: &ledger.FileError{}}, 4},
		{&endedError{code: 6}, 6},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("doing something: %w", err)
		}
		if got := exitCode(err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

func TestExitCodeOfEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status   tasks.SessionStatus
		cause    session.Cause
		outcomes []tasks.Outcome
		want     int
	}{
		{tasks.SessionCompleted, "", []tasks.Outcome{tasks.OutcomeComplete, tasks.OutcomeNoAttachments, tasks.OutcomeSkipped}, 0},
		{tasks.SessionCompleted, "", nil, 0},
		{tasks.SessionCompleted, "", []tasks.Outcome{tasks.OutcomeComplete, tasks.OutcomePartial}, 3},
		{tasks.SessionCompleted, "", []tasks.Outcome{tasks.OutcomeInvalidInput}, 3},
		{tasks.SessionInterrupted, session.CauseUser, nil, 130},
		{tasks.SessionInterrupted, session.CauseEnvironment, nil, 4},
		{tasks.SessionInterrupted, session.CauseLogin, nil, 5},
		{tasks.SessionInterrupted, session.CauseBreaker, nil, 6},
		{tasks.SessionInterrupted, "", nil, 130},
		{tasks.SessionFailed, session.CauseInternal, nil, 1},
		{tasks.SessionFailed, "", nil, 1},
	} {
		end := session.End{Status: c.status, Cause: c.cause, ByOutcome: map[tasks.Outcome]int{}}
		for _, o := range c.outcomes {
			end.ByOutcome[o]++
		}
		if got := endCode(end); got != c.want {
			t.Errorf("%s, cause %q, %v: exit code %d, want %d", c.status, c.cause, c.outcomes, got, c.want)
		}
	}
}

// The end of a session is told on standard output, what stopped it on standard error.
func TestHowEndsAreTold(t *testing.T) {
	t.Parallel()
	partial := wellEnd()
	partial.ByOutcome = map[tasks.Outcome]int{tasks.OutcomeComplete: 1, tasks.OutcomePartial: 1}
	noChrome := session.End{
		Dir: "the-folder", Files: []string{"report.json"}, Status: tasks.SessionInterrupted, Cause: session.CauseEnvironment,
		Reason: "no browser could be started", Total: 2, ByOutcome: map[tasks.Outcome]int{},
	}
	warned, warnedPartial := wellEnd(), partial
	warned.Warnings, warned.Notes = []string{`attachments.item ".doc-lnik" met nothing on 2 of 2 pages`}, []string{"documents were not looked for"}
	warnedPartial.Warnings = warned.Warnings
	unsure := wellEnd()
	unsure.Confirmed, unsure.Lacking = 1, []session.Lacking{{Lack: "nothing on its pages says how many documents there are", Orders: 1, First: []string{"PO1002"}}}
	strict := unsure
	strict.Strict = true
	for _, c := range []struct {
		name     string
		args     []string
		end      session.End
		code     int
		out, err string
	}{
		{"well", nil, wellEnd(), 0, "2 orders in 3s: all ended well and are confirmed.\n      2  complete\n", ""},
		{"not confirmed", nil, unsure, 0, "2 orders in 3s: all ended well, but 1 of them could not be confirmed.\n      2  complete\n\nConfirmed, and whole: 1 order;", ""},
		{"not confirmed, strictly", nil, strict, 3, "2 orders in 3s: all ended well, but 1 of them could not be confirmed.\n", ""},
		{"not confirmed, strictly and quiet", []string{"-q"}, strict, 3, "", "poscrape: 1 of 2 orders ended well and could not be confirmed: see "},
		{"well and quiet", []string{"-q"}, wellEnd(), 0, "", ""},
		{"not well", nil, partial, 3, "2 orders in 3s: 1 ended well and is confirmed; 1 did not.\n      1  complete\n      1  partial\n", ""},
		{"not well and quiet", []string{"--quiet"}, partial, 3, "", "poscrape: 1 of 2 orders did not end well: see "},
		{"a warning", nil, warned, 0, "2 orders in 3s: all ended and are confirmed, with 1 warning about the recipe.\n      2  complete\n",
			"Warning: attachments.item \".doc-lnik\" met nothing on 2 of 2 pages\nNote: documents were not looked for\n"},
		{"a warning and quiet", []string{"-q"}, warned, 0, "", "Warning: attachments.item \".doc-lnik\" met nothing on 2 of 2 pages\n"},
		{"a warning, not well", nil, warnedPartial, 3, "2 orders in 3s: 1 ended well and is confirmed; 1 did not, with 1 warning about the recipe.\n", "Warning: attachments.item "},
		{"a warning in json", []string{"--json", "--no-progress"}, warned, 0,
			`{"message_type":"notice","level":"warning","message":"attachments.item \".doc-lnik\" met nothing on 2 of 2 pages"}` + "\n" +
				`{"message_type":"notice","level":"info","message":"documents were not looked for"}` + "\n" + `{"message_type":"summary",`, ""},
		{"a warning in quiet json", []string{"--json", "-q"}, warned, 0,
			`{"message_type":"notice","level":"warning","message":"attachments.item \".doc-lnik\" met nothing on 2 of 2 pages"}` + "\n" + `{"message_type":"summary",`, ""},
		{"environment", nil, noChrome, 4, "Stopped after 0s: 0 of 2 orders ended, 2 still open.\n", "poscrape: stopped: no browser could be started\n"},
		{"environment and quiet", []string{"-q"}, noChrome, 4, "", "poscrape: stopped: no browser could be started\n"},
		{"json", []string{"--json", "-q"}, wellEnd(), 0, `{"message_type":"summary","dir":"the-folder",`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newStandIn()
			r.stop <- c.end
			tr := newTrial(r, nil)
			tr.start(t, append(append([]string{"run"}, c.args...), "pos.csv")...)
			if code := tr.wait(t); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if got := tr.out.String(); !strings.HasPrefix(got, c.out) || c.out == "" && got != "" {
				t.Errorf("standard output has\n%s\nwant\n%s", got, c.out)
			}
			if got := tr.err.String(); !strings.HasPrefix(got, c.err) || c.err == "" && got != "" {
				t.Errorf("standard error has\n%s\nwant\n%s", got, c.err)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	end := session.End{
		Dir: "/somewhere/else", Files: []string{"report.json", "report.html", "results.csv", "failed.csv", "orders", "new.txt"},
		Status: tasks.SessionInterrupted, Total: 72, Took: 95 * time.Second,
		ByOutcome: map[tasks.Outcome]int{tasks.OutcomeComplete: 40, tasks.OutcomeNotFound: 2, tasks.OutcomeSkipped: 1, tasks.OutcomeInterrupted: 3, "": 26},
		Confirmed: 31, Lacking: []session.Lacking{{Lack: "nothing on its pages says how many documents there are", Orders: 8, First: []string{"PO11", "PO12", "PO13", "PO14", "PO15"}}, {Lack: "its page shows no further value of its row that is its own, as the pages of others do", Orders: 1, First: []string{"PO20"}}},
		Cleanup: tasks.Cleanup{ProfilesLeft: 1}, Logins: []string{"poscrape login --recipe acme.yaml"},
		Documents: 101, Differences: 3, Compared: []session.Compared{
			{Column: "Net\namount", Role: "amount", Orders: 40, Differences: 1}, {Column: "Buyer", Orders: 38, Differences: 2},
			{Column: "Vendor", Role: "supplier", Orders: 40}, {Column: "Issued", Orders: 39}, {Column: "Ref", Orders: 40}, {Column: "Crcy.", Role: "currency"},
		},
		Reasons: []session.Reason{
			{Outcome: tasks.OutcomeFailed, Text: "status 500 from https://portal.example/…", Orders: 9, First: []string{"PO1", "PO2", "PO3", "PO4", "PO5"}},
			{Outcome: tasks.OutcomeNotFound, Text: "the portal has no such order", Orders: 2, First: []string{"PO8", "PO9"}},
			{Outcome: tasks.OutcomeTimeout, Orders: 1, First: []string{"PO\x1b10"}},
		},
	}
	want := `Interrupted after 1m35s: 43 of 72 orders ended, 29 still open.
     40  complete
      2  not_found
      1  skipped
      3  interrupted
  with 101 documents

Why orders did not end well:
  9 orders: status 500 from https://portal.example/…
  2 orders: the portal has no such order [PO8, PO9]
  1 order: timeout [PO�10]

Confirmed, and whole: 31 orders; the column confirmed in results.csv says which.
Not confirmed: 9 orders. What was found of them is on disk, but whether that is all, and theirs, is not known:
  8 orders: nothing on their pages says how many documents there are
    What helps: say in a recipe where the page counts them (attachments.count) or says that there are none (none); or look at some, and if all is listed, write attachments.whole: true.
  1 order: its page shows no further value of its row that is its own, as the pages of others do [PO20]
    What helps: look at them: they may be other orders' pages, or others' pages show what is theirs.

The sheet and the portal differ in 3 cells (1 in Net amount, 2 in Buyer): see the column differences in results.csv.
The sheet and the portal agree in Vendor, Ref on 40 orders; Issued on 39 orders.
Not compared: Crcy.; name the field that says the same, as in --compare FIELD=Crcy.

Left behind: 0 browsers and 1 profile; the log says which.

/somewhere/else
  failed.csv    the rows that did not end well, as they were: input for another run
  report.html   every order with its fields, documents and errors, to look at
  results.csv   the same rows, as text
  report.json   all of it, for scripts
  orders        the documents, a folder for each order
  new.txt

The report says which orders are still open.

Next:
  poscrape login --recipe acme.yaml  (sign in again)
  poscrape resume /somewhere/else  (go on with the run)
  poscrape retry /somewhere/else  (retry what broke)
  poscrape retry --only not_found /somewhere/else  (ask about orders that the portal does not have)
  poscrape run /somewhere/else/failed.csv  (correct rows of the sheet)
`
	const toConfirm = `  poscrape recipe init SHEET -o recipe.yaml  (have orders confirmed)
  poscrape retry --only unconfirmed --recipe recipe.yaml /somewhere/else  (then)
  poscrape open /somewhere/else PO20  (look at what may not be the order's own)
`
	if got := summaryText(end, exitInterrupted); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	end.ByOutcome = map[tasks.Outcome]int{tasks.OutcomeComplete: 40, tasks.OutcomeNotFound: 32}
	end.Strict = true
	if got := summaryText(end, exitNotWell); !strings.Contains(got, "is not known, which is exit code 3 with --strict:\n") || !strings.HasSuffix(got, toConfirm) {
		t.Errorf("once all have ended, it is\n%s\nand does not end with\n%s", got, toConfirm)
	}
}
