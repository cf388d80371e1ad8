package scrape

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/browser"
)

// Takes is what a recipe takes of its user: what it reads, whom it asks, and where what it reads goes.
type Takes struct {
	Reads []Read
	// Asks are the hosts that pages and documents may come from; without any, those of the sheet's addresses.
	Asks []string
	// Kept are the cookies and stored values of the portal's own that it makes addresses and requests of.
	Kept []string
	// Accepts: it says yes to whatever a page asks in a dialog of the browser.
	Accepts bool
	// Made are the origins besides the portal's that addresses may lead to which it makes of what pages say.
	Made []string
}

// Read is a secret that a recipe reads.
type Read struct {
	Secret
	// To are the origins that it may go to.
	To []string
}

// Takes returns what the recipe takes.
func (r *Recipe) Takes() Takes {
	t := Takes{Accepts: r.Dialogs == DialogAccept}
	add := func(s Secret, signIn bool, hosts []string) {
		if s == (Secret{}) {
			return
		}
		to := merged(nil, r.secretOrigins(signIn, hosts))
		if i := slices.IndexFunc(t.Reads, func(was Read) bool { return was.String() == s.String() }); i >= 0 {
			t.Reads[i].To = merged(t.Reads[i].To, to)
			return
		}
		t.Reads = append(t.Reads, Read{s, to})
	}
	for _, step := range r.Open.Steps {
		add(step.Secret, false, step.To)
	}
	for _, h := range r.headers() {
		add(h.Secret, false, h.To)
	}
	t.Asks = append(t.Asks, hostOf(r.BaseURL))
	if l := r.Login; l != nil {
		for _, step := range l.Steps {
			add(step.Secret, true, step.To)
		}
		if l.HTTP != nil {
			add(l.HTTP.User, true, l.HTTP.To)
			add(l.HTTP.Password, true, l.HTTP.To)
		}
		t.Asks = append(t.Asks, hostOf(l.StartURL))
		t.Asks = append(t.Asks, l.Hosts...)
	}
	t.Asks = append(t.Asks, r.AllowedHosts...)
	t.Asks = merged(nil, slices.DeleteFunc(t.Asks, func(host string) bool { return host == "" }))
	for _, f := range r.Fields {
		if kept := cmp.Or(f.Data.Cookie, f.Data.Storage); kept != "" {
			if len(f.To) > 0 {
				kept += " (also for " + strings.Join(f.To, ", ") + ")"
			}
			t.Kept = append(t.Kept, kept)
		}
	}
	t.Made = r.madeFor()
	return t
}

// merged returns the texts of both, each once.
func merged(a, b []string) []string {
	for _, text := range b {
		if !slices.Contains(a, text) {
			a = append(a, text)
		}
	}
	return a
}

func hostOf(address string) string {
	u, err := browser.ParseURL(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Text says it in a line, without the recipe's name.
func (t Takes) Text() string {
	reads := []string{}
	var to []string
	for _, read := range t.Reads {
		reads = append(reads, inLine(read.String()))
		to = merged(to, read.To)
	}
	for _, kept := range t.Kept {
		reads = append(reads, inLine(kept)+" of what the portal keeps in the browser")
	}
	text := "reads " + cmp.Or(strings.Join(reads, ", "), "no secrets") + "; asks " + cmp.Or(strings.Join(t.Asks, ", "), "the hosts of the sheet's addresses")
	if t.Accepts {
		text += "; says yes to whatever a page asks to confirm (dialogs: accept)"
	}
	if len(t.Reads) > 0 {
		text += "; sends what it reads to " + cmp.Or(strings.Join(to, ", "), "the host of --url")
	}
	if len(t.Made) > 0 {
		text += "; puts what pages say into addresses at " + strings.Join(t.Made, ", ")
	}
	return text
}

// inLine returns a text as it is, or quoted where it would look like more than one.
func inLine(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// Key is another one if anything of it is another, wherever the recipe's file is.
func (t Takes) Key() string {
	var key [][]string
	for _, read := range t.Reads {
		source := read.String()
		if read.Env == "" {
			if abs, err := filepath.Abs(read.File); err == nil {
				source = "file:" + abs
			}
		}
		key = append(key, append([]string{"reads", source}, read.To...))
	}
	for what, all := range map[string][]string{"keeps": t.Kept, "asks": t.Asks, "makes for": t.Made} {
		for _, one := range all {
			key = append(key, []string{what, one})
		}
	}
	if t.Accepts {
		key = append(key, []string{"accepts dialogs"})
	}
	slices.SortFunc(key, slices.Compare[[]string])
	return fmt.Sprintf("%q", key) // no text in it can look like two
}

// Unasked returns the value, and the origins that are not this machine, of a secret that the recipe reads
// without that a person has said so, or nothing where its value may go anywhere: a user's name.
func (r Read) Unasked() (value string, to []string) {
	source, free := r.Source()
	name := strings.ToUpper(cmp.Or(source.Env, strings.TrimSuffix(filepath.Base(source.File), filepath.Ext(source.File))))
	if free || slices.ContainsFunc([]string{"USER", "LOGIN", "EMAIL"}, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return "", nil
	}
	for _, origin := range r.To {
		if u, err := browser.ParseURL(origin); err == nil && !isLoopback(strings.ToLower(u.Hostname())) {
			to = append(to, origin)
		}
	}
	if len(to) == 0 {
		return "", nil
	}
	if value, err := r.Read(""); err == nil {
		return value, to
	}
	return "", nil // that it cannot be read is said elsewhere
}

// Elsewhere returns the error that the secret would go to an origin that its value did not first go to.
func (r Read) Elsewhere(recipe, origin string) *SecretError {
	return &SecretError{File: recipe, Field: r.String(), Message: "what it holds first went to another portal, and would now go to " + origin,
		Type: "--secret " + r.Name() + "=" + r.String()}
}
