package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// audit has axe-core look at the whole page, in light and in dark, and leaves what it finds in the
// page's title.
const audit = `
addEventListener("error", (e) => { document.title = "found: " + e.message; });
(async () => {
	for (const el of document.querySelectorAll("details")) el.open = true;
	for (const el of [...document.querySelectorAll(".toggle")].slice(0, 5)) el.click();
	const style = document.querySelector("style");
	const found = [];
	for (const scheme of ["light", "dark"]) {
		const wanted = scheme === "dark" ? "all" : "not all";
		style.textContent = style.textContent.replace(/@media (\(prefers-color-scheme: dark\)|not all)/, "@media " + wanted);
		for (const v of (await axe.run()).violations)
			for (const node of v.nodes) found.push(scheme + ": " + v.id + " " + node.html.slice(0, 150));
	}
	document.title = "found: " + (found.join("\n") || "nothing");
})();`

// policyMeta is what keeps scripts out of the page that are not its own.
var policyMeta = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// TestPageIsAccessible has axe-core audit the page in a real Chrome. It is skipped where one of
// the two is missing, unless POSCRAPE_AXE is set.
func TestPageIsAccessible(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	miss := t.Skipf
	if os.Getenv("POSCRAPE_AXE") != "" {
		miss = t.Fatalf
	}
	axe, err := exec.CommandContext(t.Context(), filepath.Join("..", "scripts", "axe"), "--offline").Output()
	if err != nil || len(axe) == 0 {
		miss("axe-core is not here (scripts/axe installs it): %v", err)
	}
	chrome := chromeInPath()
	if chrome == "" {
		miss("there is no Chrome in the PATH")
	}
	script, err := os.ReadFile(strings.TrimSpace(string(axe)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"finished", "hostile"} {
		page := policyMeta.ReplaceAllString(written(t, build(t, sessions[name]()).WriteHTML), "")
		page = strings.Replace(page, "</body>", fmt.Sprintf("<script>%s</script><script>%s</script></body>", script, audit), 1)
		if found := titleOf(t, chrome, page); found != "found: nothing" {
			t.Errorf("%s: %s", name, found)
		}
	}
}

func chromeInPath() string {
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// filtering presses each filter of whether orders are confirmed, and leaves which orders the table shows then, and what
// it says beside the last, in the page's title.
const filtering = `
const shown = () => [...document.querySelectorAll("#table tr.order")].map((row) => row.querySelector(".toggle").textContent).join(" ");
const said = [];
for (const name of ["confirmed", "unconfirmed"]) {
	document.querySelector(".chips [data-show=" + name + "]").click();
	said.push(name + ": " + shown());
}
said.push(document.querySelector("#table tr.order .what").textContent);
document.querySelector(".chips [data-show=all]").click();
document.querySelector("section p [data-show=unconfirmed]").click();
said.push(shown());
document.title = "found: " + said.join("; ");`

// TestPageFiltersConfirmed uses the filters of the page in a real Chrome. It is skipped where there is none.
func TestPageFiltersConfirmed(t *testing.T) {
	t.Parallel()
	chrome := chromeInPath()
	if testing.Short() || chrome == "" {
		t.Skip("it starts a Chrome")
	}
	page := policyMeta.ReplaceAllString(written(t, build(t, finished()).WriteHTML), "")
	page = strings.Replace(page, "</body>", "<script>"+filtering+"</script></body>", 1)
	want := "found: confirmed: PO1001; unconfirmed: PO1003; not confirmed: nothing on its pages says how many documents there are; PO1003"
	if found := titleOf(t, chrome, page); found != want {
		t.Errorf("%s\nwant %s", found, want)
	}
}

var titles = regexp.MustCompile(`(?s)<title>(.*?)</title>`)

// titleOf returns the title that a page has in Chrome at last.
func titleOf(t *testing.T, chrome, page string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chrome, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--virtual-time-budget=60000", "--dump-dom", "file://"+filepath.ToSlash(file))
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("Chrome: %v", err)
	}
	title := titles.FindSubmatch(dom)
	if title == nil {
		t.Fatalf("the page has no title: %.300s", dom)
	}
	return string(title[1])
}
