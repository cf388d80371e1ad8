package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poscrape/poscrape/tasks"
	"github.com/poscrape/poscrape/witness"
)

// screenshot writes a red picture of this size.
func screenshot(t *testing.T, file string, width, height int) {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		if i%4 == 0 || i%4 == 3 {
			img.Pix[i] = 0xff
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPicturesTravelInThePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	screenshot(t, filepath.Join(dir, "evidence", "PO1002", "1-screenshot.png"), 1366, 3000)
	r, err := WriteFiles(t.Context(), dir, finished())
	if err != nil {
		t.Fatal(err)
	}
	page := written(t, r.WriteHTML)
	if n := strings.Count(page, `<img src="data:image/jpeg;base64,`); n != 1 {
		t.Errorf("the page carries %d pictures, want 1", n)
	}
	if !strings.Contains(page, `width="640" height="480" alt="What the page of PO1002 showed"`) {
		t.Error("the picture is of another size, or does not say what it shows")
	}
	outside := filepath.Join(t.TempDir(), "secret.png")
	screenshot(t, outside, 10, 10)
	link := filepath.Join(dir, "evidence", "PO1002", "1-screenshot.png")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, link); err != nil {
		t.Skip(err)
	}
	if page := written(t, r.WriteHTML); strings.Contains(page, "<img src=") {
		t.Error("a link out of the folder was followed")
	}
}

func TestShrink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for size, want := range map[image.Point]image.Point{{1366, 900}: {640, 421}, {100, 50}: {100, 50}, {3, 4000}: {3, 480}, {1281, 1}: {640, 1}} {
		file := filepath.Join(dir, "a.png")
		screenshot(t, file, size.X, size.Y)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		small, err := shrink(data)
		if err != nil || small.Rect.Size() != want {
			t.Errorf("%v became %v, %v, want %v", size, small.Rect.Size(), err, want)
		} else if c := small.RGBAAt(want.X/2, want.Y/2); c != (color.RGBA{R: 0xff, A: 0xff}) {
			t.Errorf("%v has the colour %v", size, c)
		}
	}
	if _, err := shrink([]byte("no picture")); err == nil {
		t.Error("what is no picture was shrunk")
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	w := plainText(&out)
	if _, err := io.WriteString(w, "invoice\u202efdp.exe \u2067a\u2069 \u05d0\u200f ü"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "invoice\ufffdfdp.exe \ufffda\ufffd \u05d0\ufffd ü" {
		t.Errorf("it became %q", got)
	}
}

// begun returns a session of which the ledger keeps how it was started.
func begun(m *memory, config string) *memory {
	m.session.Config = []byte(config)
	return m
}

func TestNextWhereNoPageWasReached(t *testing.T) {
	t.Parallel()
	at := Situation{Folder: "out", Sheet: "pos.csv", Reading: " --url https://h/{po}", ByOutcome: map[tasks.Outcome]int{tasks.OutcomeFailed: 2, tasks.OutcomeSkipped: 1},
		Reasons: []Reason{{Orders: 2, Outcome: tasks.OutcomeFailed, Class: tasks.ClassNavigation}}}
	if got := at.Steps(); len(got) != 2 || got[0].Command != "poscrape check pos.csv --url https://h/{po} --probe 1" || got[1].Command != "poscrape retry out" {
		t.Errorf("next are %+v", got)
	}
	at.ByOutcome[tasks.OutcomeComplete] = 1
	if got := at.Steps(); len(got) != 1 || got[0].Command != "poscrape retry out" {
		t.Errorf("next are %+v, though a page was reached", got)
	}
}

func TestNextWhereNumbersAreOnlyMentioned(t *testing.T) {
	t.Parallel()
	for recipe, want := range map[string]string{"": "poscrape recipe init SHEET -o recipe.yaml\nposcrape retry --recipe recipe.yaml out", "a.yaml": "poscrape retry out"} {
		at := Situation{Folder: "out", Recipe: recipe, ByOutcome: map[tasks.Outcome]int{tasks.OutcomePartial: 6},
			Reasons: []Reason{{Orders: 6, Outcome: tasks.OutcomePartial, Class: tasks.ClassIdentity}}}
		if got := at.Steps(); len(got) != 1 || got[0].Command != want {
			t.Errorf("with the recipe %q, next are %+v", recipe, got)
		}
	}
}

func TestNextWhereNumbersAreUnknown(t *testing.T) {
	t.Parallel()
	at := Situation{Folder: "out", Again: " --recipe acme.yaml", ByOutcome: map[tasks.Outcome]int{tasks.OutcomeNotFound: 2, tasks.OutcomeComplete: 9}}
	got := at.Steps()
	if len(got) != 2 || got[0].Command != "poscrape retry --only not_found out" || got[1].Command != "poscrape run --recipe acme.yaml out/failed.csv" ||
		!strings.HasPrefix(got[1].Why, "2 orders are not there, and may have a wrong number or address. failed.csv has them unchanged") {
		t.Errorf("next are %+v", got)
	}
}

// TestNextWhereNotAllIsConfirmed: a page that may be another order's is looked at; for the rest a recipe says what
// confirms it, and what an earlier version has read is read again.
func TestNextWhereNotAllIsConfirmed(t *testing.T) {
	t.Parallel()
	lacking := func(lack witness.Lack) []Lacking {
		return []Lacking{{Lack: lack, Orders: 2, First: []string{"PO 1", "PO2"}}}
	}
	for name, c := range map[string]struct {
		at   Situation
		want []string
	}{
		"no count":             {Situation{Lacking: lacking(witness.LacksCount), Sheet: "pos.csv"}, []string{"poscrape recipe init pos.csv -o recipe.yaml\nposcrape retry --only unconfirmed --recipe recipe.yaml out"}},
		"no count in a recipe": {Situation{Lacking: lacking(witness.LacksCount), Recipe: "a.yaml"}, []string{"poscrape retry --only unconfirmed --recipe a.yaml out"}},
		"a recipe is missing besides": {Situation{Lacking: lacking(witness.LacksCount), Reasons: []Reason{{Orders: 1, Outcome: tasks.OutcomePartial, Class: tasks.ClassUnproven}}},
			[]string{"poscrape recipe init SHEET -o recipe.yaml\nposcrape retry --recipe recipe.yaml out", "poscrape retry --only unconfirmed --recipe recipe.yaml out"}},
		"read before":    {Situation{Lacking: lacking(witness.LacksReading), Recipe: "a.yaml"}, []string{"poscrape retry --only unconfirmed out"}},
		"another's page": {Situation{Lacking: lacking(witness.LacksRow)}, []string{"poscrape open out 'PO 1'"}},
		"no column":      {Situation{Lacking: lacking(witness.LacksPeers)}, nil},
		"not finished":   {Situation{Lacking: lacking(witness.LacksCount), Open: 3}, []string{"poscrape resume out"}},
	} {
		c.at.Folder = "out"
		var got []string
		for _, step := range c.at.Steps() {
			got = append(got, step.Command)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: next are %q, want %q", name, got, c.want)
		}
	}
}

func TestNextSteps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		session *memory
		want    []string
	}{
		"finished": {finished(), []string{
			"poscrape login --url https://PORTAL/ --state portal.state.json\nposcrape retry --state portal.state.json 'a b'", "poscrape retry 'a b'",
			"poscrape retry --only not_found 'a b'", "poscrape retry --only access_denied 'a b'", "poscrape run 'a b/failed.csv'",
			"poscrape recipe init sheets/pos.csv -o recipe.yaml\nposcrape retry --only unconfirmed --recipe recipe.yaml 'a b'",
		}},
		"interrupted": {interrupted(), []string{"poscrape resume 'a b'"}},
		"warned": {begun(warned(), `{"file": "/sheets/pos.csv", "recipe_file": "/recipes/my acme.yaml"}`), []string{
			"poscrape check /sheets/pos.csv --recipe '/recipes/my acme.yaml' --probe 3\nposcrape retry --recipe '/recipes/my acme.yaml' 'a b'", "poscrape retry --only unconfirmed 'a b'"}},
		"read otherwise": {begun(warned(), `{"file": "pos.xlsx", "recipe_file": "acme.yaml", "state": "s.json", "sheet": "Q 1", "columns": {"po": "Nr."}, "url": "https://h/{po}"}`), []string{
			"poscrape check pos.xlsx --recipe acme.yaml --sheet 'Q 1' --column po=Nr. --url 'https://h/{po}' --state s.json --probe 3\nposcrape retry --recipe acme.yaml 'a b'", "poscrape retry --only unconfirmed 'a b'"}},
		"built-in": {begun(warned(), `{"file": "-"}`), []string{"poscrape recipe init SHEET -o recipe.yaml\nposcrape retry --recipe recipe.yaml 'a b'", "poscrape retry --only unconfirmed 'a b'"}},
		"signed in": {begun(finished(), `{"recipe_file": "acme.yaml", "state": "s.json", "sheet": "Q1", "columns": {"po": "Order no."}, "url": "https://h/{po}"}`), []string{
			"poscrape login --recipe acme.yaml --state s.json\nposcrape retry 'a b'", "poscrape retry 'a b'",
			"poscrape retry --only not_found 'a b'", "poscrape retry --only access_denied 'a b'", "poscrape run --recipe acme.yaml --column 'po=Order no.' --url 'https://h/{po}' --state s.json 'a b/failed.csv'",
			"poscrape retry --only unconfirmed --recipe acme.yaml 'a b'",
		}},
	} {
		var got []string
		for _, step := range build(t, c.session).NextSteps("a b") {
			got = append(got, step.Command)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: next are %q, want %q", name, got, c.want)
		}
	}
}

func TestRoundUp(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]time.Duration{
		0: time.Second, 4 * time.Second: 5 * time.Second, 13 * time.Hour: 24 * time.Hour, 24 * time.Hour: 24 * time.Hour, 25 * time.Hour: 48 * time.Hour,
	} {
		if got := roundUp(d); got != want {
			t.Errorf("%v became %v, want %v", d, got, want)
		}
	}
}
