package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// portal serves orders, one of them with a total that is no amount, and a sign-in page.
func portal(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it is read by a Chrome")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		po := filepath.Base(r.URL.Path)
		switch {
		case strings.HasPrefix(r.URL.Path, "/wall/"):
			fmt.Fprint(w, `<!doctype html><title>Sign in</title><h1>Sign in</h1><form><input name=user><input type=password name=password><button>Sign in</button></form>`)
		case r.URL.Path == "/search" && r.URL.RawQuery == "":
			fmt.Fprint(w, `<!doctype html><title>Orders</title><form><input id=q name=q><button id=go>Search</button></form>`)
		case r.URL.Path == "/search":
			fmt.Fprintf(w, `<!doctype html><title>Orders</title><ul><li><a class=order href="/orders/%s">%[1]s</a></ul>`, r.FormValue("q"))
		case strings.HasPrefix(r.URL.Path, "/orders/"):
			total := "1" + po[len(po)-3:] + ".50"
			if po == "PO1003" {
				total = "n/a"
			}
			fmt.Fprintf(w, `<!doctype html><title>Portal</title><h1>Order <b id=po>%s</b></h1>
				<dl><dt>Supplier<dd class=v-supplier>Acme %[1]s<dt>Total<dd class=v-total>%[2]s<dt>Tax<dd class=v-tax>7.%[3]s</dl>
				<h2>Documents</h2><ul><li><a class=doc href="/files/%[1]s.pdf">Order %[1]s.pdf</a><li><a class=doc href="/files/plan-%[1]s.pdf">Plan.pdf</a></ul>`, po, total, po[len(po)-2:])
		default: // a document
			t.Errorf("%s was asked for", r.URL)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const slips = `version: 1
base_url: %s
open: {url: "{base_url}/%s/{po}"}
identity: {selector: "#po"}
fields:
  supplier: {label: Supplier, required: true}
  total: {selector: "dl .v-totla", type: amount, locale: en}
  sum: {selector: ".v-total", type: amount, locale: en}
attachments: {item: "a.dco"}
`

func TestProbe(t *testing.T) {
	t.Parallel()
	cfg := config(t, "po,supplier,amount\nPO1001,Acme PO1001,1001.50\nPO1002,Acme PO1002,1002.50\nPO1003,Another,1003.50\nPO1004,,1004.50\n",
		fmt.Sprintf(slips, portal(t), "orders"))
	cfg.Probe = "4"
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != codeUnfit || len(r.Probe.Orders) != 4 || r.Probe.Wall != "" {
		t.Fatalf("got %d, %+v", r.ExitCode, r.Probe)
	}
	var text strings.Builder
	r.Text(&text)
	for _, want := range []string{
		`fields.total "dl .v-totla": 0 on 4 of 4 pages; it could be` + "\n" + `    ".v-total": 1 on 4 of 4, equal to column amount on 3 of 4, reads "1001.50", "1002.50", "n/a"`,
		`attachments.item "a.dco": 0 on 4 of 4 pages; it could be` + "\n" + `    "a.doc": 2 on 4 of 4`,
		`Note: PO1003: supplier is "Acme PO1003", and column supplier of the sheet says "Another"`,
		`Warning: PO1003: sum cannot be read from "n/a"`,
		`Warning: attachments.item "a.dco" met nothing on 4 of 4 pages`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\nis not in\n%s", want, text.String())
		}
	}
	written, err := os.ReadFile(filepath.Join(cfg.Out, resultName))
	var kept Report
	if err == nil {
		err = json.Unmarshal(written, &kept)
	}
	if err != nil || len(kept.Probe.Selectors) != len(r.Probe.Selectors) {
		t.Errorf("%s is %s, %v", resultName, written, err)
	}
	if info, err := os.Stat(cfg.Out); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	for _, o := range r.Probe.Orders {
		if o.Outcome != tasks.OutcomePartial || o.Picture == "" {
			t.Errorf("got %+v", o)
			continue
		}
		f, err := os.Open(filepath.Join(cfg.Out, o.Picture))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = png.Decode(f); err != nil {
			t.Error(err)
		}
		_ = f.Close()
	}
	left, err := filepath.Glob(filepath.Join(cfg.TempDir, "poscrape-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

// TestProbeOfSeveralPortals: one that is searched, two that stand behind walls, and one that is
// not reached, since the check is stopped before. What was found until then is kept.
func TestProbeOfSeveralPortals(t *testing.T) {
	t.Parallel()
	const searched = `version: 1
base_url: %s
open: {search: {url: "{base_url}/search", input: "#q", submit: "#go", result: "a.order"}}
identity: {selector: "#po"}
fields:
  supplier: {label: Supplier, required: true}
attachments: {item: "a.doc"}
`
	sheet := "po,url,supplier\n"
	recipes := t.TempDir()
	for i, path := range []string{"", "wall", "wall", "orders"} {
		address := portal(t)
		recipe := fmt.Sprintf(searched, address)
		if path != "" {
			recipe = fmt.Sprintf(slips, address, path)
		}
		if err := os.WriteFile(filepath.Join(recipes, fmt.Sprintf("%d.yaml", i)), []byte(recipe), 0o600); err != nil {
			t.Fatal(err)
		}
		sheet += fmt.Sprintf("PO%d001,%s,Acme PO%[1]d001\n", i, address)
	}
	cfg := config(t, sheet, "")
	cfg.RecipeFile, cfg.Probe = recipes, "4"
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	stopped := errors.New("enough")
	cfg.Tell = func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); strings.HasPrefix(text, "Opening order PO3001") {
			stop(stopped)
		}
	}
	cfg.CodeOf = func(err error) int {
		if errors.Is(err, stopped) {
			return 130
		}
		return 1
	}
	r, err := Run(ctx, cfg)
	if !errors.Is(err, stopped) || r == nil {
		t.Fatalf("got %+v, %v", r, err)
	}
	if len(r.Probe.Orders) != 3 || r.ExitCode != 130 || r.Probe.Partial != "3 of 4 orders were opened: enough" {
		t.Errorf("%d orders, exit code %d, %q", len(r.Probe.Orders), r.ExitCode, r.Probe.Partial)
	}
	if first := r.Probe.Orders[0]; first.Outcome != tasks.OutcomeComplete || first.Fields["supplier"].Raw != "Acme PO0001" || first.Fields["supplier"].Equal == nil || len(first.Documents) != 2 {
		t.Errorf("the order that was searched for is %+v", first)
	}
	if len(r.Probe.Walls) != 2 || len(r.Probe.Suggestions) > 0 {
		t.Errorf("the walls are %q, suggested is %+v", r.Probe.Walls, r.Probe.Suggestions)
	}
	for i, wall := range r.Probe.Walls {
		if !strings.Contains(wall, fmt.Sprintf("poscrape login --recipe %s/%d.yaml", recipes, i+1)) || !strings.Contains(r.Probe.Wall, wall) {
			t.Errorf("wall %d is %q in %q", i, wall, r.Probe.Wall)
		}
	}
	for _, s := range r.Probe.Selectors {
		if met := s.Elements["PO0001"]; s.Where == "open.search.result" && met != 1 || strings.HasPrefix(s.Where, "identity") && len(s.Elements) > met {
			t.Errorf("%s of %s met %v", s.Where, s.Recipe, s.Elements)
		}
	}
	written, err := os.ReadFile(filepath.Join(cfg.Out, resultName))
	if err != nil || !strings.Contains(string(written), `"partial": "3 of 4 orders were opened: enough"`) {
		t.Errorf("%s is %s, %v", resultName, written, err)
	}
	var text strings.Builder
	r.Text(&text)
	if got := text.String(); strings.Count(got, "poscrape login --recipe") != 2 || !strings.Contains(got, "This is not all: 3 of 4 orders were opened") {
		t.Errorf("it says %s", got)
	}
}
