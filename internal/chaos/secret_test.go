//go:build linux

package chaos

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/internal/testkit"
)

// signInSecret is a password that looks different in each notation.
const signInSecret = `g%Z/eh&"ei'm <7>+x`

// signInForms are the notations in which it must stand nowhere.
func signInForms() map[string]string {
	inJSON, _ := json.Marshal(signInSecret) // a string has no error
	return map[string]string{
		"itself": signInSecret, "in an address": url.QueryEscape(signInSecret), "in a path": url.PathEscape(signInSecret),
		"in base64": base64.StdEncoding.EncodeToString([]byte(signInSecret))[:20], "in HTML": html.EscapeString(signInSecret), "in JSON": strings.Trim(string(inJSON), `"`),
	}
}

// secretIsNotInProcesses looks at the arguments of every browser, and at its environment.
func (d *doored) secretIsNotInProcesses() {
	d.t.Helper()
	seen := 0
	for _, g := range groupsOf(d.tmp) {
		for _, m := range g.members {
			for _, file := range []string{"cmdline", "environ"} {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", m.pid, file))
				if err != nil {
					continue // it has ended
				}
				seen++
				d.lacksSecret(fmt.Sprintf("%s of process %d", file, m.pid), text)
			}
		}
	}
	if seen == 0 {
		d.t.Error("no browser was there")
	}
}

func (d *doored) secretIsNowhere(places ...string) {
	d.t.Helper()
	files := 0
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			d.lacksSecret(path, text)
			if strings.HasSuffix(path, ".xlsx") {
				d.lacksSecret(path, unzipped(d.t, text))
			}
			return err
		})
		if err != nil {
			d.t.Error(err)
		}
	}
	if evidence := d.files("evidence/*/*.html"); files < 8 || len(evidence) == 0 {
		d.t.Errorf("only %d files were there, and as evidence %q", files, evidence)
	}
}

func unzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, f := range archive.File {
		part, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, part); err != nil {
			t.Fatal(err)
		}
		_ = part.Close()
	}
	return all.Bytes()
}

var metricsAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`)

// metricsOf returns what the run tells Prometheus.
func metricsOf(t *testing.T, r *process) []byte {
	t.Helper()
	address := ""
	testkit.Wait(t, "the address of the metrics", func() bool {
		text, err := os.ReadFile(r.stdout) // said is the end of it
		address = metricsAddress.FindString(string(text))
		return err == nil && address != ""
	})
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(text, []byte("poscrape_")) {
		t.Fatalf("the metrics are %q, %v", text, err)
	}
	return text
}

func (d *doored) lacksSecret(what string, text []byte) {
	d.t.Helper()
	for form, secret := range signInForms() {
		if bytes.Contains(text, []byte(secret)) {
			d.t.Errorf("%s has the password %s", what, form)
		}
	}
}
