package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/orders"
	"github.com/poscrape/poscrape/session/setup"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(testkit.OwnState{M: m}) }

// config is of a sheet and a recipe with these texts; without a recipe it is the built-in one.
func config(t *testing.T, sheet, recipe string) Config {
	t.Helper()
	dir := t.TempDir()
	cfg := Config{Config: setup.DefaultConfig(), Tell: t.Logf}
	cfg.File, cfg.NoSandbox, cfg.AllowLocal, cfg.TempDir, cfg.Out = filepath.Join(dir, "pos.csv"), true, true, dir, filepath.Join(dir, "out")
	files := map[string]string{cfg.File: sheet}
	if recipe != "" {
		cfg.RecipeFile = filepath.Join(dir, "acme.yaml")
		files[cfg.RecipeFile] = recipe
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cfg
}

func TestEveryProblemIsNamed(t *testing.T) {
	t.Parallel()
	cfg := config(t, "po;amount\nPO1001;1\n2.5E+07;2\n1.5E+07;3\n", `version: 1
base_url: https://portal.example
open: {url: "{base_url}/{po}"}
identity: {selector: "//h1"}
fields:
  total: {selector: "td:contains('x')", type: amout}
atachments: {item: a}
`)
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.Problems {
		got = append(got, p.text)
	}
	for _, want := range []string{"acme.yaml:4:22: identity.selector", "acme.yaml:6:21: fields.total.selector", "acme.yaml:6:47: fields.total.type",
		"acme.yaml:7:1: atachments", "pos.csv:3", "pos.csv:4"} {
		if !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, want) }) {
			t.Errorf("%s is not among %q", want, got)
		}
	}
	if r.ExitCode != codeUnreadable || r.Sheet == nil || r.Sheet.Orders != 1 || r.Sheet.Unusable != 2 {
		t.Errorf("got %d, %+v", r.ExitCode, r.Sheet)
	}
	var text strings.Builder
	r.Text(&text)
	if !strings.Contains(text.String(), "This cannot be run: 4 problems") {
		t.Errorf("it says %s", text.String())
	}
}

func TestEveryRowIsNamed(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), config(t, "po,url\n1001,ftp://portal.example/1\n,https://portal.example/2\n1003,\n", "version: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.Problems {
		got = append(got, fmt.Sprint(p.Level, p.Line, p.Cell))
	}
	if want := []string{"error0", "row2url", "row3po", "row4url"}; !slices.Equal(got, want) || r.ExitCode != codeUnreadable {
		t.Errorf("got %q, exit code %d; want %q", got, r.ExitCode, want)
	}
}

func TestUnderstood(t *testing.T) {
	t.Parallel()
	cfg := config(t, "Order no.,Supplier,Total,Remark,url\n1001,Acme,12.50,x,https://portal.example/1001\n1.5E+07,,,,https://portal.example/2\nTotal,,12.50,,\n",
		"version: 1\nfields:\n  supplier: {label: Supplier}\n  total: {selector: '#t', type: amount, locale: en}\n")
	cfg.Columns = map[string]string{"po": "Order no.", "amount": "Total"}
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sheet
	if r.ExitCode != codeUnfit || s.Roles["po"] != "Order no." || len(s.Skipped) != 1 || s.Roles["amount"] != "Total" || s.Compared["total"] != "Total" ||
		s.Compared["supplier"] != "Supplier" || !slices.Equal(s.Others, []string{"Remark"}) || s.Addresses != "column url" {
		t.Errorf("got %d, %+v, %+v", r.ExitCode, s, r.Problems)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(cfg.Out); err == nil {
		t.Error("a folder was made though nothing was probed")
	}
}

func TestWhatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	cfg := config(t, "po,url\n1001,https://portal.example/1001\n", "")
	cfg.RecipeFile = filepath.Join(t.TempDir(), "none.yaml")
	if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	var all []orders.PurchaseOrder
	for _, number := range []string{"PO1001", "PO1002", "PO1003", "PO1004", "3", "PO77", "PO1007", "PO1008"} {
		all = append(all, orders.PurchaseOrder{Number: number, Digits: strings.TrimPrefix(number, "PO"), Dir: number})
	}
	for probe, want := range map[string]string{
		"2": "PO1001 3", "3": "3", "3,": "3", "77": "PO77", "po1002, po 1003": "PO1002 PO1003", "1001,1001,PO1001": "PO1001",
		"1005": "! out of bounds", "0": "! out of bounds", "1005,": "! no order 1005", "PO10033": "! did you mean PO1003?", ",": "! names no order", "8": "PO1001 PO1002 PO1003 PO1004 3 PO77 PO1007 PO1008", "90": "PO1001 PO1002 PO1003 PO1004 3 PO77 PO1007 PO1008",
	} {
		chosen, err := choose(probe, all)
		var numbers []string
		for _, o := range chosen {
			numbers = append(numbers, o.Number)
		}
		got := strings.Join(numbers, " ")
		if part, refused := strings.CutPrefix(want, "! "); refused && (err == nil || !strings.Contains(err.Error(), part)) || !refused && (got != want || err != nil) {
			t.Errorf("--probe %q: got %q, %v, want %q", probe, got, err, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	row := []Problem{{Level: LevelRow}}
	for want, r := range map[string]Report{
		"This can be run. What":                                       {},
		"This can be run; 2 rows cannot":                              {ExitCode: codeUnfit, Problems: row, Sheet: &Sheet{Unusable: 2}},
		"The recipe fits; 1 row of the sheet cannot be used.":         {ExitCode: codeUnfit, Problems: row, Probe: &Probe{}},
		"Everything fits.":                                            {Probe: &Probe{}},
		"Something does not fit, see above. Documents were":           {ExitCode: codeUnfit, Problems: row, Probe: &Probe{Warnings: []string{"x"}}},
		"Something does not fit, see above. Documents were not downl": {ExitCode: codeUnfit, Probe: &Probe{Orders: []Order{{}}}},
	} {
		if got := r.conclusion(); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
