package scrape_test

import (
	"strings"
	"testing"
)

// TestWhatComesLate reads pages that list a document, and have another one come when
// something has ended that no timer of the page drives.
func TestWhatComesLate(t *testing.T) {
	t.Parallel()
	cases := map[string]addition{}
	for name, script := range map[string]string{
		"a module":                `import("/late.js").then(more)`,
		"a style sheet":           `const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "/late.css"; l.onload = more; document.head.append(l)`,
		"a style sheet after":     `onload = () => setTimeout(() => { const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "/late.css"; l.onload = more; document.head.append(l) }, 50)`,
		"a module after":          `onload = () => setTimeout(() => import("/late.js").then(more), 50)`,
		"a frame within":          `onload = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p><iframe src=/late.html></iframe></p>"), 50)`,
		"a lazy frame within":     `onload = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p><iframe loading=lazy src=/late.html></iframe></p>"), 50)`,
		"a script while it moves": `const h = document.querySelector("h1"); h.style.transition = "opacity 500ms"; getComputedStyle(h).opacity; h.style.opacity = 0.5; onload = () => setTimeout(() => { const s = document.createElement("script"); s.src = "/late.js"; s.onload = more; document.body.append(s) }, 50)`,
		"a lazy frame":            `document.body.insertAdjacentHTML("beforeend", "<iframe loading=lazy src=/late.html></iframe>")`,
		"a frame that is led on":  `const f = document.createElement("iframe"); document.body.append(f); onload = () => setTimeout(() => { f.contentWindow.location = "/late.html" }, 50)`,
		"a piece that comes late": `fetch("/pieces").then((r) => r.body.pipeThrough(new TextDecoderStream())).then(async (s) => { const b = s.getReader(); while (!(await b.read()).done); more() })`,
		"a font":                  `new FontFace("x", "url(/late.woff2)").load().then(more, more)`,
		"a font of a sheet":       `document.head.insertAdjacentHTML("beforeend", "<style>@font-face { font-family: x; src: url(/late.woff2) }</style>"); document.fonts.load("12px x").then(more, more)`,
		"a task":                  `scheduler.postTask(more)`,
		"a later task":            `scheduler.postTask(more, { delay: 1500 })`,
		"a lock":                  `navigator.locks.request("l", async () => {}).then(more)`,
		"a lock that is kept":     `navigator.locks.request("l", () => { more(); return new Promise(() => {}) })`,
		"a permission":            `navigator.permissions.query({ name: "notifications" }).then(more)`,
		"a cookie":                `cookieStore.get("x").then(more)`,
		"an estimate":             `navigator.storage.estimate().then(more)`,
		"a directory":             `navigator.storage.getDirectory().then(more, more)`,
		"a registration":          `navigator.serviceWorker.getRegistration().then(more, more)`,
		"a body in pieces":        `fetch("/pieces").then(async (r) => { const b = r.body.getReader(); while (!(await b.read()).done); more() })`,
		"a body in a loop":        `fetch("/pieces").then(async (r) => { for await (const x of r.body); more() })`,
		"much work":               `let n = 0; const t0 = performance.now(), c = new MessageChannel(); c.port1.onmessage = () => { let x = 0; for (let i = 0; i < 2e6; i++) x += Math.sqrt(i); if (++n < 100 && performance.now() - t0 < 600) c.port2.postMessage(0); else more() }; onload = () => c.port2.postMessage(0)`,
		"a blob of a canvas":      `new OffscreenCanvas(9, 9).convertToBlob().catch(() => 0).then(more)`,
		"the agent":               `navigator.userAgentData.getHighEntropyValues(["platformVersion"]).then(more)`,
		"another hash":            `onhashchange = more; onload = () => setTimeout(() => { location.hash = "x" }, 50)`,
		"the way back":            `onpopstate = more; onload = () => setTimeout(() => { history.pushState(1, "", "?a"); history.back() }, 50)`,
		"a message":               `onmessage = more; postMessage(0, "*")`,
		"a broadcast":             `new BroadcastChannel("x").onmessage = more; new BroadcastChannel("x").postMessage(0)`,
		"access to storage":       `document.hasStorageAccess().then(more)`,
		"the rest":                `scheduler.yield().then(more)`,
		"a navigation":            `navigation.navigate("#y").finished.then(more, more)`,
		"a deferred fetch":        `navigator.permissions.query({ name: "notifications" }).then(() => fetch("/slow")).then(more)`,
	} {
		cases[name] = addition{strings.NewReplacer("more", "(() => { "+more+" })").Replace(script), 2}
	}
	bring(t, cases, 1)
}
