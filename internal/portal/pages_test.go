package portal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var (
	attachmentLink = regexp.MustCompile(`<li><a class="attachment"[^>]*>`)
	planScript     = regexp.MustCompile(`(?s)<script type="application/json" id="page-plan">(.*?)</script>`)
	assetLink      = regexp.MustCompile(`/assets/([a-z0-9-]+\.[a-z]+)`)
)

// planOf returns what the page tells its script to do.
func planOf(t *testing.T, page []byte) plan {
	t.Helper()
	found := planScript.FindSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no plan: %s", page)
	}
	var p plan
	if err := json.Unmarshal(found[1], &p); err != nil {
		t.Fatalf("the plan is no JSON: %v: %s", err, found[1])
	}
	return p
}

func TestPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		variation Variation
		status    int
		// links of documents in the page as it is served, and in its waves
		links int
		waves []int
		with  string
	}{
		{Plain, 200, 1, nil, `<span class="filename">Purchase order.pdf</span>`},
		{Several, 200, 7, nil, `Technical drawings.pdf`},
		{SixtyLines, 200, 2, nil, `<span>60 lines</span>`},
		{Slow, 200, 1, nil, ``},
		{ScriptMount, 200, 0, []int{2}, ``},
		{JSONMount, 200, 0, nil, `"list":"/api/orders/`},
		{LateMount, 200, 0, []int{2}, ``},
		{TwoWaves, 200, 0, []int{1, 2}, ``},
		{NoneMarker, 200, 0, nil, `class="no-attachments"`},
		{EmptyList, 200, 0, nil, `<ul class="files">`},
		{EmptyThenLoaded, 200, 0, []int{2}, `aria-busy="true"`},
		{EndlessSpinner, 200, 0, nil, `aria-busy="true"`},
		{SameNameOtherBytes, 200, 2, nil, `Invoice.pdf`},
		{TargetBlank, 200, 2, nil, `target="_blank"`},
		{Blob, 200, 2, nil, `href="#" download data-content="/api/orders/`},
		{OctetStream, 200, 1, nil, `/attachments/1"`},
		{ThirtyDocuments, 200, 30, nil, `Certificate 30.pdf`},
		{LookAlikes, 200, 1, nil, `/attachments/new"`},
		{HostileNames, 200, 21, nil, `&lt;img src=x onerror=alert(1)&gt;.pdf`},
		{Alert, 200, 2, nil, `"alert":"`},
		{Confirm, 200, 2, nil, `"confirm":"`},
		{ServerNames, 200, 8, nil, `icons.svg#save`},
		{ForeignHost, 200, 2, nil, `href="http://localhost:`},
		{Console, 200, 2, nil, `"console":6000`},
		{Polling, 200, 2, nil, `"poll":300`},
	} {
		t.Run(string(tt.variation), func(t *testing.T) {
			t.Parallel()
			s := open(t, quick(tt.variation))
			o := s.only()
			a := s.get(o.Path)
			if a.StatusCode != tt.status || !strings.Contains(string(a.body), tt.with) {
				t.Errorf("status %d, and %q is not in %s", a.StatusCode, tt.with, a.body)
			}
			if n := len(attachmentLink.FindAll(a.body, -1)); n != tt.links {
				t.Errorf("%d links of documents, not %d", n, tt.links)
			}
			p := planOf(t, a.body)
			if len(p.Waves) != len(tt.waves) {
				t.Fatalf("%d waves, not %d", len(p.Waves), len(tt.waves))
			}
			for i, n := range tt.waves {
				if len(p.Waves[i].Files) != n || p.Waves[i].After == 0 {
					t.Errorf("wave %d is %+v", i, p.Waves[i])
				}
			}
			if rows := bytes.Count(a.body, []byte(`<tr><td class="muted">`)); rows != len(o.Lines) {
				t.Errorf("%d rows, %d lines", rows, len(o.Lines))
			}
			for id, value := range map[string]string{
				"po-number": o.Number, "total": grouped(o.Total), "issued": o.Issued.Format("02/01/2006"), "currency": o.Currency,
			} {
				if !strings.Contains(string(a.body), `<dd id="`+id+`">`+value+`</dd>`) {
					t.Errorf("the page does not say that its %s is %s", id, value)
				}
			}
		})
	}
}

func TestBusyIsShownOnlyWhereTheListIsBusy(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Variations()...))
	for _, o := range s.Orders() {
		busy := o.Variation == EmptyThenLoaded || o.Variation == EndlessSpinner
		page := s.get(o.Path).body
		if bytes.Contains(page, []byte("aria-busy")) != busy {
			t.Errorf("%s: the page is busy: %v", o.Variation, !busy)
		}
		if none := bytes.Contains(page, []byte("no-attachments")); none != (o.Variation == NoneMarker) {
			t.Errorf("%s: the page says that there are none: %v", o.Variation, none)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		variation Variation
		status    int
		class     string
		number    bool
	}{
		{NotFound, http.StatusNotFound, "not-found", true},
		{SoftNotFound, http.StatusOK, "not-found", true},
		{AccessDenied, http.StatusForbidden, "denied", false},
	} {
		s := open(t, quick(tt.variation))
		o := s.only()
		a := s.get(o.Path)
		if a.StatusCode != tt.status || !bytes.Contains(a.body, []byte("notice "+tt.class)) {
			t.Errorf("%s: status %d, %s", tt.variation, a.StatusCode, a.body)
		}
		if bytes.Contains(a.body, []byte(o.Number)) != tt.number || bytes.Contains(a.body, []byte("<dl")) {
			t.Errorf("%s: it shows %s", tt.variation, a.body)
		}
	}
}

func TestWrongOrderShowsAnotherOne(t *testing.T) {
	t.Parallel()
	s := open(t, quick(WrongOrder))
	o := s.only()
	a := s.get(o.Path)
	if bytes.Contains(a.body, []byte(o.Number)) || !bytes.Contains(a.body, []byte(o.Shown)) {
		t.Errorf("asked for %s, to be shown is %s, the page is %s", o.Number, o.Shown, a.body)
	}
	shown, ok := s.Order(o.Shown)
	if !ok || len(shown.Documents) != 1 {
		t.Fatalf("the order shown has %d documents", len(shown.Documents))
	}
	if d := s.get(shown.Documents[0].Path); int64(len(d.body)) != shown.Documents[0].Size {
		t.Errorf("its document is %d bytes", len(d.body))
	}
	if n := s.Requests(o.Shown).Documents[shown.Documents[0].Name]; n != 1 {
		t.Errorf("its document was asked for %d times", n)
	}
}

func TestServerErrorsAreKeptForEachOrder(t *testing.T) {
	t.Parallel()
	s := open(t, quick(ServerErrors, ServerErrors))
	expect := func(o Order, status int, retryAfter string) {
		t.Helper()
		a := s.get(o.Path)
		if a.StatusCode != status || a.Header.Get("Retry-After") != retryAfter {
			t.Errorf("%s: status %d, Retry-After %q", o.Number, a.StatusCode, a.Header.Get("Retry-After"))
		}
	}
	first, second := s.Orders()[0], s.Orders()[1]
	expect(first, 500, "")
	expect(second, 500, "")
	expect(first, 503, "1")
	expect(first, 200, "")
	expect(first, 200, "")
	expect(second, 503, "1")
	s.Reset()
	expect(first, 500, "")
	if n := s.Requests(first.Number).Pages; n != 1 {
		t.Errorf("after the reset the page was asked for %d times", n)
	}
}

func TestListIsFetchedAsJSON(t *testing.T) {
	t.Parallel()
	s := open(t, quick(JSONMount))
	o := s.only()
	p := planOf(t, s.get(o.Path).body)
	var files []listedFile
	if err := json.Unmarshal(s.get(p.List).body, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[1].Href != o.Documents[1].Path || files[1].Name != o.Documents[1].Listed {
		t.Errorf("the list is %+v", files)
	}
	if n := s.Requests(o.Number).Lists; n != 1 {
		t.Errorf("the list was asked for %d times", n)
	}
}

func TestLookAlikesLeadToNoDocument(t *testing.T) {
	t.Parallel()
	s := open(t, quick(LookAlikes))
	o := s.only()
	page := string(s.get(o.Path).body)
	for _, path := range []string{o.Path + "/attachments/new", o.Path + "/attachments", "/help/attachments", "/apps/mobile"} {
		if !strings.Contains(page, `href="`+path+`"`) {
			t.Errorf("the page has no link to %s", path)
		}
		a := s.get(path)
		if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: status %d, %s", path, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
}

func TestForeignHostIsNeverThePagesOwn(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"127.0.0.1:81": "localhost:81", "localhost:81": "127.0.0.1:81", "[::1]:81": "localhost:81", "portal.test": "localhost:80",
	} {
		if got := foreignHost(host); got != want {
			t.Errorf("foreign to %s is %s, not %s", host, got, want)
		}
	}
}

func TestAssetsWeighWhatARealPortalDoes(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Several))
	page := s.get(s.only().Path).body
	weight, seen := map[string]int{}, map[string]bool{}
	for _, found := range assetLink.FindAllSubmatch(page, -1) {
		name := string(found[1])
		if seen[name] {
			continue
		}
		seen[name] = true
		a := s.get("/assets/" + name)
		if a.StatusCode != 200 || a.Header.Get("Content-Type") == "" {
			t.Errorf("%s: status %d, %q", name, a.StatusCode, a.Header.Get("Content-Type"))
		}
		weight[name[strings.LastIndex(name, "."):]] += len(a.body)
	}
	for extension, bounds := range map[string][2]int{
		".js": {150_000, 200_000}, ".css": {50_000, 90_000}, ".png": {40_000, 120_000}, ".svg": {500, 10_000},
	} {
		if n := weight[extension]; n < bounds[0] || n > bounds[1] {
			t.Errorf("%s: %d bytes, not between %v", extension, n, bounds)
		}
	}
	if n := s.Requests("").Assets; n != len(seen) {
		t.Errorf("%d assets were asked for, %d are counted", len(seen), n)
	}
}
