package report

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/tasks"
)

// noon is when the sessions of the fixtures begin, in a zone that is not UTC.
var noon = time.Date(2025, 3, 14, 12, 0, 0, 0, time.FixedZone("CET", 3600))

func id(n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("01959455-0000-7000-8000-%012d", n))
}

func at(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }

func done(po, name string, bytes int64) tasks.Attachment {
	return tasks.Attachment{
		Name: name, Path: "orders/" + po + "/" + name, Size: bytes, MIME: "application/pdf",
		SHA256: fmt.Sprintf("%064x", bytes), Source: "https://portal.example/orders/" + po,
		URL: "https://portal.example/files/" + po + "/" + name + "?token=secret", State: tasks.AttachmentDone,
	}
}

func lost(po, name string, state tasks.AttachmentState, f *tasks.Failure) tasks.Attachment {
	return tasks.Attachment{Name: name, Source: "https://portal.example/orders/" + po, State: state, Error: f}
}

// ended returns the record of an attempt that ran between these seconds.
func ended(n int, from, to float64, o tasks.Outcome, f *tasks.Failure) tasks.Attempt {
	a := tasks.Attempt{
		N: n, Worker: "worker_001", Executor: tasks.ExecutorRender, Outcome: o, StartedAt: at(from), EndedAt: at(to), Error: f,
		PhaseMS: map[string]float64{"claim": 0.25 + from/100, "open": 180.5, "settle": 402, "download": 250},
	}
	if f != nil && f.Advice == tasks.AdviceRelease {
		a.Released, a.Outcome = true, tasks.OutcomeInterrupted
	}
	return a
}

// newOrder returns a task of the rows at these lines.
func newOrder(n int, po string, state tasks.State, o tasks.Outcome, lines ...int) *tasks.ProcessingTask {
	t := &tasks.ProcessingTask{ID: id(n), State: state, Outcome: o, Created: noon, Updated: noon}
	t.Spec = tasks.Spec{Key: po, PO: po, Dir: po, URL: "https://portal.example/orders/" + po}
	for _, line := range lines {
		t.Rows = append(t.Rows, tasks.Row{Line: line, Raw: po, Cells: []string{po, t.URL, "Acme GmbH", "1.250,00"}})
	}
	return t
}

func withResult(t *tasks.ProcessingTask, list ...tasks.Attachment) *tasks.ProcessingTask {
	t.Result = &tasks.Result{
		Outcome: t.Outcome, Executor: tasks.ExecutorRender, URL: t.URL, Folder: "orders/" + t.Dir, Attachments: list,
		Fields: map[string]tasks.Field{
			"supplier": {Raw: "Acme GmbH", Value: "Acme GmbH", Type: "text"},
			"total":    {Raw: "1.250,00", Value: "1250.00", Type: "amount"},
			"issued":   {Raw: "14th of March", Type: "date", Error: "not a date in the layout 02/01/2006"},
		},
		Lines: []map[string]string{{"sku": "A-1", "qty": "3"}, {"sku": "B-2", "qty": "1"}},
	}
	return t
}

// shown is what the page of an order shows that has its number, its supplier and such a list.
func shown(list tasks.List) *tasks.Shown {
	return &tasks.Shown{Number: true, Values: 1, Row: []tasks.Value{{Column: "Supplier", Text: "Acme GmbH", At: 7, Meaning: 8}}, Lists: []tasks.List{list}}
}

// finished is a session that has ended, with an order of every outcome.
func finished() *memory {
	notFound := tasks.Permanent(tasks.OutcomeNotFound, tasks.ClassNotFound, "the portal has no order PO1004 (HTTP 404)")
	status := tasks.Retry(tasks.ClassHTTPStatus, "https://portal.example/orders/PO1002 answered 503 Service Unavailable")
	status.Phase = "open"
	gone := tasks.Retry(tasks.ClassAttachment, "quote.pdf: the connection was reset after 2,048 of 90,112 bytes")
	limit := tasks.Permanent(tasks.OutcomePartial, tasks.ClassLimit, "drawing.zip is 310 MB, over max_file_size (200 MB)")

	complete := withResult(newOrder(1, "PO1001", tasks.StateCompleted, tasks.OutcomeComplete, 2, 9),
		done("PO1001", "contract.pdf", 184_320), done("PO1001", "quote Nr. 7 (100 %).pdf", 2_400_000))
	complete.Sheet = tasks.Sheet{Supplier: "Acme GmbH", Amount: "1.250,00", Currency: "EUR"}
	complete.Rows[1].Raw, complete.Rows[1].Cells = " po1001 ", []string{" po1001 ", "", "Acme GmbH"}
	complete.History = []tasks.Attempt{ended(1, 1, 3.25, tasks.OutcomeComplete, nil)}
	complete.Result.Proof = &tasks.Proof{By: tasks.ProofListed, Text: "the pages list 2 documents"}
	complete.Result.Shown = shown(tasks.List{Met: 2, Count: &tasks.Counted{N: 2, Text: `the page says "Documents (2)"`}})

	partial := withResult(newOrder(2, "PO1002", tasks.StateCompleted, tasks.OutcomePartial, 3),
		done("PO1002", "invoice.pdf", 64_000), lost("PO1002", "quote.pdf", tasks.AttachmentFailed, gone),
		lost("PO1002", "drawing.zip", tasks.AttachmentSkipped, limit))
	partial.Sheet = tasks.Sheet{Amount: "1.250,00"}
	partial.Failure, partial.Result.FellBack = gone, "the fetched page has no list of documents"
	partial.History = []tasks.Attempt{
		ended(1, 1, 1.9, tasks.OutcomeFailed, status), ended(2, 4, 9.5, tasks.OutcomePartial, gone),
	}
	partial.History[0].RetryAt, partial.History[0].Evidence = at(3.1), []string{
		"evidence/PO1002/1-screenshot.png", "evidence/PO1002/1-page.html",
	}

	none := withResult(newOrder(3, "PO1003", tasks.StateCompleted, tasks.OutcomeNoAttachments, 4))
	none.Result.Executor = tasks.ExecutorFetch
	none.Result.Proof = &tasks.Proof{By: tasks.ProofAuto, Text: "the page is settled, and has no way to more"}
	none.Result.Shown = shown(tasks.List{})
	none.History = []tasks.Attempt{ended(1, 2, 2.6, tasks.OutcomeNoAttachments, nil)}
	none.History[0].Executor = tasks.ExecutorFetch

	missing := newOrder(4, "PO1004", tasks.StateFailed, tasks.OutcomeNotFound, 5)
	missing.Failure, missing.History = notFound, []tasks.Attempt{ended(1, 3, 3.4, tasks.OutcomeNotFound, notFound)}

	bad := newOrder(5, "", tasks.StateFailed, tasks.OutcomeInvalidInput, 6)
	bad.URL, bad.Rows[0] = "", tasks.Row{Line: 6, Raw: "1.5E+07", Cells: []string{"1.5E+07", "", "Acme, GmbH", "7,00", "an extra cell"}}
	bad.Failure = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput,
		"line 6: 1.5E+07 has lost digits: format the column as text and export the sheet again")
	bad.Invalid = bad.Failure

	skipped := newOrder(6, "PO1006", tasks.StatePending, tasks.OutcomeSkipped, 7)
	skipped.Skipped = "over --limit 6"

	m := &memory{tasks: []*tasks.ProcessingTask{complete, partial, none, missing, bad, skipped}}
	for i, o := range []tasks.Outcome{
		tasks.OutcomeAccessDenied, tasks.OutcomeIdentityMismatch, tasks.OutcomeSessionExpired, tasks.OutcomeTimeout, tasks.OutcomeFailed,
	} {
		t := newOrder(7+i, fmt.Sprintf("PO%d", 1007+i), tasks.StateFailed, o, 10+i)
		t.Failure = tasks.Permanent(o, tasks.ClassPage, "the order ended as %s", o)
		t.History = []tasks.Attempt{ended(1, float64(5+i), float64(7+i), o, t.Failure)}
		m.tasks = append(m.tasks, t)
	}
	m.addLog()
	return m
}

// addLog adds the session's own record to the tasks.
func (m *memory) addLog() {
	rows := 0
	for _, t := range m.tasks {
		rows += len(t.Rows)
		if n := len(t.History); n > 0 && t.State.Final() {
			t.Updated = t.History[n-1].EndedAt.Add(50 * time.Millisecond)
		}
	}
	m.session = tasks.Session{
		ID: id(0), Status: tasks.SessionCompleted, StartedAt: noon, EndedAt: at(30), Worked: 30 * time.Second,
		Version: "0.1.0", Chrome: "HeadlessChrome 156.0.7400.2", Host: "desk-17", Sandbox: "on", Workers: 4, Mode: "auto",
		Input: tasks.Input{
			File: "sheets/pos.csv", Rows: rows, SHA256: fmt.Sprintf("%064x", 99),
			Columns: []string{"PO Number", "URL", "Supplier", "Amount"},
		},
		Cleanup: tasks.Cleanup{Took: 412 * time.Millisecond},
	}
	for i := range 4 {
		m.workers = append(m.workers, tasks.Worker{
			ID: fmt.Sprintf("worker_%03d", i+1), BrowserID: id(100 + i), PID: 4100 + i, Profile: fmt.Sprintf("/tmp/poscrape-profile-%d", i+1),
			State: "COMPLETED", Processed: 3, Failed: i % 2, StartedAt: at(0.1), LastActivity: at(29), Restarts: i / 3,
			MemoryBytes: 212_000_000 + int64(i)<<20, MemoryPeakBytes: 318_000_000, CPU: 0.25 * float64(i), DiskBytes: 4_100_000, Isolation: []string{"process", "container"}[i%2],
		})
		m.events = append(m.events, tasks.Event{
			At: at(0.5 + float64(i)/10), Type: tasks.EventWorkerStarted, Worker: m.workers[i].ID, BrowserID: id(100 + i), Detail: "ready",
			Took: time.Duration(480+20*i) * time.Millisecond,
		})
	}
	m.workers[2].BrowserID = uuid.Nil // one is being opened
	m.workers[3].Error = "worker_004: Chrome ended by itself (signal: killed); a new one was started"
	m.events = append(m.events,
		tasks.Event{At: at(12), Type: tasks.EventWorkerFailed, Worker: "worker_004", Detail: "Chrome ended by itself"},
		tasks.Event{At: at(30), Type: tasks.EventSessionEnded, Detail: "every order has its outcome"})
	m.scalings = []tasks.Scaling{
		{At: at(10), From: 4, To: 3, Reason: "CPU 91 % over 80 %", CPU: 0.91, Memory: 0.42, Pressure: 0.31},
		{At: at(20), From: 3, To: 4, Reason: "CPU 48 %: one more fits", CPU: 0.48, Memory: 0.4, Pressure: -1},
	}
}

// interrupted is a session that was stopped: one order is done, one was given
// back, one waits for its retry, one was with a worker, one never began.
func interrupted() *memory {
	stop := tasks.Release(tasks.ClassReleased, "the run was stopped")
	busy := tasks.Retry(tasks.ClassThrottled, "the portal answered 429 Too Many Requests")
	whole := withResult(newOrder(1, "PO1", tasks.StateCompleted, tasks.OutcomeComplete, 2), done("PO1", "a.pdf", 1000))
	whole.History = []tasks.Attempt{ended(1, 1, 2, tasks.OutcomeComplete, nil)}
	released := newOrder(2, "PO2", tasks.StatePending, "", 3)
	released.History = []tasks.Attempt{ended(1, 2, 4, "", stop)}
	retried := newOrder(3, "PO3", tasks.StatePending, "", 4)
	retried.History = []tasks.Attempt{ended(1, 1, 4, tasks.OutcomeFailed, busy)}
	held := newOrder(4, "PO4", tasks.StateProcessing, "", 5)
	held.Updated = at(4)
	m := &memory{tasks: []*tasks.ProcessingTask{whole, released, retried, held, newOrder(5, "PO5", tasks.StatePending, "", 6)}}
	m.addLog()
	m.session.Status, m.session.Reason = tasks.SessionInterrupted, "Ctrl-C"
	m.session.EndedAt, m.session.Worked, m.session.Resumed = at(4.5), 4500*time.Millisecond, 1
	return m
}

// nothing is a session that has only begun: no task, no worker, no event.
func nothing() *memory {
	return &memory{session: tasks.Session{ID: id(0), Status: tasks.SessionInitializing, StartedAt: noon}}
}

// hostile is a session in which every text tries to be something else.
func hostile() *memory {
	const script = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&` + "\u2028\x00\x1b[31m"
	f := tasks.Permanent(tasks.OutcomePartial, tasks.ClassAttachment, "%s", script+"\r\nsecond line")
	t := withResult(newOrder(1, script, tasks.StateCompleted, tasks.OutcomePartial, 2),
		done("x", script+".pdf", 10), done("x", "../../../etc/passwd", 10), done("x", "a#b?c%41 d&é.pdf", 10),
		done("x", `..\..\x.pdf`, 10), done("x", "=cmd().pdf", 10))
	t.URL, t.Failure = "javascript:alert(3)", f
	t.Result.Folder = "javascript:alert(4)"
	t.Result.Attachments[1].Path = "/etc/passwd"
	t.Result.Attachments[4].Path = "javascript:alert(5)"
	t.Result.Fields = map[string]tasks.Field{script: {Raw: script}}
	t.History = []tasks.Attempt{ended(1, 1, 2, tasks.OutcomePartial, f)}
	t.History[0].Evidence = []string{"evidence/" + script + "/1.png", "../x.png", `evidence/"onerror=alert(6) .png`}
	t.Sheet = tasks.Sheet{Supplier: script, Currency: script}
	t.Rows[0] = tasks.Row{Line: 2, Raw: script, Cells: []string{"=cmd|'/C calc'!A0", "+1", "-2+3", "@x", "\tx", "\rx", "-12.50"}}
	m := &memory{tasks: []*tasks.ProcessingTask{t}}
	m.addLog()
	m.session.Reason, m.session.Host, m.session.Input.File = script, script, "/home/"+script+".csv"
	m.session.Input.Columns = []string{"=po", "Outcome", "poscrape_OUTCOME", " error ", "e", "f", "g"}
	m.events[0].Detail, m.workers[0].Error, m.scalings[0].Reason = script, script, script
	return m
}

// warned is a session of which every order ended well, by a recipe with a selector that
// met nothing. Its sheet has semicolons, and was no UTF-8 without a byte order mark.
func warned() *memory {
	whole := withResult(newOrder(1, "PO1", tasks.StateCompleted, tasks.OutcomeComplete, 2), done("PO1", "a.pdf", 1000))
	whole.History = []tasks.Attempt{
		ended(1, 0.5, 0.9, "", tasks.Release(tasks.ClassBrowserLost, "the browser was killed")),
		ended(1, 1, 2, tasks.OutcomeComplete, nil),
	}
	whole.History[1].Looks = []tasks.Look{
		{Where: "fields.total", Met: 1}, {Where: "fields.buyer"}, {Where: "attachments.item", Met: 1}, {Where: "attachments.none"},
		{Where: "attachments.exclude[0]"}, {Where: "attachments.exclude[1]", Met: 1},
	}
	whole.Result.Notes = []string{`the page shows attachments.none ".none" beside 1 document`}
	whole.Result.Fields["issued"] = tasks.Field{Raw: "14/03/2025", Value: "2025-03-14", Type: "date", Ambiguous: true}
	none := withResult(newOrder(2, "PO2", tasks.StateCompleted, tasks.OutcomeNoAttachments, 3))
	none.Result.Proof = &tasks.Proof{By: tasks.ProofMarker, Text: `attachments.none shows "No documents <yet>"`}
	none.History = []tasks.Attempt{ended(1, 2, 2.5, tasks.OutcomeNoAttachments, nil)}
	none.History[0].Looks = []tasks.Look{
		{Where: "fields.total", Met: 1, Unreadable: true}, {Where: "fields.buyer"}, {Where: "attachments.item"}, {Where: "attachments.none", Met: 1},
		{Where: "attachments.exclude[0]"}, {Where: "attachments.exclude[1]"},
	}
	m := &memory{tasks: []*tasks.ProcessingTask{whole, none}}
	m.addLog()
	m.session.Input.Delimiter, m.session.Input.Mark = ";", true
	m.session.Config = []byte(`{"file": "sheets/pos.csv", "recipe_file": "acme.yaml"}`)
	m.session.Selectors = []tasks.Selector{
		{Where: "fields.total", Selector: "#total", Kind: tasks.SelectorWarning},
		{Where: "fields.buyer", Selector: `input[name="buyre"]`, Kind: tasks.SelectorWarning},
		{Where: "attachments.item", Selector: "a.document", Kind: tasks.SelectorWarning},
		{Where: "attachments.none", Selector: ".no-documents", Kind: tasks.SelectorWarning},
		{Where: "attachments.exclude[0]", Selector: "a.help", Kind: tasks.SelectorNote},
		{Where: "attachments.exclude[1]", Selector: "a.terms", Kind: tasks.SelectorNote},
	}
	return m
}
