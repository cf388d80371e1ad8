package sampling

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentsThatTakeAHeader has an application whose data lists its documents, behind a closed tab, and whose server
// gives these only to whoever sends what its script signs in with.
func TestDocumentsThatTakeAHeader(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/orders/{po}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!DOCTYPE html><title>Orders</title><main><h1></h1><p>Supplier: <span id=supplier></span></p>
			<div role=tablist><button role=tab aria-selected=true>Order</button><button role=tab aria-selected=false>Documents</button></div></main><script>
			fetch("/api" + location.pathname, {headers: {Authorization: "Bearer 1"}}).then((answer) => answer.json()).then((order) => {
				document.querySelector("h1").textContent = "Order " + order.number;
				document.querySelector("#supplier").textContent = order.supplier;
			});
			document.querySelectorAll("[role=tab]")[1].onclick = (e) => { e.target.setAttribute("aria-selected", "true"); };
			</script>`)
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer 1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".pdf") {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprintf(w, "%%PDF-1.4\n%s\n1 0 obj<<>>endobj\ntrailer<<>>\nstartxref\n9\n%%%%EOF\n", r.URL.Path)
			return
		}
		po := strings.TrimPrefix(r.URL.Path, "/api/orders/")
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"number": po, "supplier": "Supplier " + po[5:],
			"files": []any{map[string]any{"name": "Quote " + po + ".pdf", "url": "/api/files/" + po + ".pdf"}}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	text := "po,url,supplier\n"
	for i := range 8 {
		text += fmt.Sprintf("PO100%d,%s/orders/PO100%[1]d,Supplier %[1]d\n", i, server.URL)
	}
	file := filepath.Join(t.TempDir(), "pos.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := configFor(t, file)
	cfg.Samples = 2
	d, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if yaml := d.YAML(); !d.Holds || !strings.Contains(yaml, "headers: [Authorization]") || !strings.Contains(yaml, "expand: [") {
		t.Errorf("holds: %v\n%s", d.Holds, yaml)
	}
}
