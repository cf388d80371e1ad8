package portalkit_test

import (
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/testkit"
	"github.com/poscrape/poscrape/internal/testkit/portalkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStartWithSheet(t *testing.T) { //nolint:tparallel // what it serves must be over
	t.Parallel()
	var url string
	t.Run("serves", func(t *testing.T) {
		p, sheet := portalkit.StartWithSheet(t, portal.Config{Orders: 2})
		rows := strings.Split(strings.TrimSpace(testkit.Read(t, sheet)), "\n")
		if len(rows) != 3 {
			t.Fatalf("got %q", rows)
		}
		order := p.Orders()[0]
		_, rest, _ := strings.Cut(rows[1], "http://")
		url = "http://" + rest[:strings.Index(rest, order.Path)+len(order.Path)]
		if err := ask(t, url); err != nil {
			t.Error(err)
		}
		if asked := p.Requests(order.Number).Pages; asked != 1 {
			t.Errorf("%s was asked for %d times", url, asked)
		}
	})
	if err := ask(t, url); err == nil {
		t.Error("the portal outlived its test")
	}
}

func TestSheetWithFurtherRows(t *testing.T) {
	t.Parallel()
	p := portalkit.New(t, portal.Config{Orders: 1})
	text := testkit.Read(t, portalkit.Sheet(t, p, "http://127.0.0.1:1", "PO1,http://127.0.0.1:2/1", "PO2,"))
	if !strings.Contains(text, "http://127.0.0.1:1"+p.Orders()[0].Path) || !strings.HasSuffix(text, "\nPO1,http://127.0.0.1:2/1\nPO2,\n") {
		t.Errorf("got %q", text)
	}
}

func ask(t *testing.T, url string) error {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get(url)
	if err == nil {
		err = r.Body.Close()
	}
	return err
}
