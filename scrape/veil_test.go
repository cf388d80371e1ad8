package scrape

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestWhatAVeilHidesOfAProbe(t *testing.T) {
	t.Parallel()
	const secret = "hunter-2222"
	long := strings.Repeat("-", longestSight-8) + secret[:8]
	p := &Probed{Address: "https://portal.example/?p=" + secret, Fields: map[string]tasks.Field{"note": {Raw: secret, Value: secret}},
		Failure: tasks.Retry(tasks.ClassMissingField, "it says %s", secret), Result: &tasks.Result{Notes: []string{secret}},
		View:        &View{NoPicture: secret, Sights: []Sight{{Where: "fields.note", Elements: []Element{{Text: "for " + secret}, {Text: long}}}}},
		Description: &Description{URL: secret, Finds: []Find{{Values: []string{secret}}}, Tables: []Table{{Rows: [][]string{{secret}}}}, Opened: &Opener{Text: secret}}}
	v := newVeil([]secretText{{secret, true}})
	v.probed(p)
	v.probed(&Probed{})
	text, err := json.Marshal([]any{p, p.View, p.Description, p.Description.URL, p.Description.Opened, p.View.NoPicture, p.Address})
	if err != nil || strings.Contains(string(text), "hunter") || p.View.Sights[0].Elements[0].Text != "for redacted" {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestWhatAVeilHidesOfAnOrder(t *testing.T) {
	t.Parallel()
	v := newVeil([]secretText{{"anna@acme.example", false}, {"hunter-2222", true}, {"4711", true}, {"", true}})
	res := &tasks.Result{
		URL: "https://portal.example/?p=hunter-2222", Notes: []string{"for anna@acme.example"},
		Fields:      map[string]tasks.Field{"buyer": {Raw: "anna@acme.example"}, "total": {Raw: "4711.00", Value: "4711.00"}, "note": {Raw: "hunter-2222"}},
		Lines:       []map[string]string{{"sku": "hunter-2222"}},
		Attachments: []tasks.Attachment{{Name: "a.pdf", URL: "https://portal.example/hunter-2222", Error: tasks.Retry(tasks.ClassAttachment, "hunter-2222 failed")}},
		Missing:     tasks.Retry(tasks.ClassMissingField, "it says hunter-2222, and 4711"),
	}
	v.result(res)
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "hunter") || res.Notes[0] != "for redacted" || res.Missing.Message != "it says redacted, and redacted" {
		t.Errorf("got %s", text)
	}
	if res.Fields["buyer"].Raw != "anna@acme.example" || res.Fields["total"].Value != "4711.00" {
		t.Errorf("data of the order were changed: %+v", res.Fields)
	}
	d := &Description{Finds: []Find{{Value: "4711.00 hunter-2222"}}, Answers: []Answer{{Value: map[string]any{"a": []any{"hunter-2222", true}}}, {}}}
	v.texts(reflect.ValueOf(d))
	if got := fmt.Sprint(d.Finds[0].Value, d.Answers[0].Value); got != "4711.00 redactedmap[a:[redacted true]]" {
		t.Errorf("of a page and its data, it leaves %s", got)
	}
}

func TestWhichSecretsArePasswords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"user", "password", "code"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("the "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	recipe, err := ReadRecipe(filepath.Join(dir, "r.yaml"), strings.NewReader(`version: 1
base_url: https://portal.example
login:
  steps:
    - fill: {selector: "#login-name", file: user}
    - fill: {selector: "#a", file: password}
    - fill: {selector: "#b", file: code}
    - fill: {selector: "#c", file: missing}
  http: {user: "file:user", password: "file:code"}
`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, s := range recipe.secrets() {
		got[s.text] = got[s.text] || s.password
	}
	want := map[string]bool{"the user": false, "the password": true, "the code": true, "the user:the code": true}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for text, password := range want {
		if got[text] != password {
			t.Errorf("%q is a password: %v", text, got[text])
		}
	}
}
