package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// unloadable is a script of a page, and what is then said of the page to be missing, or "".
type unloadable struct{ script, says string }

// TestWhatAPageCouldNotLoad reads pages that list a document and ask for more, which they
// get or not: the order is complete only where nothing of it may be missing.
func TestWhatAPageCouldNotLoad(t *testing.T) {
	t.Parallel()
	cases := map[string]unloadable{
		"nothing":                         {``, ""},
		"refused":                         {`fetch("/status/403")`, "GET /status/403, which was answered with status 403"},
		"refused, by XMLHttpRequest":      {`const x = new XMLHttpRequest(); x.open("POST", "/status/500"); x.send("a")`, "POST /status/500, which was answered with status 500"},
		"gone":                            {`fetch("/status/404"); fetch("/status/410"); fetch("/status/400")`, ""},
		"cut off":                         {`fetch("/cut").catch(() => {})`, "GET /cut, which was cut off"},
		"a script":                        {`const s = document.createElement("script"); s.src = "/status/503"; document.head.append(s)`, "GET /status/503"},
		"a frame":                         {`const f = document.createElement("iframe"); f.src = "/status/502"; document.body.append(f)`, "GET /status/502"},
		"a picture and a style":           {`new Image().src = "/status/500"; document.head.insertAdjacentHTML("beforeend", "<link rel=stylesheet href=/status/500>")`, ""},
		"a beacon":                        {`navigator.sendBeacon("/status/500", "x")`, ""},
		"never answered":                  {`fetch("/silent")`, "GET /silent, which had no answer after"},
		"never answered, after a few":     {`let n = 0; const p = setInterval(() => { if (++n < 4) fetch("/ok"); else { clearInterval(p); fetch("/silent") } }, 100)`, "GET /silent"},
		"never answered, beside polls":    {`fetch("/silent"); let n = 0; const p = setInterval(() => { if (++n < 8) fetch("/ok"); else clearInterval(p) }, 100)`, "GET /silent"},
		"given up by the page":            {`const c = new AbortController(); fetch("/silent", { signal: c.signal }).catch(() => {}); setTimeout(() => c.abort(), 50)`, ""},
		"another host's":                  {`fetch("%[1]s/status/500", { mode: "no-cors" })`, ""},
		"a second try":                    {`fetch("/second?a").then(() => fetch("/second?a"))`, ""},
		"a second try past caches":        {`fetch("/second?b&_=1700000000001").then(() => fetch("/second?b&_=1700000000002"))`, ""},
		"a second try that takes a while": {`fetch("/second?late").then(() => fetch("/second?late"))`, ""},
		"a second try at something else":  {`fetch("/second?page=1").then(() => fetch("/ok?page=2"))`, "GET /second"},
		"another body is no second try":   {`fetch("/second?c", { method: "POST", body: "documents" }).then(() => fetch("/second?c", { method: "POST", body: "menu" }))`, "POST /second"},
		"a sign-in form":                  {`fetch("/login").then((r) => r.ok)`, "GET /login, which was answered with a sign-in form"},
		"a sign-in form, led to":          {`fetch("/to-login").then((r) => r.text())`, "GET /to-login, which was answered with a sign-in form"},
		"a sign-in form, XMLHttpRequest":  {`const x = new XMLHttpRequest(); x.open("GET", "/login"); x.send()`, "GET /login, which was answered with a sign-in form"},
		"a sign-in form in a frame":       {`const f = document.createElement("iframe"); f.src = "/login"; document.body.append(f)`, "GET /login, which was answered with a sign-in form"},
		"a page":                          {`fetch("/page").then((r) => r.text())`, ""},
		"JSON without a byte":             {`fetch("/json?").then((r) => r.text())`, "GET /json, which was answered with an empty body in place of JSON"},
		"broken JSON":                     {`fetch("/json?" + encodeURIComponent('{"a":')).then((r) => r.json()).catch(() => {})`, "GET /json, which was answered with broken JSON"},
		"broken JSON, as a text":          {`fetch("/json?" + encodeURIComponent('{"a":')).then((r) => r.text())`, "broken JSON"},
		"broken JSON, by XMLHttpRequest":  {`const x = new XMLHttpRequest(); x.open("GET", "/json?" + encodeURIComponent('{"documents": [')); x.responseType = "json"; x.send()`, "broken JSON"},
		"odd JSON, read in its own way":   {`fetch("/json?" + encodeURIComponent('cb({"a": [1, 2]})')).then((r) => r.text())`, ""},
		"odd JSON, asked for as JSON":     {`fetch("/json?" + encodeURIComponent('{"a": NaN}')).then((r) => r.json()).catch(() => {})`, "broken JSON"},
		"odd JSON, cut":                   {`fetch("/json?" + encodeURIComponent('[{"a": 1}')).then((r) => r.text())`, "broken JSON"},
		"broken JSON, then whole":         {`fetch("/mended").then(() => fetch("/mended"))`, ""},
		"broken JSON of a page that lies": {`JSON.parse = () => ({}); Response.prototype.clone = () => { throw 1 }; RegExp.prototype.test = () => false; fetch("/json?" + encodeURIComponent('{"a":'))`, "broken JSON"},
		"JSON of all kinds":               {`for (const t of ["null", "0", ")]}',\n{}", "while(1);[]", "{}\n{}\n", " [1] "]) fetch("/json?" + encodeURIComponent(t)).then((r) => r.text())`, ""},
		"JSON null, by XMLHttpRequest":    {`const x = new XMLHttpRequest(); x.open("GET", "/json?null"); x.responseType = "json"; x.send()`, ""},
		"ignored":                         {`fetch("/api/telemetry/1?x=2"); fetch("/silent?telemetry")`, ""},
		"ignored by its host":             {`fetch("/api/stats/503")`, ""},
		"nearly ignored":                  {`fetch("/x/api/telemetry")`, "GET /x/api/telemetry"},
		"a poll that fails now and then":  {`let n = 0; const p = setInterval(() => { if (++n > 13) clearInterval(p); else fetch("/poll") }, 60)`, ""},
		"a poll that changes the page":    {`let n = 0; const p = setInterval(() => { if (++n > 12) clearInterval(p); else fetch("/poll").then((r) => r.text()).then((t) => document.body.insertAdjacentHTML("beforeend", "<i></i>")) }, 60)`, "GET /poll"},
		"a sign-in form, as JSON":         {`const x = new XMLHttpRequest(); x.open("GET", "/login"); x.responseType = "json"; x.send()`, "GET /login, which was answered with a web page in place of JSON"},
		"a sign-in form, as bytes":        {`for (const t of ["arraybuffer"]) { const x = new XMLHttpRequest(); x.open("GET", "/login"); x.responseType = t; x.send() }`, "GET /login, which was answered with a sign-in form"},
		"a sign-in form, as a blob":       {`const x = new XMLHttpRequest(); x.open("GET", "/login"); x.responseType = "blob"; x.send()`, "GET /login, which was answered with a sign-in form"},
		"a sign-in form, as a document":   {`const x = new XMLHttpRequest(); x.open("GET", "/login"); x.responseType = "document"; x.send()`, "GET /login, which was answered with a sign-in form"},
		"a web page, as JSON":             {`fetch("/page").then((r) => r.json()).catch(() => {})`, "GET /page, which was answered with a web page in place of JSON"},
		"a web page, as JSON, late":       {`fetch("/page").then(async (r) => { await new Promise((o) => setTimeout(o, 300)); r.json().catch(() => {}) })`, "GET /page, which was answered with a web page in place of JSON"},
		"a web page, accepting JSON":      {`fetch(new Request("/page", { headers: { accept: "application/json" } }))`, "GET /page, which was answered with a web page in place of JSON"},
		"a web page, wanting JSON":        {`fetch("/page", { headers: { Accept: "application/json" } })`, "GET /page, which was answered with a web page in place of JSON"},
		"a web page, XMLHttpRequest":      {`const x = new XMLHttpRequest(); x.open("GET", "/page"); x.setRequestHeader("Accept", "application/json, text/plain, */*"); x.send()`, "GET /page, which was answered with a web page in place of JSON"},
		"a name first, in a frame":        {`const f = document.createElement("iframe"); f.src = "/name-first"; document.body.append(f)`, "GET /name-first, which was answered with a sign-in form"},
		"a name first, as a text":         {`fetch("/name-first").then((r) => r.text())`, "GET /name-first, which was answered with a sign-in form"},
		"a page in a frame":               {`const f = document.createElement("iframe"); f.src = "/form"; document.body.append(f)`, ""},
		"JSON that is called a page":      {`fetch("/json-page", { headers: { accept: "application/json" } }).then((r) => r.json()); const x = new XMLHttpRequest(); x.open("GET", "/json-page"); x.responseType = "json"; x.send()`, ""},
		"a page, then JSON":               {`fetch("/page-first").then((r) => r.json()).catch(() => fetch("/page-first").then((r) => r.json()))`, ""},
		"a stream":                        {`new EventSource("/events")`, ""},
	}
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			url := serveUnloadable(t, cases)
			patient := scrape.AutoRecipe()
			patient.Mode, patient.Ready.Clock, patient.Ready.Timeout = scrape.ModeRender, clock, patience
			patient.Ready.Ignore = []string{"/api/telemetry*", strings.TrimPrefix(url, "http://") + "/api/stats/*", "/silent?telemetry"}
			brief := *patient
			brief.Ready.Timeout = 5 * time.Second
			whole := newBench(t, patient)
			cut := whole.with(scrape.NewPortal(&brief, nil))
			for _, name := range rows(clock, cases, "refused", "refused, by XMLHttpRequest", "gone", "cut off", "a script", "a picture and a style", "a beacon", "never answered", "given up by the page",
				"another host's", "a second try that takes a while", "another body is no second try", "a sign-in form, led to", "a sign-in form in a frame", "JSON without a byte",
				"broken JSON, by XMLHttpRequest", "broken JSON, then whole", "odd JSON, read in its own way", "odd JSON, asked for as JSON", "odd JSON, cut", "broken JSON of a page that lies", "JSON of all kinds", "ignored by its host", "nearly ignored",
				"a poll that fails now and then", "a poll that changes the page", "a sign-in form, as a blob", "a web page, as JSON, late", "a web page, accepting JSON",
				"a name first, in a frame", "a page, then JSON", "a stream") {
				c, b := cases[name], whole
				if strings.Contains(c.script, `"/silent"`) { // which is waited for in vain
					b = cut
				}
				const number = "PO7000001"
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: number[2:], Dir: uuid.NewString(),
					URL: url + "/case/" + strings.ReplaceAll(name, " ", "%20") + "/" + number}}
				res, err := b.scraper.Do(t.Context(), task)
				switch {
				case err != nil:
					t.Errorf("%s: %v", name, err)
				case c.says == "" && res.Outcome != tasks.OutcomeComplete:
					t.Errorf("%s: it is %s: %v", name, res.Outcome, res.Missing)
				case c.says != "" && (res.Outcome != tasks.OutcomePartial || res.Missing.Class != tasks.ClassPageIncomplete ||
					!strings.Contains(res.Missing.Error(), c.says) || !strings.Contains(res.Missing.Error(), "ready.ignore")):
					t.Errorf("%s: it is %s: %v, want %q", name, res.Outcome, res.Missing, c.says)
				}
			}
		})
	}
}

// serveUnloadable serves a page for each case, and what they ask for. It counts the requests
// of one page at a time.
func serveUnloadable(t *testing.T, cases map[string]unloadable) (url string) {
	t.Helper()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		asked.Store(0)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1><a href=data:text/plain,text download>x.txt</a><script>%[2]s</script>`,
			r.PathValue("number"), strings.ReplaceAll(cases[r.PathValue("name")].script, "%[1]s", other.URL))
	})
	cut := func(w http.ResponseWriter) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // in the face of who asks
		}
	}
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.WriteHeader(code)
	})
	mux.HandleFunc("/ok", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) { cut(w) })
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/second", func(w http.ResponseWriter, r *http.Request) {
		switch again := asked.Add(1) > 1; {
		case !again:
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.RawQuery == "late":
			_ = http.NewResponseController(w).Flush() // where it fails, nobody waits
			<-time.After(300 * time.Millisecond)
		}
	})
	mux.HandleFunc("/poll", func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > 11 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	page := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, body)
		}
	}
	mux.HandleFunc("/login", page(`<!doctype html><form><input name=user><input name=p type="password"></form>`))
	mux.HandleFunc("/name-first", page(`<!doctype html><title>Sign in</title><form><input name=who autocomplete="section-a username"><button>Next</button></form>`))
	mux.HandleFunc("/form", page(`<!doctype html><title>Search</title><form><input name=q autocomplete=on><button>Go</button></form>`))
	mux.HandleFunc("/json-page", page(`{"a": 1}`))
	mux.HandleFunc("/page-first", func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			page("<p>Wait</p>")(w, r)
			return
		}
		page("{}")(w, r)
	})
	mux.HandleFunc("/page", page(`<!doctype html><p>Your password was changed.`))
	mux.Handle("/to-login", http.RedirectHandler("/login", http.StatusFound))
	data := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprint(w, text)
	}
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		text, _, _ := strings.Cut(r.URL.RawQuery, "=")
		for name := range r.URL.Query() {
			text = name
		}
		data(w, text)
	})
	mux.HandleFunc("/mended", func(w http.ResponseWriter, _ *http.Request) {
		data(w, strings.Repeat("[", 1)+strings.Repeat("]", min(1, int(asked.Add(1))-1)))
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush() // where it fails, nobody listens
		<-r.Context().Done()
	})
	for _, path := range []string{"/api/telemetry/", "/api/stats/", "/x/api/telemetry"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	return server.URL
}
