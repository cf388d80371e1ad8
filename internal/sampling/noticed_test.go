package sampling

import (
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/poscrape/poscrape/scrape"
	watching "github.com/poscrape/poscrape/session/changes"
	"github.com/poscrape/poscrape/tasks"
)

// TestChangesAreNoticed reads orders of every kind of portal by what was learnt of it, before and after each
// change: whatever loses a field is to be said within ten orders, and nothing before the change.
func TestChangesAreNoticed(t *testing.T) {
	if os.Getenv(thorough) == "" {
		t.Skipf("it takes minutes; set %s to run it", thorough)
	}
	for i, m := range makes {
		t.Run(m.name, func(t *testing.T) {
			k := startKit(t, m, uint64(i)+100)
			d := learnt(t, k, 0)
			r := newReader(t, d.YAML(), configFor(t, ""), nil)
			cfg := watching.Config{Required: map[string]map[string]bool{"": {"identity": true}}}
			recipe, err := scrape.ReadRecipe("draft.yaml", strings.NewReader(d.YAML()))
			if err != nil {
				t.Fatal(err)
			}
			cfg.Selectors = scrape.NewPortal(recipe, nil).Selectors()
			for _, f := range d.Fields {
				cfg.Required[""]["fields."+f.Name], cfg.Required[""]["fields."+f.Name+".match"] = true, true
			}
			before := r.readAll(t, k, k.orders[:20])
			for _, c := range changes {
				w := watching.New(cfg)
				if said := tell(w, before); said != "" {
					t.Errorf("nothing has changed, and it said: %s", said)
				}
				k.now = c
				after := r.readAll(t, k, k.orders[20:30])
				k.now = unchanged
				said := tell(w, after)
				for _, name := range lost(before, after) {
					if !strings.Contains(said, "fields."+name+" ") && !strings.Contains(said, "fields."+name+".match ") {
						t.Errorf("%s: the field %s is lost, and it said %q", c, name, said)
					}
				}
			}
		})
	}
}

// readOrder is an order with what an attempt at it has come to.
type readOrder struct {
	task *tasks.ProcessingTask
	tasks.Decision
}

func (r *reader) readAll(t *testing.T, k *kitPortal, orders []order) (all []readOrder) {
	t.Helper()
	for _, o := range orders {
		task := &tasks.ProcessingTask{ID: uuid.New(), Spec: tasks.Spec{PO: o.po, Digits: o.po[2:], Dir: o.po, URL: k.address(o)}}
		res, err := r.scraper.Do(t.Context(), task)
		d := tasks.Decision{Result: res}
		if err != nil {
			d.Failure = tasks.AsFailure(err)
		} else {
			_ = os.RemoveAll(res.Staging)
		}
		all = append(all, readOrder{task, d})
	}
	return all
}

// tell shows orders to a watch, and returns what that says.
func tell(w *watching.Watch, orders []readOrder) (said string) {
	for _, o := range orders {
		if n := w.Recorded(o.task, o.Decision); n != nil {
			said += n.Text() + "\n"
		}
	}
	return said
}

// lost returns the fields that all orders had before, and none has after.
func lost(before, after []readOrder) (names []string) {
	having := func(orders []readOrder, name string) (n int) {
		for _, o := range orders {
			if o.Result != nil && o.Result.Fields[name].Value != "" {
				n++
			}
		}
		return n
	}
	for name := range before[0].Result.Fields {
		if having(before, name) == len(before) && having(after, name) == 0 {
			names = append(names, name)
		}
	}
	return names
}
