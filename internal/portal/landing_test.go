package portal

import (
	"net/http"
	"strings"
	"testing"
)

func TestLandingIsPaged(t *testing.T) {
	t.Parallel()
	c := quick()
	c.Orders = 60
	s := open(t, c)
	orders := s.Orders()
	for path, want := range map[string][2]int{
		"/": {0, 25}, "/?page=2": {25, 50}, "/?page=3": {50, 60}, "/?page=99": {50, 60}, "/?page=-1": {0, 25}, "/?page=x": {0, 25},
	} {
		page := string(s.get(path).body)
		if n := strings.Count(page, `href="/orders/`); n != want[1]-want[0] {
			t.Errorf("%s: %d orders", path, n)
		}
		if !strings.Contains(page, orders[want[0]].Path) || !strings.Contains(page, orders[want[1]-1].Path) {
			t.Errorf("%s does not show orders %v", path, want)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s := open(t, quick(Plain))
	o := s.only()
	for _, path := range []string{
		"/nothing", "/assets/nothing.js", "/orders/PO1", "/orders/PO1/attachments/1", o.Path + "/attachments/2",
		o.Path + "/attachments/0", o.Path + "/attachments/x", "/files/" + o.Number + "/1", "/api" + o.Path + "/documents",
		"/api" + o.Path + "/content/1",
	} {
		if a := s.get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
	}
	r, err := s.client.Post(s.base+o.Path, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with status %d", r.StatusCode)
	}
	if s.get("/api/news").StatusCode != 200 || s.Requests("").Polls != 1 {
		t.Error("asking for news is not counted")
	}
}
