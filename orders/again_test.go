package orders

import (
	"reflect"
	"strings"
	"testing"
)

// A sheet that is made of what was asked of the queue asks for the same again.
func TestAgain(t *testing.T) {
	t.Parallel()
	sheet, err := Read("pos.csv", strings.NewReader("po,url,amount\nPO1001,https://portal.example/1,5\nPO1002,ftp://x,\n"+
		"PO1001,https://portal.example/1,6\nPO1003,https://portal.example/3,\nPO1004,https://portal.example/4,\nPO1005,ftp://x,\nTotal,,11\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sheet.Select(Selection{Limit: 2}); err != nil {
		t.Fatal(err)
	}
	want := sheet.Specs()
	again := Again(sheet.Input, want)
	if err := again.Select(Selection{}); err != nil {
		t.Fatal(err)
	}
	got := again.Specs()
	if len(got) != len(want) || len(want) != 6 {
		t.Fatalf("%d are asked for, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Invalid != nil && want[i].Invalid != nil {
			if got[i].Invalid.Error() != want[i].Invalid.Error() {
				t.Errorf("%q cannot be used, want %q", got[i].Invalid.Error(), want[i].Invalid.Error())
			}
			got[i].Invalid, want[i].Invalid = nil, nil
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%+v is asked for, want %+v", got[i], want[i])
		}
	}
	if len(again.Problems) != len(sheet.Problems) || len(again.Problems) != 1 {
		t.Errorf("the problems are %v", again.Problems)
	}
}
