package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/folder"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/tasks/ledger"
)

// sessionOf writes the record of a session with these orders, as they ended, and returns how one
// of them is shown.
func sessionOf(t *testing.T, sheet, recipe string, all ...tasks.Spec) ShowConfig {
	t.Helper()
	cfg := config(t, sheet, recipe)
	recipes, err := setup.ReadRecipes(cfg.Config)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := setup.Remember(cfg.Config, recipes)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	l, err := ledger.Open(filepath.Join(dir, folder.LedgerName))
	if err != nil {
		t.Fatal(err)
	}
	record := tasks.Session{ID: uuid.New(), Status: tasks.SessionCompleted, Config: settings,
		Input: tasks.Input{File: "pos.csv", Columns: []string{"po", "supplier", "amount"}, Roles: map[string]int{"po": 0, "supplier": 1, "amount": 2}}}
	err = l.SaveSession(t.Context(), record)
	if err == nil {
		_, err = l.Enqueue(t.Context(), all...)
	}
	if err = errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return ShowConfig{Dir: dir, Out: &bytes.Buffer{}, Tell: t.Logf, HasDisplay: func() bool { return true }, unseen: true,
		ResumeConfig: setup.ResumeConfig{Adjust: func(c *setup.Config) { c.TempDir = cfg.TempDir }}}
}

func specOf(line int, po, address, supplier, amount string) tasks.Spec {
	return tasks.Spec{Key: po + " " + address, PO: po, Digits: strings.TrimPrefix(po, "PO"), Dir: fmt.Sprint(po, line), URL: address,
		Sheet: tasks.Sheet{Supplier: supplier, Amount: amount}, Rows: []tasks.Row{{Line: line, Raw: po, Cells: []string{po, supplier, amount}}}}
}

// TestShow shows an order in a Chrome until it is stopped.
func TestShow(t *testing.T) {
	t.Parallel()
	url := portal(t)
	cfg := sessionOf(t, "po\nPO1002\n", fmt.Sprintf(slips, url, "orders"), specOf(2, "PO1002", url+"/orders/PO1002", "Another", "1002.50"))
	cfg.PO = "po-1002"
	before := contents(t, cfg.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := recall(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	s.cfg.Shown = func() {
		tab := s.opener.First().Browser().Tab()
		if err := tab.EvaluateApart(ctx, "", `document.querySelectorAll("html > div[style*='2147483647']").length`, &frames); err != nil {
			t.Error(err)
		}
		cancel()
	}
	s.recordText(cfg.Out)
	if err := s.run(ctx); err != nil || frames != 1 {
		t.Errorf("got %v, and %d drawings", err, frames)
	}
	said := cfg.Out.(*bytes.Buffer).String()
	for _, want := range []string{
		"PO1002  not begun\n", `supplier "Another", amount "1002.50", line 2 of the sheet`, "opened now, without downloading documents\n  outcome  partial\n",
		`fields.supplier   "Supplier"     meets 1  "Acme PO1002"; column supplier of the sheet says "Another"`,
		`fields.total      "dl .v-totla"  meets 0`, `"1002.50"`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if after := contents(t, cfg.Dir); after != before {
		t.Errorf("the session folder had %s, and has %s", before, after)
	}
	if left, err := filepath.Glob(filepath.Join(s.prober.cfg.TempDir, "poscrape-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

// contents returns the names and contents of a folder's files, but for the ledger's own notes.
func contents(t *testing.T, dir string) string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = fmt.Sprintf("%d %x", len(text), tasks.MarkOf(string(text)))
	}
	text, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestShowRefuses: nothing is opened where the order, or a place for it, is not known.
func TestShowRefuses(t *testing.T) {
	t.Parallel()
	invalid := specOf(5, "PO1009", "", "", "")
	invalid.Invalid = tasks.Permanent(tasks.OutcomeInvalidInput, tasks.ClassInvalidInput, "it has no address")
	cfg := sessionOf(t, "po\nPO1002\n", fmt.Sprintf(slips, "http://127.0.0.1:1", "orders"), specOf(2, "PO1002", "http://127.0.0.1:1/a", "", ""),
		specOf(3, "PO1002", "http://127.0.0.1:1/b", "", ""), specOf(4, "PO2003", "http://127.0.0.1:1/c", "", ""), invalid)
	var order *OrderError
	var window *WindowError
	var setting *setup.ConfigError
	for po, c := range map[string]struct {
		change func(*ShowConfig)
		want   any
		says   string
	}{
		"1002":    {want: &order, says: "name one of them by its address:\nPO1002 http://127.0.0.1:1/a (line 2 of the sheet)\nPO1002 http://127.0.0.1:1/b (line 3 of the sheet)"},
		"PO20003": {want: &order, says: "did you mean PO2003?"},
		"003":     {want: &order, says: "did you mean PO2003?"},
		"PO1009":  {want: &order, says: "its row cannot be used"},
		"PO2003":  {func(c *ShowConfig) { c.HasDisplay = func() bool { return false } }, &window, "--picture"},
		"po2003":  {func(c *ShowConfig) { c.Picture = filepath.Join(c.Dir, "no", "such.png") }, &setting, "--picture"},
	} {
		t.Run(po, func(t *testing.T) {
			t.Parallel()
			own := cfg
			own.PO, own.Out = po, &bytes.Buffer{}
			if c.change != nil {
				c.change(&own)
			}
			if err := Show(t.Context(), own); !errors.As(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestRecordText says what is known of an order that did not end well.
func TestRecordText(t *testing.T) {
	t.Parallel()
	cfg := sessionOf(t, "po\nPO1002\n", fmt.Sprintf(slips, "http://127.0.0.1:1", "orders"), specOf(2, "PO1002", "http://u:pw@127.0.0.1:1/a", "Acme", "12.50"))
	cfg.PO = "1002"
	s, err := recall(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Date(2026, 3, 2, 9, 15, 0, 0, time.Local)
	s.task.State, s.task.Outcome = tasks.StateCompleted, tasks.OutcomePartial
	s.task.Failure = &tasks.Failure{Class: tasks.ClassEmptyFile, Message: "1 of 2 listed documents are missing"}
	s.task.History = []tasks.Attempt{{N: 2, Executor: tasks.ExecutorRender, StartedAt: began, EndedAt: began.Add(1500 * time.Millisecond),
		Evidence: []string{"evidence/PO1002/attempt-2-screenshot.png"}, Looks: []tasks.Look{{Where: "attachments.item", Met: 2}}}}
	s.task.Result = &tasks.Result{Fields: map[string]tasks.Field{"sum": {Raw: "13.00", Value: "13.00", Type: "amount"}, "supplier": {Raw: "Bolt", Value: "Bolt"}},
		Attachments: []tasks.Attachment{{Name: "a.pdf", State: tasks.AttachmentDone}, {Name: "b.pdf", State: tasks.AttachmentFailed, Error: &tasks.Failure{Message: "it is empty"}}}}
	var out strings.Builder
	s.recordText(&out)
	s.nowText(&out, &scrape.Probed{Looks: []tasks.Look{{Where: "attachments.item"}}, Result: &tasks.Result{Outcome: tasks.OutcomePartial}})
	for _, want := range []string{
		"PO1002  partial\n", "1 of 2 listed documents are missing (empty_file)", "number 2, 2026-03-02 09:15:01, after 1.5s, page rendered",
		`2 listed, 1 brought home; "b.pdf": it is empty`, `supplier is "Bolt" on the portal, and column supplier of the sheet says "Acme" (line 2)`,
		filepath.Join(cfg.Dir, "evidence", "PO1002", "attempt-2-screenshot.png"), "meets 0, in the run 2",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "pw@") {
		t.Errorf("it says a password:\n%s", out.String())
	}
}

// TestKeepPicture keeps a picture, and nothing where there is none.
func TestKeepPicture(t *testing.T) {
	t.Parallel()
	cfg := sessionOf(t, "po\nPO1002\n", fmt.Sprintf(slips, "http://127.0.0.1:1", "orders"), specOf(2, "PO1002", "http://127.0.0.1:1/a", "", ""))
	cfg.PO, cfg.Picture = "1002", filepath.Join(t.TempDir(), "a.png")
	s, err := recall(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var none *NoPictureError
	if err := s.keepPicture(&scrape.View{NoPicture: "a password could be seen in it"}); !errors.As(err, &none) || none.Why == "" {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(cfg.Picture); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	if err := s.keepPicture(&scrape.View{Picture: blank(t), Sights: []scrape.Sight{{Where: "identity", Met: 1, Elements: []scrape.Element{{X: 10, Y: 30, Width: 20, Height: 10, Seen: true}}}}}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(cfg.Picture)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(written))
	if err != nil || color.RGBAModel.Convert(picture.At(8, 35)) != colours[0] {
		t.Errorf("the frame is %v, %v", picture.At(8, 35), err)
	}
}

// blank is a picture of an empty page.
func blank(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 100, 100))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
