package scrape

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/poscrape/poscrape/browser"
	"github.com/poscrape/poscrape/internal/claims"
)

var updateRecipeErrors = flag.Bool("update-recipe-errors", false, "write the expected errors of testdata/recipes/bad-*.yaml anew")

const recipeSamples = "../testdata/recipes"

func readSample(t *testing.T, name string) (*Recipe, error) {
	t.Helper()
	f, err := os.Open(filepath.Join(recipeSamples, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return ReadRecipe(name, f)
}

func TestReadRecipeTakesEveryKey(t *testing.T) {
	t.Parallel()
	got, err := readSample(t, "good-full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := &Recipe{
		File: "good-full.yaml", Name: "acme",
		BaseURL:      "https://portal.acme.example",
		AllowedHosts: []string{"files.acme.example", "*.cdn.acme.example", "dav.acme.example:8443"},
		Browser:      browser.Identity{Language: "en-GB", Timezone: "Europe/London", Width: 1366, Height: 900},
		PO:           PORule{Prefixes: []string{"PO", "PM"}, Pattern: regexp.MustCompile(`^[A-Z]{0,2}\d{4,}$`)},
		OpenURL:      "{base_url}/orders/{digits}?full={column:Sales Org}",
		Open: OpenRule{Steps: []Step{
			{Kind: StepFill, Target: browser.Target{Selector: "#q"}, Value: "{po}"},
			{Kind: StepFill, Target: browser.Target{Selector: "#pin", Frame: "#gate"}, Secret: Secret{Env: "ACME_PIN", Sources: got.sources}},
			{Kind: StepSelect, Target: browser.Target{Selector: "#org"}, Value: "{column:Sales Org}"},
			{Kind: StepPress, Value: "Enter"},
			{Kind: StepPress, Target: browser.Target{Selector: "#q"}, Value: "Tab"},
			{Kind: StepTOTP, Target: browser.Target{Selector: "#code"}, Secret: Secret{File: "/run/secrets/acme", Written: "/run/secrets/acme", Sources: got.sources}},
			{Kind: StepClick, Target: browser.Target{Selector: "#go"}},
			{Kind: StepClick, Target: browser.Target{Text: "Export"}, Window: true, Unless: ".exported"},
			{Kind: StepWait, Target: browser.Target{Selector: "#order", Frame: "#main"}},
			{Kind: StepGo, Target: browser.Target{Selector: "iframe", Frame: "#main"}, Go: &GoRule{LinkRule: LinkRule{Attr: "src", Match: regexp.MustCompile(`session=(\w+)`), URL: "/p/{1}"}}},
			{Kind: StepGo, Go: &GoRule{Data: DataSource{Get: "/api/orders/{po}", Headers: []Header{{Name: "Authorization"}}}, Path: got.Open.Steps[10].Go.Path}},
		}},
		Ready:    Ready{Selector: "#po-number", Gone: ".spinner", Quiet: 500 * time.Millisecond, Timeout: 30 * time.Second, Clock: ClockReal, Ignore: []string{"/api/telemetry*", "stats.acme.example/*"}},
		Identity: "#po-number", IdentityFrame: "#main",
		Login:        &LoginRule{HTTP: &HTTPLogin{User: Secret{Env: "PORTAL_USER", Sources: got.sources}, Password: Secret{Env: "PORTAL_PASSWORD", Sources: got.sources}, at: position{25, 15}}, Logout: "https://portal.acme.example/logout"},
		NotFound:     Marker{Status: []int{404, 410}, Selector: ".not-found", Text: []string{"No such order", "Keine Bestellung"}},
		AccessDenied: Marker{Status: []int{403}, Selector: ".denied", Text: []string{"Not for you"}},
		Throttled:    Marker{Status: []int{429, 503}, Selector: ".busy", Text: []string{"Slow down"}},
		Fields: []FieldRule{
			{Name: "supplier", Selector: "#supplier", Type: FieldText, Required: true},
			{Name: "total", Selector: "#total", Type: FieldAmount, Locale: "en"},
			{Name: "buyer", Selector: "#buyer", Type: FieldText, Attr: "value"},
			{Name: "issued", Selector: "#issued", Type: FieldDate, Layout: "02/01/2006"},
			{Name: "note", Selector: "#note", Type: FieldText},
			{Name: "terms", Label: "Payment terms", Frame: "#main", Type: FieldText},
			{Name: "contract", Selector: "li.ref", Match: regexp.MustCompile(`Contract (\S+)`), Type: FieldText},
			{Name: "status", Type: FieldText, Data: DataSource{Answer: "/api/orders/{digits}"}, Path: got.Fields[7].Path},
			{Name: "approver", Type: FieldText, Data: DataSource{Get: "/api/orders/{digits}/approvals", Headers: []Header{{Name: "Authorization"}, {Name: "X-CSRF-Token"}}}, Path: got.Fields[8].Path},
			{Name: "owner", Type: FieldText, Data: DataSource{Post: "/graphql", Body: got.Fields[9].Data.Body}, Path: got.Fields[9].Path},
		},
		Lines: &LinesRule{Row: "#lines tbody tr", Columns: []ColumnRule{
			{Name: "sku", Selector: "td:nth-child(1)"}, {Name: "qty", Selector: "td:nth-child(3)"},
		}},
		Attachments: &AttachmentsRule{
			Item: "a.attachment", Frame: "#main", Link: "a", Name: "input", NameAttr: "value",
			Where: &WhereRule{".state", regexp.MustCompile("^(paid|open)$")}, Names: NamesRule{Exclude: regexp.MustCompile("^(Add|Manage)")},
			Pending: ".being-prepared", Then: "#save-as", SaveAs: "{po}-{n} {name}", saveAsAt: got.Attachments.saveAsAt,
			None: ".no-attachments", Count: ".tab-docs .badge",
			Expand: []string{"#show-comments"}, Exclude: []Pick{{Selector: "a.help"}, {Text: "Add more"}}, Types: []DocumentType{claims.DocumentHTML, claims.DocumentXML}, Optional: true,
		},
		Related: []RelatedRule{
			{Link: "a.requisition", Attachments: &AttachmentsRule{Item: "a.attachment", Types: []DocumentType{claims.DocumentText}}},
			{URL: "/orders/{po}/documents", Attachments: &AttachmentsRule{Item: "a"}},
			{Data: &DataItems{DataSource: DataSource{Get: "/api/orders/{po}"}, Items: got.Related[2].Data.Items, Link: got.Related[2].Data.Link}, Attachments: &AttachmentsRule{Item: "a"}},
		},
		Dialogs: DialogAccept,
		sources: got.sources,
		Folder:  "{supplier}/{po}", folderAt: got.folderAt, baseAt: got.baseAt, placed: got.placed, templates: got.templates, fieldsAt: got.fieldsAt, madeAt: got.madeAt,
		Limits: Limits{Rate: 0.5, MaxFileSize: 50 << 20, MaxFiles: 20},
		Block:  Block{Images: true, Fonts: true, Media: true, Hosts: []string{"*.analytics.example"}},
		Mode:   ModeRender,
	}
	for i := range want.Open.Steps {
		want.Open.Steps[i].Where, want.Open.Steps[i].at = fmt.Sprintf("open.steps[%d]", i), got.Open.Steps[i].at
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
}

// TestDocumentedRecipes reads the recipes of the documentation: they are valid, and the
// reference has every key.
func TestDocumentedRecipes(t *testing.T) {
	t.Parallel()
	keys := func(text string) []string {
		found := regexp.MustCompile(`[{,\s]([a-z_]+):(?:\s|$)`).FindAllStringSubmatch(regexp.MustCompile(`(?m)(^| )#.*`).ReplaceAllString("\n"+text, ""), -1)
		var names []string
		for _, m := range found {
			names = append(names, m[1])
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	every, err := os.ReadFile(filepath.Join(recipeSamples, "good-full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Glob("../docs/recipes/*.yaml")
	if err != nil || len(examples) == 0 {
		t.Fatal("there are no examples", err)
	}
	for _, file := range examples {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRecipe(file, bytes.NewReader(text)); err != nil {
			t.Error(err)
		}
	}
	for _, file := range []string{"../README.md", "../docs/recipe.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), "```yaml\n")
		recipe, _, found := strings.Cut(after, "```")
		if _, err := ReadRecipe(file, strings.NewReader(recipe)); err != nil || !found {
			t.Errorf("the recipe in %s: %v", file, err)
		}
		if has := keys(recipe); strings.HasSuffix(file, "recipe.md") {
			for _, key := range keys(string(every)) {
				if key != "note" && !slices.Contains(has, key) {
					t.Errorf("%s does not name %s; it names %v", file, key, has)
				}
			}
		}
	}
}

func TestReadRecipeDefaults(t *testing.T) {
	t.Parallel()
	got, err := readSample(t, "good-minimal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := &Recipe{
		File: "good-minimal.yaml", Name: "good-minimal", sources: got.sources,
		Ready:        Ready{Quiet: 300 * time.Millisecond, Timeout: 20 * time.Second, Clock: ClockVirtual},
		NotFound:     Marker{Status: []int{404}},
		AccessDenied: Marker{Status: []int{403}},
		Throttled:    Marker{Status: []int{429, 503}},
		Dialogs:      DialogDismiss,
		Folder:       "{po}",
		Limits:       Limits{MaxFileSize: 200_000_000, MaxFiles: 200},
		Mode:         ModeAuto,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	auto := AutoRecipe()
	want.File, want.Name, want.Auto, want.sources = "", "auto", true, nil
	if !reflect.DeepEqual(auto, want) {
		t.Errorf("AutoRecipe is\n%+v, want\n%+v", auto, want)
	}
}

func TestReadRecipeOfWindows(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "\ufeff"} {
		data, err := os.ReadFile(filepath.Join(recipeSamples, "good-windows.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), "\r\n") {
			t.Fatal("the sample has lost its CRLF line ends")
		}
		got, err := ReadRecipe("w.yaml", strings.NewReader(prefix+string(data)))
		if err != nil {
			t.Fatal(err)
		}
		if got.OpenURL != "{base_url}/#/orders/{po}" || got.Attachments.Item != "a.attachment, button.download" {
			t.Errorf("read %q and %q", got.OpenURL, got.Attachments.Item)
		}
	}
}

// Each bad-NAME.yaml has its errors beside it, in bad-NAME.txt.
func TestReadRecipeNamesEachProblem(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob(filepath.Join(recipeSamples, "bad-*.yaml"))
	if err != nil || len(samples) < 20 {
		t.Fatalf("found %d samples (%v), want at least 20", len(samples), err)
	}
	for _, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			recipe, err := readSample(t, filepath.Base(sample))
			if err == nil {
				t.Fatalf("was read: %+v", recipe)
			}
			var problem *RecipeError
			if recipe != nil || !errors.As(err, &problem) || problem.Line < 1 || problem.Column < 1 {
				t.Errorf("got the recipe %v and the error %#v, want no recipe and a RecipeError with a place", recipe, err)
			}
			golden := strings.TrimSuffix(sample, ".yaml") + ".txt"
			if *updateRecipeErrors {
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, readErr := os.ReadFile(golden)
			if readErr != nil {
				t.Fatal(readErr)
			}
			if got := err.Error() + "\n"; got != string(want) {
				t.Errorf("error is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestReadRecipeReportsAFailedRead(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	_, err := ReadRecipe("acme.yaml", iotest.ErrReader(broken))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "acme.yaml") {
		t.Errorf("got %v, want an error that wraps the cause and names the file", err)
	}
}

func TestReadRecipeRefusesWhatIsTooLong(t *testing.T) {
	t.Parallel()
	long := "version: 1\n#" + strings.Repeat("x", maxRecipeBytes)
	_, err := ReadRecipe("long.yaml", strings.NewReader(long))
	var problem *RecipeError
	if !errors.As(err, &problem) {
		t.Errorf("got %v, want a RecipeError", err)
	}
}

func TestQuantities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Limits{
		"rate: 2/s":            {Rate: 2},
		"rate: 0.5/s":          {Rate: 0.5},
		"rate: 60/min":         {Rate: 1},
		"rate: 7200/h":         {Rate: 2},
		"max_file_size: 1500":  {MaxFileSize: 1500},
		"max_file_size: 1.5GB": {MaxFileSize: 1_500_000_000},
		"max_file_size: 1 MiB": {MaxFileSize: 1 << 20},
		"max_file_size: 2kb":   {MaxFileSize: 2000},
	} {
		r, err := ReadRecipe("q.yaml", strings.NewReader("version: 1\nlimits: {"+text+"}\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want.Rate != 0 && r.Limits.Rate != want.Rate || want.MaxFileSize != 0 && r.Limits.MaxFileSize != want.MaxFileSize {
			t.Errorf("%s was read as %+v, want %+v", text, r.Limits, want)
		}
	}
	for _, text := range []string{
		"rate: 0/s", "rate: -1/s", "rate: 2", "rate: 5000/s", "rate: 1e3/s", "rate: 2/fortnight",
		"max_file_size: 0", "max_file_size: 5000GB", "max_file_size: -1", "max_file_size: 1,5MB", "max_file_size: ",
		"max_files: -1", "max_files: 1.5", "max_files: 99999999999999999999",
	} {
		if r, err := ReadRecipe("q.yaml", strings.NewReader("version: 1\nlimits: {"+text+"}\n")); err == nil {
			t.Errorf("%s was read as %+v, want an error", text, r.Limits)
		}
	}
}

func FuzzReadRecipe(f *testing.F) {
	samples, err := filepath.Glob(filepath.Join(recipeSamples, "*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, sample := range samples {
		data, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		recipe, err := ReadRecipe("fuzz.yaml", strings.NewReader(string(data)))
		if err == nil {
			if recipe.Folder == "" || recipe.Ready.Quiet >= recipe.Ready.Timeout || recipe.Limits.MaxFiles < 1 || recipe.Limits.MaxFileSize < 1 {
				t.Errorf("read a recipe that cannot work: %+v", recipe)
			}
			return
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok || recipe != nil {
			t.Fatalf("got the recipe %v and the error %v, want no recipe and joined errors", recipe, err)
		}
		for _, err := range joined.Unwrap() {
			var problem *RecipeError
			if !errors.As(err, &problem) || problem.Line < 1 || problem.Message == "" {
				t.Errorf("got %#v, want a RecipeError with a place and a message", err)
			}
		}
	})
}
