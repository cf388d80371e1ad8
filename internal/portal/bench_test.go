package portal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What the bench says that it serves is what it serves.
func TestBenchServesWhatItSays(t *testing.T) {
	t.Parallel()
	b := newBench(t, BenchConfig{Orders: 3, Documents: 2, DocumentSize: 100_000})
	seen := map[string]bool{}
	for _, o := range b.Orders() {
		page := benchAnswer(t, b, o.Path)
		for name, value := range o.Fields {
			if !strings.Contains(page, fmt.Sprintf(`<dd id="%s">%s</dd>`, name, escaped(value))) {
				t.Errorf("%s: the page does not show %s as %q", o.PO, name, value)
			}
		}
		for i, doc := range o.Documents {
			path := fmt.Sprintf("%s/attachments/%d/Document%%20%d.pdf", o.Path, i+1, i+1)
			if !strings.Contains(page, `href="`+path+`"`) || !strings.Contains(page, doc.Name) {
				t.Errorf("%s: the page does not list %s at %s", o.PO, doc.Name, path)
			}
			body := benchAnswer(t, b, path)
			sum := sha256.Sum256([]byte(body))
			if got := hex.EncodeToString(sum[:]); got != doc.SHA256 || int64(len(body)) != doc.Bytes || doc.Bytes != 100_000 {
				t.Errorf("%s: %s has %d bytes and the hash %s, want %d and %s", o.PO, doc.Name, len(body), got, doc.Bytes, doc.SHA256)
			}
			if seen[doc.SHA256] {
				t.Errorf("%s: %s has the bytes of another document", o.PO, doc.Name)
			}
			seen[doc.SHA256] = true
		}
	}
	if !strings.HasPrefix(benchAnswer(t, b, "/assets/app.js"), "// Does what") {
		t.Error("the script is not served")
	}
}

// Until the late documents are due, nothing on a page says whether some will come.
func TestBenchKeepsLateDocumentsBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, BenchConfig{
		Orders: 10, Documents: 1, DocumentSize: 4096, Empty: true,
		Mount: 700 * time.Millisecond, Late: 3 * time.Second, LateEvery: 10,
	})
	for i, o := range b.Orders() {
		wave, documents := `{"after":700,"files":[]}`, 0
		if i == 2 {
			wave, documents = `{"after":3000,"files":[{`, 1
		}
		page := benchAnswer(t, b, o.Path)
		if len(o.Documents) != documents || !strings.Contains(page, wave) {
			t.Errorf("order %d has %d documents, want %d, by the wave %s", i, len(o.Documents), documents, wave)
		}
		if strings.Contains(page, `class="attachment"`) || strings.Contains(page, "no-attachments") {
			t.Errorf("order %d shows beforehand whether it has documents", i)
		}
	}
}

func TestBenchDelaysEveryAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, BenchConfig{Orders: 1, Documents: 1, DocumentSize: 4096, Latency: 50 * time.Millisecond})
		o := b.Orders()[0]
		for _, path := range []string{o.Path, o.Path + "/attachments/1/Document%201.pdf", "/assets/portal.css"} {
			began := time.Now()
			benchAnswer(t, b, path)
			if took := time.Since(began); took != 50*time.Millisecond {
				t.Errorf("%s was answered after %v, want 50ms", path, took)
			}
		}
	})
}

func TestBenchRefusesWhatItCannotMake(t *testing.T) {
	t.Parallel()
	for field, c := range map[string]BenchConfig{
		"Orders":       {},
		"DocumentSize": {Orders: 1, Documents: 1, DocumentSize: 10},
	} {
		if _, err := NewBench(c); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%+v: error %v, want one that names %s", c, err, field)
		}
	}
}

func TestBenchAnswers404ForWhatItHasNot(t *testing.T) {
	t.Parallel()
	b := newBench(t, BenchConfig{Orders: 1})
	for _, path := range []string{"/orders/PO1", "/orders/PO4500001001/attachments/1/x.pdf", "/assets/none.js", "/"} {
		w := httptest.NewRecorder()
		b.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
	}
}

func newBench(t *testing.T, c BenchConfig) *Bench {
	t.Helper()
	b, err := NewBench(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// benchAnswer returns the body of a good answer of the announced length.
func benchAnswer(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusOK || w.Header().Get("Content-Length") != fmt.Sprint(len(body)) {
		t.Fatalf("%s: status %d, Content-Length %q of %d bytes", path, w.Code, w.Header().Get("Content-Length"), len(body))
	}
	return string(body)
}

func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "'", "&#39;").Replace(s)
}
