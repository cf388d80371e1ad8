package scrape

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestSightings(t *testing.T) {
	t.Parallel()
	p := NewPortal(AutoRecipe(), nil)
	kind := p.Kind("https://portal.example/orders/PO1001?id=7")
	if kind == "" || kind != p.Kind("https://portal.example/orders/PO2002?id=8") || kind == p.Kind("https://portal.example/invoices/PO2002?id=8") {
		t.Errorf("the kind is %q", kind)
	}
	if p.NoteItemMet(""); p.ItemMet("") || p.ItemMet(kind) {
		t.Error("an item was met that nobody has told of")
	}
	if p.NoteItemMet(kind); !p.ItemMet(kind) || p.ItemMet(kind+"x") {
		t.Error("an item that was told of was not met")
	}
	for _, address := range []string{"", "orders", "://", "mailto:a@b"} {
		if got := p.Kind(address); got != "" {
			t.Errorf("%q is of the kind %q", address, got)
		}
	}
	if p.ItemSeen([]tasks.Look{{Where: "attachments.item"}, {Where: "attachments.none", Met: 1}}) || !p.ItemSeen([]tasks.Look{{Where: "attachments.item", Met: 2}}) {
		t.Error("what was seen is wrong")
	}
}

// TestSightingsAreOfOneItem: what another item has met says nothing of the recipe's own.
func TestSightingsAreOfOneItem(t *testing.T) {
	t.Parallel()
	const address = "https://portal.example/orders/PO1001"
	portals := map[string]*Portal{}
	for _, item := range []string{"a.doc", "a.doc-lnik"} {
		r, err := ReadRecipe("r.yaml", strings.NewReader("version: 1\nattachments: {item: "+item+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		portals[item] = NewPortal(r, nil)
	}
	looks := []tasks.Look{{Where: "attachments.item", Met: 2, Mark: tasks.MarkOf("a.doc")}}
	if !portals["a.doc"].ItemSeen(looks) || portals["a.doc-lnik"].ItemSeen(looks) || portals["a.doc-lnik"].ItemSeen([]tasks.Look{{Where: "attachments.item", Met: 2}}) {
		t.Error("what another item met was taken for the recipe's own")
	}
	if portals["a.doc"].Kind(address) == portals["a.doc-lnik"].Kind(address) {
		t.Error("orders that were read with another item are of the same kind")
	}
}

// TestSelectors lists those of a recipe in its order, each with what it means if it
// meets nothing.
func TestSelectors(t *testing.T) {
	t.Parallel()
	recipe, err := ReadRecipe("r.yaml", strings.NewReader(`
version: 1
ready: {selector: "#r", gone: ".g"}
identity: {selector: "#i"}
not_found: {selector: ".nf"}
access_denied: {selector: ".d"}
fields:
  gone: {selector: "#f1"}
  total: {selector: "#f2", type: amount, locale: en}
lines: {row: "#l", columns: {next: "td"}}
attachments: {item: ".doc", name: ".n", none: ".none", exclude: [".e1", ".e2"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range NewPortal(recipe, nil).Selectors() {
		got = append(got, s.Where+" "+s.Selector+" "+string(s.Kind))
	}
	want := []string{
		"ready.selector #r warning", "ready.gone .g note", "identity.selector #i warning",
		"not_found.selector .nf note", "access_denied.selector .d note",
		"fields.gone #f1 warning", "fields.total #f2 warning",
		"lines.row #l warning", "lines.columns.next td warning",
		"attachments.item .doc warning", "attachments.name .n warning", "attachments.none .none warning",
		"attachments.exclude[0] .e1 note", "attachments.exclude[1] .e2 note",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
