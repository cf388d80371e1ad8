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

// TestPagesThatProveNothing reads pages that are no order, or of which it is not
// proven what they list, with the built-in recipe.
func TestPagesThatProveNothing(t *testing.T) {
	t.Parallel()
	const number = "PO7000001"
	order := func(body string) string {
		return `<title>Order ` + number + `</title><h1>Order ` + number + `</h1>` + body
	}
	cases := map[string]struct {
		body string
		want tasks.Outcome
	}{
		"a sign-in page that names it":       {order(`<form><label>User <input name=u></label><input type=password></form>`), tasks.OutcomeSessionExpired},
		"told below a menu":                  {`<title>Acme</title><p>Acme Supplier Portal<p>Welcome, Tom Gallagher | Preferences | Log out<p>Home PO Search Ship<p>The requested order does not exist.`, tasks.OutcomeNotFound},
		"a search without a hit":             {`<h1>0 results for ` + number + `</h1>`, tasks.OutcomeNotFound},
		"a mention":                          {`<p>You asked for ` + number + `.</p>`, tasks.OutcomePartial},
		"another order that refers to it":    {`<title>PO99999999</title><h1>Purchase order PO99999999</h1><h2>Previous order: ` + number + `</h2><a href="/d.pdf">d.pdf</a>`, tasks.OutcomeIdentityMismatch},
		"another order in words":             {`<p>PO Number: PO99999999</p><p>Related order: ` + number + `</p><a href="/d.pdf">d.pdf</a>`, tasks.OutcomeIdentityMismatch},
		"the other kind of number":           {`<h1>Order PM7000001</h1>`, tasks.OutcomeIdentityMismatch},
		"the number among others":            {`<p>1 PO 7000001 2 pallets</p><dl><dt>PO</dt><dd>PO-7000001 3</dd></dl>`, tasks.OutcomeNoAttachments},
		"a longer number in two parts":       {`<h1>Order PO7000001<i>B</i><i>-2</i></h1><a href="/d.pdf">d.pdf</a>`, tasks.OutcomeIdentityMismatch},
		"a badge behind the number":          {`<h1><span>Order PO7000001</span><span>Open</span></h1><p>Supplier: ACME</p><a href="/d.pdf">d.pdf</a>`, tasks.OutcomeComplete},
		"a longer number":                    {`<h1>Order PO70000012</h1>`, tasks.OutcomeIdentityMismatch},
		"a year in the heading":              {`<h1>Orders 2026</h1><dl><dt>PO number</dt><dd>` + number + `</dd><dt>Supplier<dd>ACME</dl>`, tasks.OutcomeNoAttachments},
		"a heading about something else":     {order(`<h3>Budget owner not found</h3><a href="/d.pdf">d.pdf</a>`), tasks.OutcomeComplete},
		"names that begin like actions":      {order(`<a href="/d.pdf">Attachment 1.pdf</a><a href="/e.pdf">Addendum.pdf</a><a href="/Get.aspx?id=3">Newton.pdf</a>`), tasks.OutcomeComplete},
		"a frame of another host":            {order(`<iframe src="http://localhost:%[1]s/d.html" width=300 height=300></iframe>`), tasks.OutcomePartial},
		"another's, and ours as a reference": {`<h1>Purchase order PO7000002</h1><dl><dt>Supplier<dd>ACME</dl><table><tr><th>Reference PO</th><td>PO7000001</td></tr></table><a href="/d.pdf">d.pdf</a>`, tasks.OutcomeIdentityMismatch},
		"a form that hides its properties":   {order("<form>" + hiding + `<h2>Documents (1)</h2><ul><li><a href="/d.pdf">d.pdf</a></li></ul></form>`), tasks.OutcomeComplete},
		"a form that hides the page's title": {order(`<form name=title></form><form name=body></form><form name=querySelectorAll></form><a href="/d.pdf">d.pdf</a>`), tasks.OutcomeComplete},
		"a clock that stands still":          {order(`<script>performance.now = () => 1</script><div class=spinner>Loading</div>`), tasks.OutcomePartial},
		"an old timer":                       {order(`<script>setTimeout("document.body.insertAdjacentHTML('beforeend', '<a href=/d.pdf>d.pdf</a>')", 800)</script>`), tasks.OutcomeComplete},
		"a status that is polled":            {order(`<script>let n = 0; const poll = setInterval(() => fetch("/x").then(() => { if (++n == 12) { clearInterval(poll); document.body.insertAdjacentHTML("beforeend", "<a href=/d.pdf>d.pdf</a>") } }), 300)</script>`), tasks.OutcomeComplete},
		"a page that leads on":               {`<meta http-equiv=refresh content="1; url=/real"><p>Loading order ` + number + `</p>`, tasks.OutcomeComplete},
		"what comes into view":               {order(`<div style="height: 5000px"></div><p id=end>end</p><script>new IntersectionObserver((seen) => { if (seen[0].isIntersecting) end.innerHTML = "<a href=/d.pdf>d.pdf</a>" }).observe(end)</script>`), tasks.OutcomeComplete},
		"what comes when the mouse moves":    {order(`<script>addEventListener("mousemove", () => { const s = document.createElement("script"); s.src = "/documents.js"; document.head.append(s) }, {once: true})</script>`), tasks.OutcomeComplete},
		"a menu that opens for the mouse":    {order(`<nav id=m style="position: fixed; inset: 0 0 auto; height: 50px">Menu</nav><aside id=s style="position: fixed; inset: 0 auto; width: 30px"></aside><script>m.onmouseenter = s.onmouseenter = () => document.body.insertAdjacentHTML("beforeend", "<a href=/d.pdf>Terms.pdf</a>")</script>`), tasks.OutcomeNoAttachments},
		"an error in a document's place":     {order(`<a href="/error.pdf">error.pdf</a>`), tasks.OutcomeFailed},
		"a list that is cut off":             {order(`<script>fetch("/cut").catch(() => {})</script>`), tasks.OutcomePartial},
		"a list that is cut in the middle":   {order(`<a href="/d.pdf">d.pdf</a><script>fetch("/half").then((r) => r.text()).catch(() => {})</script>`), tasks.OutcomePartial},
		"a list that comes at a later try":   {order(`<script>const again = () => fetch("/once").catch(again); again()</script>`), tasks.OutcomeNoAttachments},
		"a request that the page gives up":   {order(`<script>const c = new AbortController(); fetch("/silent", {signal: c.signal}).catch(() => {}); c.abort()</script>`), tasks.OutcomeNoAttachments},
		"a list that is refused":             {order(`<script>fetch("/status/403")</script>`), tasks.OutcomePartial},
		"a list that fails":                  {order(`<script>fetch("/status/500")</script>`), tasks.OutcomePartial},
		"a list that is not there":           {order(`<script>fetch("/status/404")</script>`), tasks.OutcomeNoAttachments},
		"a counter elsewhere that is gone":   {order(`<script>fetch("http://localhost:%[1]s/cut", {mode: "no-cors"}).catch(() => {})</script>`), tasks.OutcomeNoAttachments},
		"a script that is a sign-in page":    {order(`<script src="/login.js"></script>`), tasks.OutcomePartial},
		"data without a byte":                {order(`<script>fetch("/empty").then((r) => r.text())</script>`), tasks.OutcomePartial},
		"documents in an embedded page":      {order(`<embed type="text/html" src="/real" width=300 height=90>`), tasks.OutcomePartial},
		"documents in an object's page":      {order(`<object type="text/html" data="/real" width=300 height=90></object>`), tasks.OutcomePartial},
		"a search for it":                    {`<title>Search orders</title><h1>Search orders</h1><label>Order number <input value="` + number + `"></label><p>Your search gave nothing.</p>`, tasks.OutcomeIdentityMismatch},
		"a number that was looked at":        {`<title>Portal</title><h1>Welcome</h1><aside><h2>Recently viewed</h2><dl><dt>Order number<dd>` + number + `</dl></aside>`, tasks.OutcomePartial},
		"an icon without a word":             {order(`<section><h2>Documents</h2><table><tr><td>Invoice of March<td><a href="/get?id=7"><i class="fa fa-download"></i></a></table></section>`), tasks.OutcomePartial},
		"a number of further ones":           {order(`<section><h2>Documents</h2><a href="/d.pdf">d.pdf</a> <button>+3</button></section>`), tasks.OutcomePartial},
		"further ones in French":             {order(`<section><h2>Documents</h2><a href="/d.pdf">d.pdf</a> <a href="#">Afficher la suite</a></section>`), tasks.OutcomePartial},
		"a closed shadow root":               {order(`<div id=h></div><script>h.attachShadow({mode: "closed"}).innerHTML = '<a href="/d.pdf">d.pdf</a>'</script>`), tasks.OutcomeComplete},
		"an error as a document":             {order(`<a href="/refusal.xml">order.xml</a>`), tasks.OutcomeFailed},
		"a cookie banner's document":         {order(`<div role=dialog>We use cookies. <a href="/privacy.pdf">privacy.pdf</a></div><a href="/d.pdf">d.pdf</a>`), tasks.OutcomeComplete},
		"no such order, in Swedish":          {`<h1>Ordern ` + number + ` hittades inte</h1>`, tasks.OutcomeNoAttachments},
		"loading, in Japanese":               {`<h1>発注 ` + number + `</h1><h2>添付ファイル</h2><p>読み込み中…</p>`, tasks.OutcomePartial},
		"a document that is not there yet":   {order(`<h2>Documents</h2><ul><li>Invoice of March <em>being prepared</em></ul>`), tasks.OutcomePartial},
		"a document in a viewer":             {order(`<h2>Documents</h2><embed src="/d.pdf" width=300 height=300>`), tasks.OutcomePartial},
		"documents to choose from":           {order(`<h2>Documents</h2><select><option value="">Choose<option value="/d.pdf">The order</select>`), tasks.OutcomePartial},
		"a part of a picture":                {order(`<h2>Documents</h2><img src="/x" usemap="#m"><map name=m><area shape=default href="/d.pdf" alt="The order"></map>`), tasks.OutcomePartial},
		"a file that is got":                 {order(`<h2>Messages</h2><p>See <a href="/getfile?id=7">quote v2</a></p>`), tasks.OutcomeComplete},
		"an attachment of a note":            {order(`<h2>Notes</h2><p>See <a href="/sys_attachment.do?sys_id=7e">quote v2</a></p>`), tasks.OutcomeComplete},
		"an attachment's content":            {order(`<h2>Notes</h2><p>See <a href="/attachment/12/content">quote v2</a></p>`), tasks.OutcomeComplete},
		"a dialog of a session that is over": {order(`<dl><dt>Supplier<dd>ACME<dt>Total<dd>5.00<dt>Buyer<dd>Ann<dt>Terms<dd>30 days<dt>Site<dd>Mill</dl><h2>Documents</h2><div role=dialog>Your session has expired. Please sign in again.</div>`), tasks.OutcomePartial},
		"a dialog that warns":                {order(`<h2>Documents</h2><div role=dialog>You will be logged out in 2 minutes.</div>`), tasks.OutcomeNoAttachments},
		"a survey below its heading":         {order(`<h2>Wie zufrieden sind Sie mit uns?</h2><form><button>1</button><button>2</button></form>`), tasks.OutcomeFailed},
		"an unknown wall below its heading":  {order(`<h2>Blorp the frobnicator</h2><form><button>OK</button></form>`), tasks.OutcomePartial},
		"expired, above none":                {order(`<p>Ihre Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.</p><h2>Dokumente</h2><p>Keine Dokumente</p>`), tasks.OutcomeSessionExpired},
		"no such order, above none":          {order(`<p>This order has been deleted by the buyer.</p><h2>Documents (0)</h2><p>No documents</p>`), tasks.OutcomePartial},
		"in Hungarian, above none":           {order(`<p>A munkamenet lejárt. Kérjük, jelentkezzen be újra.</p><h2>Documents</h2><p>No documents</p>`), tasks.OutcomePartial},
		"in Japanese, above none":            {order(`<p>セッションの有効期限が切れました。</p><h2>Documents</h2><p>No documents</p>`), tasks.OutcomePartial},
		"a wall that its title alone names":  {`<title>Order ` + number + `</title><nav>Home</nav><h1>Tell us more</h1><form><button>Go on</button></form>`, tasks.OutcomePartial},
		"data of the account":                {`<title>Order ` + number + `</title><h1>Blorp</h1><form><label>Name <input value="Jane Doe"></label><label>Phone <input value="+49 30 1"></label><button>Blorp</button></form><p>Blorp: 0800 1234</p><p>Mail: a@b.example</p>`, tasks.OutcomePartial},
		"a name first":                       {`<title>Order ` + number + `</title><h1>Welcome</h1><form><label>Account <input type=email></label><button>Next</button></form>`, tasks.OutcomeSessionExpired},
		"a name first, without the number":   {`<h1>Blorp ID</h1><form><input name=username><button>Blorp</button></form>`, tasks.OutcomeSessionExpired},
		"a locked account":                   {`<h1>Votre compte a été bloqué</h1>`, tasks.OutcomeFailed},
		"an organisation to choose":          {`<h1>Elija su organización</h1><button>Acme</button>`, tasks.OutcomeFailed},
		"an application's consent":           {`<h1>Permissions requested</h1><button>Allow</button>`, tasks.OutcomeFailed},
		"closed at night":                    {`<h1>Access is limited to business hours</h1>`, tasks.OutcomeFailed},
		"such words on an order":             {order(`<div class=alert>How satisfied are you with our portal?</div><p>Your account has been locked for returns.</p><dl><dt>Supplier<dd>ACME<dt>Terms<dd>Stay signed in</dl><a href="/d.pdf">d.pdf</a><footer><form>News <input type=email><button>Subscribe</button></form></footer>`), tasks.OutcomeComplete},
		"such words, and no documents":       {order(`<div class=alert>Scheduled maintenance on Sunday.</div><p>Supplier: ACME</p><p>Total: 5.00</p>`), tasks.OutcomeNoAttachments},
		"ten thousand rows":                  {order(`<a href="/d.pdf">d.pdf</a><table id=t></table><script>t.innerHTML = "<tr><td>a<td>b".repeat(10000)</script>`), tasks.OutcomeComplete},
	}
	var port string
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><body>`, strings.ReplaceAll(body, "%[1]s", port))
	}
	mux.HandleFunc("/case/{name}", func(w http.ResponseWriter, r *http.Request) { serve(w, cases[r.PathValue("name")].body) })
	mux.HandleFunc("/real", func(w http.ResponseWriter, _ *http.Request) { serve(w, order(`<a href="/d.pdf">d.pdf</a>`)) })
	mux.HandleFunc("/documents.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "document.body.insertAdjacentHTML('beforeend', '<a href=/d.pdf>d.pdf</a>')")
	})
	mux.HandleFunc("/error.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "Your session has expired.")
	})
	mux.HandleFunc("/login.js", func(w http.ResponseWriter, _ *http.Request) { serve(w, "<form><input type=password></form>") })
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "application/json") })
	mux.HandleFunc("/refusal.xml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>")
	})
	cut := func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close() // in the face of who asks
		}
	}
	mux.HandleFunc("/cut", cut)
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		if code, err := strconv.Atoi(r.PathValue("code")); err == nil {
			w.WriteHeader(code)
		}
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/half", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "half")
		_ = http.NewResponseController(w).Flush() // so that the head is on its way
		cut(w, r)
	})
	var asked atomic.Int32
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 3 {
			cut(w, r)
		}
	})
	mux.HandleFunc("/d.html", func(w http.ResponseWriter, _ *http.Request) { serve(w, "documents") })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.4 content")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	port = server.URL[strings.LastIndex(server.URL, ":")+1:]
	recipe := scrape.AutoRecipe()
	recipe.Ready.Timeout = patience
	b := newBench(t, recipe)
	policy := tasks.DefaultPolicy()
	policy.Retries = 0
	for _, name := range oneIn(2, kinds(cases, "a sign-in page that names it", "told below a menu", "a mention", "another order that refers to it", "the number among others",
		"a longer number in two parts", "a frame of another host", "a form that hides the page's title", "a clock that stands still",
		"an old timer", "a page that leads on", "what comes into view", "a menu that opens for the mouse", "an error in a document's place",
		"a list that is cut in the middle", "a list that comes at a later try",
		"a counter elsewhere that is gone", "a script that is a sign-in page", "documents in an object's page", "a search for it",
		"a number of further ones", "a closed shadow root", "an error as a document", "a cookie banner's document", "loading, in Japanese", "a document in a viewer", "a part of a picture", "a dialog of a session that is over", "an unknown wall below its heading", "data of the account", "a name first, without the number", "such words on an order", "ten thousand rows")) {
		c := cases[name]
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: number, Digits: "7000001", Dir: "x" + uuid.NewString(), URL: server.URL + "/case/" + name}}
		res, err := b.scraper.Do(t.Context(), task)
		d := policy.After(task, res, err, time.Now())
		if d.Outcome != c.want {
			t.Errorf("%s: got %s, want %s (%v)", name, d.Outcome, c.want, failureText(d))
		}
		if strings.Contains(failureText(d), "Log out") {
			t.Errorf("%s: it quotes the menu: %s", name, failureText(d))
		}
	}
}
