package portal

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestConfigNamesTheField(t *testing.T) {
	t.Parallel()
	for field, c := range map[string]Config{
		"Orders":      {Orders: -1},
		"MaxDocument": {MaxDocument: 100},
		"Variations":  {Variations: []Variation{"nonsense"}},
		"Latency":     {Latency: -1},
		"Slow":        {Slow: -time.Second},
		"Late":        {Late: -time.Second},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: New returned %v", field, err)
		}
	}
}

func TestVariationsAreDescribedOnce(t *testing.T) {
	t.Parallel()
	seen := map[Variation]bool{}
	for _, v := range Variations() {
		if seen[v] || v.About() == "" {
			t.Errorf("%s: it is there twice, or without a description", v)
		}
		seen[v] = true
	}
	if Variation("nonsense").About() != "" {
		t.Error("an unknown variation is described")
	}
}

func TestOrdersFollowFromTheConfig(t *testing.T) {
	t.Parallel()
	c := quick()
	c.Orders, c.Seed = 80, 7
	first, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	second, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first.Orders(), second.Orders()) {
		t.Error("equal configurations made different orders")
	}
	c.Seed = 8
	third, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if third.Orders()[0].Documents[0].SHA256 == first.Orders()[0].Documents[0].SHA256 {
		t.Error("another seed made the same document")
	}
	numbers := map[string]bool{}
	for i, o := range first.Orders() {
		if numbers[o.Number] || len(o.Number) != len("PO4500001001") {
			t.Errorf("%s: the number is there twice, or has another length", o.Number)
		}
		numbers[o.Number] = true
		if want := Variations()[i%len(Variations())]; o.Variation != want {
			t.Errorf("order %d is %s, not %s", i, o.Variation, want)
		}
	}
}

// wanted is what the comments of the variations promise.
func wanted() map[Variation]Want {
	w := map[Variation]Want{
		Several: {Outcome: "complete", Done: 7, Attempts: 1}, SixtyLines: {Outcome: "complete", Done: 2, Attempts: 1},
		TwoWaves: {Outcome: "complete", Done: 3, Attempts: 1}, NoneMarker: {Outcome: "no_attachments", Attempts: 1},
		EmptyList: {Outcome: "no_attachments", Attempts: 1}, EndlessSpinner: {Outcome: "partial", Attempts: 3},
		NotFound: {Outcome: "not_found", Attempts: 1}, SoftNotFound: {Outcome: "not_found", Attempts: 1},
		AccessDenied: {Outcome: "access_denied", Attempts: 1}, ServerErrors: {Outcome: "complete", Done: 1, Attempts: 3},
		EmptyDocument: {Outcome: "partial", Done: 1, Failed: 1, Attempts: 3}, Truncated: {Outcome: "partial", Done: 1, Failed: 1, Attempts: 3},
		LoginForDocument: {Outcome: "partial", Done: 1, Failed: 2, Attempts: 3}, DocumentError: {Outcome: "partial", Done: 1, Failed: 1, Attempts: 3},
		NothingHad: {Outcome: "failed", Failed: 1, Attempts: 3}, ThirtyDocuments: {Outcome: "complete", Done: 30, Attempts: 1},
		WrongOrder: {Outcome: "identity_mismatch", Attempts: 3}, HostileNames: {Outcome: "complete", Done: 21, Attempts: 1},
		ServerNames: {Outcome: "complete", Done: 8, Attempts: 1}, ForeignHost: {Outcome: "partial", Done: 1, Skipped: 1, Attempts: 1},
	}
	for _, v := range []Variation{Plain, Slow, InlinePDF, OctetStream, LookAlikes, Redirect} {
		w[v] = Want{Outcome: "complete", Done: 1, Attempts: 1}
	}
	for _, v := range []Variation{
		ScriptMount, JSONMount, LateMount, EmptyThenLoaded, SameNameOtherBytes, SameNameSameBytes,
		TargetBlank, Blob, Alert, Confirm, Console, Polling,
	} {
		w[v] = Want{Outcome: "complete", Done: 2, Attempts: 1}
	}
	return w
}

func TestWantIsWhatTheVariationsPromise(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Variations()...))
	if err != nil {
		t.Fatal(err)
	}
	promised := wanted()
	for _, o := range p.Orders() {
		want, ok := promised[o.Variation]
		if !ok {
			t.Errorf("%s: nothing is promised", o.Variation)
		}
		got := o.Want
		got.Fields = nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: it wants %+v, promised is %+v", o.Variation, got, want)
		}
		byRecipe, other := map[Variation]Want{
			EmptyList: {Outcome: "partial", Attempts: 3}, EndlessSpinner: {Outcome: "failed", Attempts: 3},
		}[o.Variation]
		if !other {
			byRecipe = want
		}
		got = o.WantRecipe
		got.Fields = nil
		if !reflect.DeepEqual(got, byRecipe) {
			t.Errorf("%s: with a recipe it wants %+v, promised is %+v", o.Variation, got, byRecipe)
		}
		read := !slices.Contains([]string{"not_found", "access_denied", "identity_mismatch"}, want.Outcome)
		if read != (o.Want.Fields["supplier"] == o.Supplier) || (read && o.Variation != EndlessSpinner) != (o.WantRecipe.Fields["total"] == o.Total) {
			t.Errorf("%s: it wants the fields %v", o.Variation, o.WantRecipe.Fields)
		}
	}
}

func TestLinesAddUpToTheTotal(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Variations()...))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range p.Orders() {
		if n := len(o.Lines); o.Variation == SixtyLines && n != 60 || o.Variation != SixtyLines && (n < 3 || n > 12) {
			t.Errorf("%s: %d lines", o.Variation, n)
		}
		sum := 0
		for _, l := range o.Lines {
			sum += hundredths(t, l.Amount)
			if hundredths(t, l.Amount) != l.Quantity*hundredths(t, l.Price) {
				t.Errorf("%s: %d times %s is not %s", o.Number, l.Quantity, l.Price, l.Amount)
			}
		}
		if sum != hundredths(t, o.Total) {
			t.Errorf("%s: the total is %s, the lines make %d", o.Number, o.Total, sum)
		}
	}
}

func hundredths(t *testing.T, amount string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Replace(amount, ".", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDocumentsAreDescribed(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Variations()...))
	if err != nil {
		t.Fatal(err)
	}
	byVariation := map[Variation]Order{}
	for _, o := range p.Orders() {
		byVariation[o.Variation] = o
		for _, d := range o.Documents {
			sum, err := hex.DecodeString(d.SHA256)
			if d.Name == "" || d.MIME == "" || err != nil || len(sum) != 32 || (d.Path == "") != (d.link == linkBlob) {
				t.Errorf("%s: %+v", o.Variation, d)
			}
			if d.Broken != (d.State == stateFailed) || d.Size == 0 != (d.delivery == deliverNothing) {
				t.Errorf("%s: %s is broken %v, %s, %d bytes", o.Variation, d.Name, d.Broken, d.State, d.Size)
			}
			if d.Sent != "" && d.disposition() == "" {
				t.Errorf("%s: the name %q cannot be sent", o.Variation, d.Sent)
			}
		}
	}
	for v, same := range map[Variation]bool{SameNameOtherBytes: false, SameNameSameBytes: true} {
		d := byVariation[v].Documents
		if d[0].Name != d[1].Name || same != (d[0].SHA256 == d[1].SHA256) || d[0].Path == d[1].Path {
			t.Errorf("%s: %+v", v, d)
		}
	}
}

func TestDemoMix(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Orders: DemoOrders, Variations: DemoMix(DemoOrders), MaxDocument: minDocument})
	if err != nil {
		t.Fatal(err)
	}
	well, seen := 0, map[Variation]bool{}
	for _, o := range p.Orders() {
		seen[o.Variation] = true
		if o.Want.Well() {
			well++
		}
	}
	if well != 62 || len(seen) != len(Variations())-1 || seen[EndlessSpinner] {
		t.Errorf("%d end well, of %d variations", well, len(seen))
	}
	if twice := DemoMix(2 * DemoOrders); !slices.Equal(twice[:DemoOrders], twice[DemoOrders:]) {
		t.Error("more orders do not begin again")
	}
}

func TestWriteCSV(t *testing.T) {
	t.Parallel()
	p, err := New(quick(Variations()...))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.WriteCSV(&b, "http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows[0], []string{"po", "supplier", "amount", "currency", "url"}) || len(rows) != len(Variations())+1 {
		t.Fatalf("%d rows, the first is %v", len(rows), rows[0])
	}
	o := p.Orders()[3]
	if want := []string{o.Number, o.Supplier, o.Total, o.Currency, "http://127.0.0.1:1" + o.Path}; !slices.Equal(rows[4], want) {
		t.Errorf("row 4 is %v, not %v", rows[4], want)
	}
}

func TestAmountsAsShown(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]string{
		"0.05": "0.05", "999.00": "999.00", "1000.00": "1,000.00", "12480.50": "12,480.50", "5099154.00": "5,099,154.00",
	} {
		if got := grouped(amount); got != want {
			t.Errorf("%s is shown as %s, not %s", amount, got, want)
		}
	}
}
