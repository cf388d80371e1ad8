package sampling

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/learn"
	"github.com/poscrape/poscrape/scrape"
	"github.com/poscrape/poscrape/session/setup"
	"github.com/poscrape/poscrape/tasks"
)

// thorough is the environment variable with which make thorough has long tests do all that they can.
const thorough = "POSCRAPE_THOROUGH"

func configFor(t testing.TB, file string) Config {
	if testing.Short() {
		t.Skip("it starts a Chrome")
	}
	cfg := Config{Config: setup.DefaultConfig(), Samples: DefaultSamples, Tell: func(format string, args ...any) { t.Logf(format, args...) }}
	cfg.File, cfg.NoSandbox, cfg.AllowLocal, cfg.TempDir = file, true, true, t.TempDir()
	return cfg
}

// score is how orders came home.
type score struct {
	right, lost, wrong, all int
	documents, expected     int
	// sureWrong are fields called sure that were wrong.
	sureWrong []string
	notes     []string
}

func (s *score) String() string {
	return fmt.Sprintf("%d of %d fields right, %d lost, %d wrong; %d of %d documents", s.right, s.all, s.lost, s.wrong, s.documents, s.expected)
}

// reader reads orders of a portal by a recipe.
type reader struct {
	*visit
	scraper *scrape.Scraper
}

func newReader(t testing.TB, text string, cfg Config, columns []string) *reader {
	t.Helper()
	recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	recipe.Mode = scrape.ModeRender
	portal := scrape.NewPortal(recipe, columns)
	v := &visit{cfg: cfg, rates: scrape.NewRates()}
	if err := v.open(t.Context(), portal); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.close(); err != nil {
			t.Error(err)
		}
	})
	return &reader{v, v.scraper}
}

func (r *reader) score(t testing.TB, k *kitPortal, d *learn.Draft, orders []order) *score {
	t.Helper()
	s := &score{}
	fields := map[string]*learn.Field{}
	for _, f := range d.Fields {
		fields[f.Column] = f
	}
	for _, o := range orders {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: o.po, Digits: o.po[2:], Dir: o.po, URL: k.address(o)}}
		res, err := r.scraper.Do(t.Context(), task)
		if err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s: %v", o.po, err))
		}
		if res != nil && res.Staging != "" {
			_ = os.RemoveAll(res.Staging)
		}
		_, done, _, _ := res.Count()
		s.documents += done
		s.expected += len(o.documents)
		for _, column := range columnsOfKit {
			s.all++
			f := fields[column]
			if f == nil || f.Unknown != "" || res == nil {
				s.lost++
				continue
			}
			got, there := res.Fields[f.Name]
			switch value := got.Value; {
			case !there || got.Error != "" || got.Ambiguous || got.Raw == "":
				s.lost++
			case value == truth[column](o):
				s.right++
			case f.Type == scrape.FieldText && column == "Ordered on" && got.Raw == o.issued.Format(k.date):
				s.right++
			default:
				s.wrong++
				s.notes = append(s.notes, fmt.Sprintf("%s %s is %q, not %q", o.po, column, got.Raw, truth[column](o)))
				if f.Sure() {
					s.sureWrong = append(s.sureWrong, f.Name)
				}
			}
		}
	}
	return s
}

// learnt drafts a recipe for a portal.
func learnt(t testing.TB, k *kitPortal, wrong float64) *learn.Draft {
	t.Helper()
	d, err := Run(t.Context(), configFor(t, k.sheet(t, wrong)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAPortal learns from a sheet in which every fifth cell is wrong or empty, with a sign-in that the portal renews, and with an
// order that has more documents than any sample.
func TestAPortal(t *testing.T) {
	t.Parallel()
	k := startKit(t, makes[4], 104)
	cfg := configFor(t, k.sheet(t, 0.2))
	cfg.Samples, cfg.State = 4, filepath.Join(t.TempDir(), "kit.state.json")
	state := `{"cookies": [{"name": "turn", "value": "i", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": false, "secure": false, "sameSite": "Lax"}], "origins": []}`
	if err := os.WriteFile(cfg.State, []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Tell = func(format string, args ...any) {
		t.Logf(format, args...)
		if strings.HasPrefix(format, "Checking") {
			k.goesOn.CompareAndSwap(nil, args[0])
		}
	}
	d, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(cfg.State); err != nil || !strings.Contains(string(kept), `"iiiii`) {
		t.Errorf("the sign-in was not written back as the portal renewed it: %s, %v", kept, err)
	}
	asked := k.asked.Load()
	if pins := strings.Contains(d.YAML(), "browser: {language: "+d.Language+"}"); d.Language != asked || pins != (asked != "") {
		t.Errorf("the portal was asked for %q, the draft asks for %q: %v", asked, d.Language, pins)
	}
	if !strings.Contains(d.YAML(), `next: {text: "Voir plus"}`) {
		t.Errorf("what shows more documents of order %v, which was no sample, is not drafted:\n%s", k.goesOn.Load(), d.YAML())
	}
	r := newReader(t, d.YAML(), configFor(t, ""), nil)
	s := r.score(t, k, d, k.orders[27:33]) // three of the sheet, and three others
	if s.wrong > 0 || s.right*100 < 95*s.all || s.documents != s.expected || !d.Holds {
		t.Errorf("%s, holds: %v, %v\n%s", s, d.Holds, s.notes, d.YAML())
	}
	if len(d.Findings) == 0 {
		t.Error("the rows that are wrong are not named")
	}
}

// TestPortals learns every kind of portal, from a sheet that is right and from one in which every
// fifth cell is wrong or empty, and reads what was learnt after each change of the portal.
func TestPortals(t *testing.T) {
	if os.Getenv(thorough) == "" {
		t.Skipf("it takes minutes; set %s to run it", thorough)
	}
	for i, m := range makes {
		for _, wrong := range []float64{0, 0.2} {
			t.Run(fmt.Sprintf("%s/%v", m.name, wrong), func(t *testing.T) {
				k := startKit(t, m, uint64(i)+100)
				d := learnt(t, k, wrong)
				text := d.YAML()
				r := newReader(t, text, configFor(t, ""), nil)
				s := r.score(t, k, d, k.orders)
				t.Log(s, s.notes)
				if len(s.sureWrong) > 0 || s.wrong > 0 {
					t.Errorf("%d values are wrong, and of fields called sure: %v", s.wrong, s.sureWrong)
				}
				if s.right*100 < 95*s.all || s.documents != s.expected {
					t.Errorf("%s\n%s", s, text)
				}
				if wrong == 0 {
					afterChanges(t, r, k, d)
				}
			})
		}
	}
}

func afterChanges(t *testing.T, r *reader, k *kitPortal, d *learn.Draft) {
	all, right := 0, 0
	for _, c := range changes {
		k.now = c
		s := r.score(t, k, d, k.orders[30:40])
		t.Log(c, s, s.notes[:min(3, len(s.notes))])
		if s.wrong > 0 {
			t.Errorf("%s: %d values are wrong", c, s.wrong)
		}
		all, right = all+s.all, right+s.right
	}
	if right*100 < 85*all {
		t.Errorf("after the changes, %d of %d fields are right", right, all)
	}
}
