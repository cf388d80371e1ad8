package scrape_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// unsaid are the parts of pages on which a step does something, by how it says so: /did is asked for then. A step
// that does more than show a page has to say so itself.
var unsaid = map[string]struct {
	part, step string
	did        bool
	paste      string // of the message, where it is refused
}{
	"a selector":              {`<form method=post action=DID><button id=go>Accept order</button></form>`, `{click: "#go"}`, false, `click: {selector: "#go", says: "accept order"}`},
	"its text":                {`<form method=post action=DID><button>Accept order</button></form>`, `{click: {text: Accept order}}`, false, `text: "Accept order", says: "accept order"`},
	"text and selector":       {`<form method=post action=DID><button id=del title="Delete order">Delete</button></form>`, `{click: {selector: "#del", text: Delete}}`, false, `says: "delete"`},
	"a part of its text":      {`<form method=post action=DID><button>Accept order</button></form>`, `{click: {text: Accept, part: true}}`, false, `says: "accept order"`},
	"Enter in its form":       {`<form method=post action=DID><input id=q name=a><input type=submit value="Pay now"></form>`, `{press: {selector: "#q", key: Enter}}`, false, `press: {selector: "#q", key: "Enter", says: "pay now"}`},
	"Enter where the focus":   {`<form method=post action=DID><input autofocus name=a><button>Confirm</button></form>`, `{press: Enter}`, false, `press: {key: "Enter", says: "confirm"}`},
	"Space on its button":     {`<form method=post action=DID><button id=go>Approve</button></form>`, `{press: {selector: "#go", key: Space}}`, false, `says: "approve"`},
	"a picture in it":         {`<form method=post action=DID><button id=go><img alt="Delete order" width=9 height=9></button></form>`, `{click: "#go"}`, false, `says: "delete order"`},
	"around what is clicked":  {`<form method=post action=DID><button>Cancel <b id=go>7</b></button></form>`, `{click: "#go"}`, false, `says: "cancel 7"`},
	"within what is clicked":  {`<form method=post action=DID id=go style="display:grid"><button>Reject</button></form>`, `{click: "#go"}`, false, `says: "reject"`},
	"no button at all":        {`<div id=go onclick="fetch('DID', {method: 'post'})">Bestellung bestätigen</div>`, `{click: "#go"}`, false, `says: "bestellung bestätigen"`},
	"in a frame":              {`<iframe srcdoc="<form method=post action=DID target=_top><button id=go>Accept</button></form>"></iframe>`, `{click: {selector: "#go", frame: iframe}}`, false, `frame: "iframe", says: "accept"`},
	"a box to tick":           {`<label>Confirm receipt <input type=checkbox id=agree onclick="fetch('DID', {method: 'post'})"></label>`, `{click: "#agree"}`, false, `says: "confirm receipt"`},
	"a form without one":      {`<form method=post action="DID/approve"><input id=q name=a></form>`, `{press: {selector: "#q", key: Enter}}`, false, `says: `},
	"another one says":        {`<form method=post action=DID><button id=go>Delete order</button></form>`, `{click: {selector: "#go", says: Accept order}}`, false, `says: "delete order"`},
	"a dialog's order":        {`<div role=dialog><button id=go class=cancel onclick="fetch('DID', {method: 'post'})">Cancel order</button></div>`, `{click: "#go"}`, false, `says: "cancel order"`},
	"a page with cookies":     {`<div class="app cookies-accepted"><button id=go onclick="fetch('DID', {method: 'post'})">Accept order</button></div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a shell with cookies":    {`<div class="app cookies-accepted" style="position:fixed;inset:0"><main><button id=go onclick="fetch('DID', {method: 'post'})">Accept order</button></main></div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a platform's page":       {`<div class="didomi-ready"><nav>Orders</nav><button id=go onclick="fetch('DID', {method: 'post'})">Accept order</button></div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"an order's consent":      {`<dialog open class=consent-dialog><h2>Your consent to PO1001</h2><button id=go onclick="fetch('DID', {method: 'post'})">Confirm</button></dialog>`, `{click: "#go"}`, false, `says: "confirm"`},
	"an order of cookies":     {`<dialog open><h2>Order PO1001</h2><p>Cookies 200 g</p><button id=go onclick="fetch('DID', {method: 'post'})">Confirm</button></dialog>`, `{click: "#go"}`, false, `says: "confirm"`},
	"a bar with a quantity":   {`<div class=cookie-bar style="position:fixed"><input type=number value=2><button id=go onclick="fetch('DID', {method: 'post'})">Confirm</button></div>`, `{click: "#go"}`, false, `says: "confirm"`},
	"a bar that sends":        {`<div class=cookie-bar style="position:fixed"><form method=post action=DID><button id=go>Confirm</button></form></div>`, `{click: "#go"}`, false, `says: "confirm"`},
	"a search that pays":      {`<form action="DID/pay"><input type=search name=a><button id=go>Submit</button></form>`, `{click: "#go"}`, false, `says: "submit"`},
	"written by a style":      {`<style>#go::before{content:"Accept order"}</style><button id=go onclick="fetch('DID', {method: 'post'})"></button>`, `{click: "#go"}`, false, `says: "accept order"`},
	"in part by a style":      {`<style>#go::before{content:"Accept "}</style><button id=go onclick="fetch('DID', {method: 'post'})">order</button>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a label elsewhere":       {`<span id=l>Accept order</span><button id=go aria-labelledby=l onclick="fetch('DID', {method: 'post'})"><i>&#x2713;</i></button>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a space without width":   {`<button id=go onclick="fetch('DID', {method: 'post'})">Ac&#x200b;ce&#x2060;p&shy;t order</button>`, `{click: "#go"}`, false, `says: "accept order"`},
	"another script":          {`<button id=go onclick="fetch('DID', {method: 'post'})">Аccept order</button>`, `{click: "#go"}`, false, `says: "аccept order"`},
	"a drawing's title":       {`<button id=go onclick="fetch('DID', {method: 'post'})"><svg width=20 height=20><title>Accept order</title><rect width=20 height=20 /></svg></button>`, `{click: "#go"}`, false, `says: "accept order"`},
	"its letters":             {`<button id=go onclick="fetch('DID', {method: 'post'})" style="display:flex"><b>A</b><b>c</b><b>ce</b><b>pt</b></button>`, `{click: "#go"}`, false, `says: "a c ce pt"`},
	"a number before":         {`<button id=go onclick="fetch('DID', {method: 'post'})">1. Accept order</button>`, `{click: "#go"}`, false, `says: "1. accept order"`},
	"a closed shadow root":    {`<x-b id=go onclick="fetch('DID', {method: 'post'})"></x-b><script>customElements.define("x-b",class extends HTMLElement{constructor(){super();this.attachShadow({mode:"closed"}).innerHTML="<span>Accept order</span>"}})</script>`, `{click: "#go"}`, false, `says: "accept order"`},
	"two closed roots":        {`<x-b id=go style="display:block;width:300px"></x-b><script>const inside=(el,html)=>{const root=el.attachShadow({mode:"closed"});root.innerHTML=html;return root};inside(inside(go,"<div><p>Orders</p></div>").querySelector("div"),` + "`" + `<style>p{margin:0}</style><p style="height:80px">Orders</p><button style="width:300px;height:200px">Accept</button><p style="height:80px">End` + "`" + `).querySelector("button").onclick=()=>fetch("DID",{method:"post"})</script>`, `{click: "#go"}`, false, `says: "accept"`},
	"slotted text":            {`<x-s id=go><span>Accept order</span></x-s><script>go.attachShadow({mode:"closed"}).innerHTML="<button><slot></slot></button>";go.onclick=()=>fetch("DID",{method:"post"})</script>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a tip around":            {`<span title="Accept order"><img id=go alt="" width=20 height=20 onclick="fetch('DID', {method: 'post'})" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="></span>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a drawing in no control": {`<div id=go onclick="fetch('DID', {method: 'post'})"><svg width=20 height=20><title>Accept order</title><rect width=20 height=20 /></svg></div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a drawing":               {`<canvas id=go width=90 height=20 onclick="fetch('DID', {method: 'post'})"></canvas>`, `{click: "#go"}`, false, `no text on <canvas id=`},
	"nothing on it":           {`<input type=button id=go value="" onclick="fetch('DID', {method: 'post'})" style="width:90px;height:20px">`, `{click: "#go"}`, false, `no text on <input id=`},
	"a picture of a font":     {`<style>#go::before{content:"\e001"}</style><button id=go onclick="fetch('DID', {method: 'post'})"></button>`, `{click: "#go"}`, false, `no text on <button id=`},
	"another line":            {`<div style="width:400px"><span id=go>Open<br><button style="width:380px;height:30px" onclick="fetch('DID', {method: 'post'})">Accept order</button><br>a<br>b<br>c<br><button>Open</button><br>e<br>f<br>g</span></div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"no control in it":        {`<div id=go>Order<div style="height:90px" onclick="fetch('DID', {method: 'post'})">Accept order</div>of today</div>`, `{click: "#go"}`, false, `says: "accept order"`},
	"a key on no button":      {`<div id=go tabindex=0 onkeydown="fetch('DID', {method: 'post'})">Accept order</div>`, `{press: {selector: "#go", key: Enter}}`, false, `says: "accept order"`},
	"a dialog's form":         {`<dialog open><form method=dialog onsubmit="fetch('DID', {method: 'post'})"><button id=go>Accept</button></form></dialog>`, `{click: "#go"}`, false, `says: "accept"`},
	"a dialog's class":        {`<div role=dialog><button type=button class="btn-dismiss close-order" name=cancel data-dismiss=modal id=go onclick="fetch('DID', {method: 'post'})">Submit</button></div>`, `{click: "#go"}`, false, `says: "submit"`},
	"a dialog's label":        {`<div role=dialog><button type=button aria-label=Close id=go onclick="fetch('DID', {method: 'post'})">Delete</button></div>`, `{click: "#go"}`, false, `says: "delete"`},
	"two that differ":         {`<button id=go aria-label="Accept order" onclick="fetch('DID', {method: 'post'})">Delete</button>`, `{click: {selector: "#go", says: Delete}}`, false, `says: "accept order"`},

	"it says so":              {`<form method=post action=DID><button id=go>Accept  Order</button></form>`, `{click: {selector: "#go", says: "accept order"}}`, true, ""},
	"Enter says so":           {`<form method=post action=DID><input id=q name=a><button>Send</button></form>`, `{press: {selector: "#q", key: Enter, says: Send}}`, true, ""},
	"a part says so":          {`<form method=post action=DID><button>Accept order</button></form>`, `{click: {text: Accept, part: true, says: Accept order}}`, true, ""},
	"another button":          {`<form method=post action=DID><button id=go>Show documents</button></form>`, `{click: "#go"}`, true, ""},
	"a search by GET":         {`<form method=get action=DID><input name=q id=q><button id=go>Submit</button></form>`, `{press: {selector: "#q", key: Enter}}`, true, ""},
	"a marked search":         {`<form role=search action=DID><input name=q><button id=go>Send</button></form>`, `{click: "#go"}`, true, ""},
	"a cookie banner":         {`<div id=cookie-banner style="position:fixed;bottom:0"><button id=go onclick="fetch('DID')">Accept all</button></div>`, `{click: "#go"}`, true, ""},
	"a cookie dialog":         {`<dialog open><h2>Cookies</h2><label><input type=checkbox> Statistics</label><button id=go onclick="fetch('DID')">Accept all</button></dialog>`, `{click: "#go"}`, true, ""},
	"a cookie region":         {`<section aria-label="Cookies on this site"><button id=go onclick="fetch('DID')">Reject all</button></section>`, `{click: "#go"}`, true, ""},
	"a consent bar":           {`<div class=consent-bar style="position:sticky;top:0">We and our partners use cookies. <button id=go onclick="fetch('DID')">Accept</button></div>`, `{click: "#go"}`, true, ""},
	"a platform's":            {`<div id=usercentrics-root><input type=search><button id=go onclick="fetch('DID')">Accept</button></div>`, `{click: "#go"}`, true, ""},
	"a dialog's end":          {`<div role=dialog><button id=go type=button onclick="fetch('DID')">Cancel</button></div>`, `{click: "#go"}`, true, ""},
	"it says one of two":      {`<button id=go title="Delete order" onclick="fetch('DID', {method: 'post'})">Delete</button>`, `{click: {selector: "#go", says: delete}}`, true, ""},
	"no text, and it says so": {`<canvas id=go width=90 height=20 onclick="fetch('DID', {method: 'post'})"></canvas>`, `{click: {selector: "#go", says: "accept order"}}`, true, ""},
	"a dialog's cross":        {`<div role=dialog><button id=go type=button aria-label=Close onclick="fetch('DID', {method: 'post'})">×</button></div>`, `{click: "#go"}`, true, ""},
	"a dialog's own end":      {`<dialog open><form method=dialog><button id=go onclick="fetch('DID', {method: 'post'})">Schließen</button></form></dialog>`, `{click: "#go"}`, true, ""},
	"a card":                  {`<div id=go style="width:400px;height:200px;cursor:pointer" onclick="fetch('DID', {method: 'post'})">PO1001 <button>Accept</button></div>`, `{click: "#go"}`, true, ""},
	"a part that opens":       {`<details><summary id=go onclick="fetch('DID', {method: 'post'})"></summary>Lines</details>`, `{click: "#go"}`, true, ""},
	"a menu":                  {`<button id=go aria-expanded=false onclick="fetch('DID', {method: 'post'})"><svg width=20 height=20><rect width=20 height=20 /></svg></button>`, `{click: "#go"}`, true, ""},
	"a picture in a row":      {`<div style="cursor:pointer" onclick="fetch('DID', {method: 'post'})"><i id=go style="display:inline-block;width:9px;height:9px"></i> Lines</div>`, `{click: "#go"}`, true, ""},
	"a sign":                  {`<button id=go onclick="fetch('DID', {method: 'post'})">+</button>`, `{click: "#go"}`, true, ""},
	"a picture that leads on": {`<a href="/did/a picture that leads on"><img id=go width=20 height=20></a>`, `{click: "#go"}`, true, ""},
	"a row":                   {`<div id=go onclick="fetch('DID', {method: 'post'})">PO1001<br>Close<br>Open</div>`, `{click: "#go"}`, true, ""},
	"other scripts":           {`<button id=go onclick="fetch('DID', {method: 'post'})">PDFを開く</button>`, `{click: "#go"}`, true, ""},
	"a mark in a word":        {`<button id=go onclick="fetch('DID', {method: 'post'})"><mark>Sign</mark>atures</button>`, `{click: "#go"}`, true, ""},
	"a button that counts":    {`<button id=go onclick="fetch('DID', {method: 'post'})">Lines</button><script>setTimeout(()=>{go.textContent="Lines (3)"},50)</script>`, `{click: "#go"}`, true, ""},
	"a field's label":         {`<label>Cancel reason <input id=q onfocus="fetch('DID')"></label>`, `{click: "#q"}`, true, ""},
	"a key that closes":       {`<button id=go onkeydown="fetch('DID')"><i></i></button>`, `{press: {selector: "#go", key: Escape}}`, true, ""},
	"a key of a letter":       {`<form method=post action=/none><input id=q oninput="fetch('DID')"><button>Send</button></form>`, `{press: {selector: "#q", key: a}}`, true, ""},
}

func TestStepsThatDoMore(t *testing.T) { //nolint:tparallel // all in one browser
	t.Parallel()
	var mu sync.Mutex
	did := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/did/"), "/")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasPrefix(r.URL.Path, "/did/") {
			mu.Lock()
			did[name] = true
			mu.Unlock()
			fmt.Fprint(w, "<h1>Done</h1>")
			return
		}
		c := unsaid[strings.TrimPrefix(r.URL.Path, "/")]
		fmt.Fprint(w, "<!doctype html><title>Order</title><h1>PO1001</h1>"+strings.ReplaceAll(c.part, "DID", "/did/"+url.PathEscape(strings.TrimPrefix(r.URL.Path, "/"))))
	}))
	t.Cleanup(func() { testkit.EndServer(server) })
	shared := newBench(t, scrape.AutoRecipe())
	for _, name := range kinds(unsaid, "a selector", "its text", "text and selector", "a part of its text", "Enter in its form", "Enter where the focus", "Space on its button",
		"around what is clicked", "within what is clicked", "in a frame", "a box to tick", "another one says", "it says so", "Enter says so", "a search by GET", "a cookie banner", "a cookie dialog", "a cookie region", "a page with cookies", "a shell with cookies", "an order's consent",
		"a bar with a quantity", "a dialog's end", "a field's label") {
		c := unsaid[name]
		t.Run(name, func(t *testing.T) {
			recipe := recipeOf(t, server.URL, "ready: {timeout: 5s}\nopen: {url: '{base_url}/x', steps: ["+c.step+"]}\n")
			f := shared.with(scrape.NewPortal(recipe, nil)).attempt(t.Context(), t, orderAt("PO1001", server.URL+"/"+url.PathEscape(name))).Failure
			mu.Lock()
			done := did[name]
			mu.Unlock()
			if done != c.did {
				t.Errorf("it was done: %t; %+v", done, f)
			}
			refused := f != nil && f.Class == tasks.ClassNotClicked && !f.Retryable
			if refused == c.did || !c.did && !strings.Contains(f.Message, c.paste) {
				t.Errorf("got %+v, want %q", f, c.paste)
			}
		})
	}
}
