//go:build unix

package browser_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poscrape/poscrape/browser"
)

// signedIn is a page that keeps a sign-in wherever a page can.
const signedIn = `<!doctype html><title>signed in</title><script>
localStorage.setItem("token", "local é\u0000");
sessionStorage.setItem("token", "of the tab");
let finish;
window.kept = new Promise((ok, no) => { finish = {ok, no}; });
const opening = indexedDB.open("auth", 3);
opening.onupgradeneeded = () => {
  opening.result.createObjectStore("inline", {keyPath: "id"}).createIndex("by", ["a", "b"], {unique: true});
  opening.result.createObjectStore("apart", {autoIncrement: true});
};
opening.onsuccess = () => {
  const t = opening.result.transaction(["inline", "apart"], "readwrite");
  t.objectStore("inline").put({id: "user", a: 1, b: "x", expires: new Date(1e12), bytes: new Uint8Array([1, 2, 255]), nothing: undefined});
  t.objectStore("apart").put({plain: [1, "two", null]}, "k");
  t.objectStore("apart").put("at a date", new Date(5));
  t.objectStore("apart").put(new Blob(["cannot leave"]), "blob");
  t.oncomplete = () => { opening.result.close(); finish.ok(); };
  t.onabort = () => finish.no(t.error);
};
</script>`

// stored says what is kept, as a page sees it.
const stored = `(async () => {
  const db = await new Promise((ok, no) => { const r = indexedDB.open("auth"); r.onsuccess = () => ok(r.result); r.onerror = no; });
  const all = (s) => new Promise((ok) => { const r = db.transaction(s).objectStore(s).getAll(); r.onsuccess = () => ok(r.result); });
  const [user] = await all("inline"), apart = await all("apart");
  const index = db.transaction("inline").objectStore("inline").index("by");
  const found = [db.version, user.expires instanceof Date && user.expires.getTime(), [...user.bytes], "nothing" in user,
    apart.length, apart, index.keyPath, index.unique, localStorage.getItem("token"), sessionStorage.getItem("token"), document.cookie];
  db.close();
  return JSON.stringify(found);
})()`

func TestAStateGoesFromOneBrowserToAnother(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	var carried atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		carried.Store(r.Header.Get("Cookie"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/in" {
			for _, c := range []http.Cookie{
				{Name: "sid", Value: "secret", Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode},
				{Name: "kept", Value: "long", Path: "/", MaxAge: 3600},
			} {
				http.SetCookie(w, &c)
			}
			_, _ = w.Write([]byte(signedIn))
			return
		}
		_, _ = w.Write([]byte("<!doctype html><title>other</title>"))
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })

	from, to := share(t), share(t)
	open(t, from.Tab(), s.URL+"/in")
	if err := from.Tab().Evaluate(t.Context(), "kept", nil); err != nil {
		t.Fatal(err)
	}
	var want, got string
	if err := from.Tab().Evaluate(t.Context(), stored, &want); err != nil {
		t.Fatal(err)
	}
	before := asked.Load()
	state, err := from.State(t.Context(), []string{s.URL, "https://sso.example"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var read browser.State
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	open(t, to.Tab(), "about:blank")
	if err := to.SetState(t.Context(), &read); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load() - before; n != 0 {
		t.Errorf("the portal was asked %d times", n)
	}
	again, err := to.State(t.Context(), []string{s.URL, "https://sso.example"})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Cookies, state.Cookies) {
		t.Errorf("cookies are %+v, want %+v", again.Cookies, state.Cookies)
	}
	for round := range 2 { // the tab is replaced in between
		open(t, to.Tab(), s.URL+"/other")
		if c, _ := carried.Load().(string); !strings.Contains(c, "sid=secret") || !strings.Contains(c, "kept=long") {
			t.Errorf("round %d: the portal got the cookies %q", round, c)
		}
		if err := to.Tab().Evaluate(t.Context(), stored, &got); err != nil {
			t.Fatal(err)
		}
		if got != butBlob.Replace(want) {
			t.Errorf("round %d: stored is\n%s\nwant\n%s", round, got, want)
		}
		if err := to.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// butBlob leaves out the one record that cannot leave a browser.
var butBlob = strings.NewReplacer(`,3,[`, `,2,[`, `,{}`, ``)

func TestWhatATabRefreshesInItsSessionGoesWithIt(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": html("<p>page")})
	b := share(t)
	if err := b.SetState(t.Context(), &browser.State{Origins: []browser.Origin{{Origin: url, SessionStorage: []browser.Item{{Name: "token", Value: "first"}}}}}); err != nil {
		t.Fatal(err)
	}
	open(t, b.Tab(), url)
	var got string
	if err := b.Tab().Evaluate(t.Context(), `(() => { const was = sessionStorage.token; sessionStorage.token = "second"; return was; })()`, &got); err != nil || got != "first" {
		t.Fatalf("the session storage has %q (%v), want first", got, err)
	}
	if err := b.Replace(t.Context()); err != nil {
		t.Fatal(err)
	}
	open(t, b.Tab(), url)
	if err := b.Tab().Evaluate(t.Context(), `sessionStorage.token`, &got); err != nil || got != "second" {
		t.Errorf("the session storage has %q (%v), want second", got, err)
	}
}

func TestAnOldStateIsGone(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]http.HandlerFunc{"/": func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "old", Value: "1", Path: "/"})
		html(`<p>page<script>localStorage.old = 1; addEventListener("storage", () => { localStorage.old = 2 })</script>`)(w, r)
	}})
	b := share(t)
	open(t, b.Tab(), url)
	if err := b.SetState(t.Context(), &browser.State{
		Cookies: []browser.Cookie{{Name: "past", Value: "x", Domain: "127.0.0.1", Path: "/", Expires: float64(time.Now().Add(-time.Hour).Unix())}},
		Origins: []browser.Origin{{Origin: url}},
	}); err != nil {
		t.Fatal(err)
	}
	s, err := b.State(t.Context(), []string{url})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cookies) != 0 || len(s.Origins[0].LocalStorage) != 0 {
		t.Errorf("left are %+v", s)
	}
}

func TestAStateThatChromeDoesNotTakeIsNamedWithoutItsSecret(t *testing.T) {
	t.Parallel()
	b := share(t)
	for name, s := range map[string]browser.State{
		"sid":                    {Cookies: []browser.Cookie{{Name: "sid", Value: "s3cret\n", Domain: "a.example", Path: "/", Expires: -1}}},
		"file:///etc":            {Origins: []browser.Origin{{Origin: "file:///etc", LocalStorage: []browser.Item{{Name: "a", Value: "s3cret"}}}}},
		"https://a.example/x":    {Origins: []browser.Origin{{Origin: "https://a.example/x", LocalStorage: []browser.Item{{Name: "a", Value: "s3cret"}}}}},
		"https://broken.example": {Origins: []browser.Origin{{Origin: "https://broken.example", IndexedDB: json.RawMessage(`[{"name": "s3cret", "version": 1, "stores": 7}]`)}}},
	} {
		err := b.SetState(t.Context(), &s)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
