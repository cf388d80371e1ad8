package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/testkit"
)

// keyboard is a person at the page who has no mouse.
type keyboard struct {
	t       *testing.T
	tab     *browser.Tab
	session *stub
}

// keys are what it has, by their names.
var keys = map[string]browser.KeyEvent{
	"Tab":   {Key: "Tab", Code: "Tab", WindowsCode: 9},
	"Enter": {Key: "Enter", Code: "Enter", Text: "\r", WindowsCode: 13},
	"Space": {Key: " ", Code: "Space", Text: " ", WindowsCode: 32},
}

// sit opens the page in a Chrome.
func sit(t *testing.T) *keyboard {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	session, _, url := begin(t)
	cfg := browser.DefaultConfig()
	var err error
	if cfg.Chrome, err = browser.Find(t.Context(), "", false); err != nil {
		t.Fatal(err)
	}
	cfg.Sandbox, cfg.ProfileDir, cfg.DownloadDir, cfg.Attended = browser.NoSandbox(), t.TempDir(), t.TempDir(), true
	b, err := browser.Launch(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	k := &keyboard{t, b.Tab(), session}
	if err := k.tab.Visit(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	k.until("the page", `document.getElementById("wanted")?.textContent.includes("4")`)
	return k
}

// see returns what a script says of the page.
func (k *keyboard) see(script string) string {
	k.t.Helper()
	seen := ""
	if err := k.tab.EvaluateApart(k.t.Context(), "", "String("+script+")", &seen); err != nil {
		k.t.Fatalf("%s: %v", script, err)
	}
	return seen
}

func (k *keyboard) until(what, script string) {
	k.t.Helper()
	testkit.Wait(k.t, what, func() bool { return k.see(script) == "true" })
}

func (k *keyboard) press(name string) {
	k.t.Helper()
	event := keys[name]
	for _, event.Down = range []bool{true, false} {
		if k.tab.Dialog() != nil { // it has the keyboard now
			return
		}
		if err := k.tab.SendKey(k.t.Context(), event); err != nil {
			k.t.Fatal(err)
		}
	}
}

// focused is what has the focus: its id, or its text.
const focused = `(({ id, textContent }) => id || textContent.trim().slice(0, 60))(document.activeElement)`

// tabTo presses Tab until that has the focus, and sees to it that it shows.
func (k *keyboard) tabTo(what string) {
	k.t.Helper()
	var passed []string
	for range 80 {
		k.press("Tab")
		at := k.see(focused)
		if k.see(`getComputedStyle(document.activeElement).outlineStyle`) != "solid" && k.see(`document.activeElement !== document.body`) == "true" {
			k.t.Errorf("%q has the focus, and does not show it", at)
		}
		if at == what {
			return
		}
		passed = append(passed, at)
	}
	k.t.Fatalf("%s is not reached by Tab; reached were %q", what, passed)
}

// asks waits for the question, and answers it.
func (k *keyboard) asks(question string, accept bool) {
	k.t.Helper()
	testkit.Wait(k.t, "the question", func() bool { return k.tab.Dialog() != nil })
	if d := k.tab.Dialog(); !strings.HasPrefix(d.Message, question) {
		k.t.Errorf("it asks %q", d.Message)
	}
	if err := k.tab.AnswerDialog(k.t.Context(), accept, ""); err != nil {
		k.t.Fatal(err)
	}
}

func (k *keyboard) asked(what ...string) {
	k.t.Helper()
	testkit.Wait(k.t, fmt.Sprintf("%q", what), func() bool {
		k.session.mu.Lock()
		defer k.session.mu.Unlock()
		return slices.Equal(k.session.asked, what)
	})
}

// TestKeyboard steers a run, and reads its report, with the keys of a keyboard alone in a real Chrome.
// What has the focus shows that, and keeps it when the page gets news.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	k := sit(t)
	k.tabTo("pause")
	k.press("Space")
	k.asked("pause")
	k.tabTo("more-workers")
	k.press("Enter")
	k.asked("pause", "scale")
	k.tabTo("stop")
	k.press("Enter")
	k.asks("Stop the run?", false)
	if at := k.see(focused); at != "stop" {
		t.Errorf("after Cancel, %s has the focus", at)
	}
	k.asked("pause", "scale")
	k.tabTo("PO2")
	k.press("Enter")
	k.until("the order's details", `document.activeElement.getAttribute("aria-expanded") === "true"`)
	k.see(`document.getElementById("report").dataset.old = "yes"`)
	k.session.mu.Lock()
	k.session.well = 1
	k.session.mu.Unlock()
	k.until("the report anew", `!document.getElementById("report").dataset.old`)
	if at, open := k.see(focused), k.see(`document.activeElement.getAttribute("aria-expanded")`); at != "PO2" || open != "true" {
		t.Errorf("after news, %q has the focus, open: %s", at, open)
	}
	k.see(`document.getElementById("stop-now").focus()`)
	k.press("Space")
	k.asks("Stop at once?", true)
	k.asked("pause", "scale", "stop at once")
}
