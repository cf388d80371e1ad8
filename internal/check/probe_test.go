package check

import (
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// portal serves orders, one of them with a total that is no amount, and a sign-in page.
func portal(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		po := filepath.Base(r.URL.Path)
		switch {
		case strings.HasPrefix(r.URL.Path, "/wall/"):
			fmt.Fprint(w, `<!doctype html><title>Sign in</title><h1>Sign in</h1><form><input name=user><input type=password name=password><button>Sign in</button></form>`)
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

func TestProbeAtTheWall(t *testing.T) {
	t.Parallel()
	cfg := config(t, "po\nPO1001\nPO1002\n", fmt.Sprintf(slips, portal(t), "wall"))
	cfg.Probe = "2"
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != codeWall || len(r.Probe.Orders) != 1 || !strings.Contains(r.Probe.Wall, "poscrape login --recipe "+cfg.RecipeFile) || len(r.Probe.Warnings)+len(r.Probe.Suggestions) > 0 {
		t.Errorf("got %d, %+v", r.ExitCode, r.Probe)
	}
	if !slices.ContainsFunc(r.Probe.Selectors, func(s Selector) bool { return s.Where == "identity.selector" && len(s.Elements) == 0 }) {
		t.Errorf("selectors were looked for on the sign-in page: %+v", r.Probe.Selectors)
	}
}
