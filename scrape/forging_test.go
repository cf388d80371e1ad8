package scrape_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/tasks"
)

// forgings are scripts by which a page claims that it has nothing more to show, or
// something else than it shows. Each mounts its document late.
var forgings = map[string]string{
	"json":          `JSON.parse = () => ({}); JSON.stringify = () => '{"items":[]}'; setTimeout(mount, 700)`,
	"promise":       `const later = setTimeout; Promise.prototype.then = () => {}; Promise.race = Promise.resolve = () => ({}); window.Promise = class {}; later(mount, 700)`,
	"species":       `Object.defineProperty(Promise.prototype, "constructor", { get() { throw 1 } }); fetch("/slow").finally; const x = new XMLHttpRequest(); x.onload = mount; x.open("GET", "/slow"); x.send()`,
	"arrays":        `const later = setTimeout; for (const name of ["map", "filter", "some", "find", "flatMap", "push", "shift", "forEach", "indexOf", "slice", "sort"]) Array.prototype[name] = () => []; Array.prototype[Symbol.iterator] = function* () {}; Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true }); later(mount, 700)`,
	"maps":          `Map.prototype.get = Map.prototype.has = Set.prototype.has = WeakMap.prototype.get = () => ({ idle: 99, spent: 99999 }); Set.prototype.add = Map.prototype.set = () => {}; Object.defineProperty(Set.prototype, "size", { get: () => 0 }); setTimeout(mount, 700)`,
	"texts":         `String.prototype.slice = String.prototype.replace = String.prototype.toLowerCase = String.prototype.match = () => "x"; RegExp.prototype.exec = () => null; RegExp.prototype.test = () => false; setTimeout(mount, 700)`,
	"reflection":    `Reflect.apply = Function.prototype.call = Function.prototype.apply = () => undefined; Object.hasOwn = () => true; Object.defineProperty = Object.getOwnPropertyDescriptor = () => ({}); Symbol.for = () => "x"; setTimeout(mount, 700)`,
	"clocks":        `const at = Date.now(); Date.now = () => at; performance.now = Performance.prototype.now = () => 1e9; window.Date = class { static now() { return at } }; setTimeout(mount, 700)`,
	"observers":     `window.MutationObserver = class { observe() {} }; MutationRecord && Object.defineProperty(MutationRecord.prototype, "type", { get: () => "none" }); let n = 0; const step = () => ++n < 30 ? setTimeout(step, 60) : mount(); step()`,
	"fetch":         `const real = fetch; window.fetch = (...args) => new Promise(() => {}); real("/slow").then(() => { window.fetch = real; return real("/slow") }).then(mount)`,
	"request":       `const x = new XMLHttpRequest(); x.onload = mount; x.open("GET", "/slow"); x.send(); x.dispatchEvent(new ProgressEvent("loadend")); XMLHttpRequest.prototype.send = () => {}`,
	"reopened":      `const x = new XMLHttpRequest(); x.onload = mount; x.open("GET", "/other"); x.open("GET", "/slow"); x.send()`,
	"timers":        `const real = setTimeout; window.setTimeout = (fn) => { fn(); return 1 }; window.setInterval = () => 1; window.clearTimeout = () => {}; real(mount, 700)`,
	"names":         `for (const name of ["poscrape.watch", "poscrape.read", "poscrape.list", "poscrape.date"]) window[Symbol.for(name)] = { busy: () => "", quiet: () => 1e9, streams: () => false }; window.poscrape = { read: () => ({ identity: "sure", items: [] }), click: () => true }; for (const key of Reflect.ownKeys(window)) try { if (typeof window[key] === "function" && String(key).length === 26) { window[key](""); window[key] = () => {}; delete window[key] } } catch {} setTimeout(mount, 700)`,
	"getters":       `for (const [type, name] of [[Document, "readyState"], [Node, "nodeType"], [Node, "baseURI"], [Node, "ownerDocument"], [Element, "localName"], [Document, "title"], [Document, "body"], [Event, "type"], [MouseEvent, "relatedTarget"], [Node, "textContent"]]) Object.defineProperty(type.prototype, name, { get() { throw new Error("no") } }); setTimeout(mount, 700)`,
	"queries":       `document.querySelectorAll = Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = DocumentFragment.prototype.querySelectorAll = () => []; Element.prototype.checkVisibility = () => false; Element.prototype.getAttribute = () => "x"; Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "Order PO1" }); setTimeout(mount, 700)`,
	"others":        `const a = document.createElement("a"); a.href = "/other.pdf"; a.textContent = "other.pdf"; document.querySelectorAll = Document.prototype.querySelectorAll = () => [a]; Element.prototype.checkVisibility = () => true; Object.defineProperty(HTMLAnchorElement.prototype, "href", { get: () => location.origin + "/other.pdf" }); Object.defineProperty(Node.prototype, "isConnected", { get: () => true }); setTimeout(mount, 700)`,
	"changing":      `setTimeout(() => { mount(); const a = document.querySelector("a"); let n = 0; const change = () => { if (n++ % 2) { a.href = "/other.pdf"; a.textContent = "other.pdf" } else { a.href = "/d.pdf"; a.textContent = "d.pdf" } }; Object.defineProperty(a, "href", { get() { change(); return "/other.pdf" }, set(v) { this.setAttribute("href", v) } }); a.getAttribute = () => { change(); return "/other.pdf" }; a.checkVisibility = () => { change(); return true } }, 700)`,
	"pristine":      `const f = document.createElement("iframe"); document.body.append(f); const { setTimeout: later } = f.contentWindow; later.call(window, mount, 700)`,
	"removed":       `const f = document.createElement("iframe"); document.body.append(f); const w = f.contentWindow; window.setTimeout = w.setTimeout; const x = new w.XMLHttpRequest(); const y = new XMLHttpRequest(); y.onload = mount; w.XMLHttpRequest.prototype.open.call(y, "GET", "/slow"); w.XMLHttpRequest.prototype.send.call(y); f.remove()`,
	"spy":           `const seen = []; const listen = EventTarget.prototype.addEventListener; EventTarget.prototype.dispatchEvent = function (e) { seen.push(e.type); return true }; EventTarget.prototype.addEventListener = function (type, ...rest) { seen.push(type); return listen.call(this, type, ...rest) }; Event.prototype.stopImmediatePropagation = () => {}; Object.defineProperty(window, "event", { set(e) { seen.push(e) }, configurable: true }); Element.prototype.setAttribute = () => {}; window.addEventListener("look", (e) => e.stopImmediatePropagation(), true); setTimeout(mount, 700)`,
	"sources":       `Function.prototype.toString = () => "x"; let n = 0; const fn = () => mount(); fn.toString = () => { throw 1 }; fn[Symbol.toPrimitive] = () => { throw 1 }; for (let i = 0; i < 8; i++) { const idle = () => {}; idle.toString = () => "same"; setTimeout(idle, 10 * i) } setTimeout(fn, 700)`,
	"overflow":      `setTimeout(mount, 2 ** 32 + 700)`,
	"proxies":       `window.setTimeout = new Proxy(setTimeout, { apply: (real, _, args) => Reflect.apply(real, window, args) }); window.document2 = new Proxy(document, {}); Object.setPrototypeOf(Window.prototype, Object.getPrototypeOf(Window.prototype)); setTimeout(mount, 700)`,
	"stacks":        `const seen = []; Error.stackTraceLimit = 99; Error.prepareStackTrace = (e, sites) => { for (const s of sites) { seen.push(s.getFunction(), s.getThis()); } return "" }; const fn = function () { try { null.x } catch (e) { e.stack } const c = seen.filter(Boolean); if (c.some((f) => /channel|mark/.test(f))) document.querySelector("h1").textContent = "leaked"; mount() }; setTimeout(fn, 700)`,
	"setters":       `for (const name of ["over", "signal", "once", "then", "toJSON", "get", "set", "0", "1", "2", "next", "carrier", "idle", "attributeFilter"]) try { Object.defineProperty(Object.prototype, name, { get: () => undefined, set() {}, configurable: true }) } catch {} const x = new XMLHttpRequest(); x.onload = () => setTimeout(mount, 300); x.open("GET", "/slow"); x.send()`,
	"numbers":       `setTimeout(() => { for (let i = 0; i < 1e4; i++) { clearTimeout(i); clearInterval(i) } setTimeout(mount, 700) }, 100)`,
	"anew":          `const f = document.createElement("iframe"); document.body.append(f); addEventListener("load", () => setTimeout(() => { const h = document.documentElement.outerHTML; f.contentWindow.Document.prototype.open.call(document); document.write("<title>Order PO7000001</title><h1>Order PO7000001</h1><div id=docs></div>"); document.close(); setTimeout(() => document.querySelector("#docs").insertAdjacentHTML("beforeend", "<a href=/d.pdf>d.pdf</a>"), 700) }, 50))`,
	"frame anew":    `const f = document.createElement("iframe"); document.body.append(f); const g = document.createElement("iframe"); document.body.append(g); g.contentWindow.Document.prototype.open.call(f.contentDocument); f.contentDocument.close(); f.contentWindow.setTimeout(mount, 700)`,
	"real worker":   `const Real = Object.getPrototypeOf(Worker) === EventTarget ? Worker : Object.getPrototypeOf(Worker); new Real(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 4000)"]))).onmessage = mount`,
	"forged worker": `const w = new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), 4000)"]))); w.dispatchEvent(new MessageEvent("message")); w.onmessage = mount`,
	"waiting":       `Atomics.waitAsync(new Int32Array(new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 }).buffer), 0, 0, 600).value.then(mount)`,
}

// TestForgingPages reads pages that forge, in virtual and in real time: each ends with
// the document that it shows, or not well with a reason.
func TestForgingPages(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/case/{name}/{number}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Order %[1]s</title><body><h1>Order %[1]s</h1><div id=docs></div><script>
			const docs = document.querySelector("#docs"), insert = docs.insertAdjacentHTML.bind(docs);
			const mount = () => insert("beforeend", "<a href=/d.pdf>d.pdf</a>");</script><script>%[2]s</script>`,
			r.PathValue("number"), forgings[r.PathValue("name")])
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(600 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	for _, name := range []string{"/d.pdf", "/other.pdf"} {
		mux.HandleFunc(name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(w, "%PDF-1.4 content\n%%EOF\n") // an error means that the browser is gone
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { testkit.EndServer(server) })
	// These keep themselves from being believed.
	unwell := map[string][]string{"species": {"virtual", "real"}}
	for _, clock := range []scrape.Clock{scrape.ClockVirtual, scrape.ClockReal} {
		t.Run(string(clock), func(t *testing.T) {
			t.Parallel()
			recipe := scrape.AutoRecipe()
			recipe.Mode, recipe.Ready.Clock, recipe.Ready.Timeout = scrape.ModeRender, clock, 30*time.Second
			b := newBench(t, recipe)
			for _, name := range rows(clock, forgings, "json", "promise", "species", "arrays", "reflection", "clocks", "observers", "fetch", "request", "timers", "names", "queries", "changing", "pristine", "removed",
				"spy", "overflow", "stacks", "setters", "anew", "frame anew", "real worker", "waiting") {
				task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: "PO7000001", Digits: "7000001", Dir: uuid.NewString(),
					URL: server.URL + "/case/" + strings.ReplaceAll(name, " ", "%20") + "/PO7000001"}}
				res, err := b.scraper.Do(t.Context(), task)
				switch {
				case err != nil:
					t.Errorf("%s: %v", name, err)
				case res.Outcome == tasks.OutcomeComplete && len(res.Attachments) == 1 && res.Attachments[0].Name == "d.pdf":
				case res.Outcome != tasks.OutcomeNoAttachments && res.Outcome != tasks.OutcomeComplete && slices.Contains(unwell[name], string(clock)):
				default:
					t.Errorf("%s: got %s with %v (%v), want the document that it shows", name, res.Outcome, res.Attachments, res.Missing)
				}
			}
		})
	}
}
