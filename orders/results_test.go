package orders

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestResultsAreASheet: what an earlier run has added to a sheet does not change which of its
// rows are orders, nor which column is what; but the addresses that it found are taken.
func TestResultsAreASheet(t *testing.T) {
	t.Parallel()
	const added = ",outcome,url,attachments_found,attachments_downloaded,folder,error,attempts,seconds,differences,new_documents,order_number,supplier,poscrape_amount"
	results := func(outcome, url string) string {
		return fmt.Sprintf(`,%s,%s,0,0,,"input: left out",0,0.000,,,PO9,Total,1.00`, outcome, url)
	}
	sheet := "Bestell-Nr.,Firma,amount" + added + "\n" +
		"PO1,Acme,10.00" + results("complete", "https://h/1") + "\n" +
		"2,Summe AG,5.00" + results("failed", "https://h/2") + "\n" +
		",Total,15.00" + results("skipped", "") + "\n" +
		"Bestell-Nr.,Firma,amount" + results("skipped", "") + "\n" +
		"3,,1.00" + results("skipped", "https://h/3") + "\n" +
		"1.5E+07,,1.00" + results("invalid_input", "") + "\n" +
		"Total,,16.00" + results("skipped", "") + "\n" +
		"Printed on 3 March," + "," + results("skipped", "") + "\n"
	for name, text := range map[string]string{
		"results.csv":      sheet,
		"of results again": strings.ReplaceAll(strings.ReplaceAll(sheet, ",outcome,url,", ",outcome,url,attachments_found,attachments_downloaded,x,poscrape_outcome,poscrape_url,"), ",0,0,,", ",0,0,,a,https://other/,0,0,,"),
	} {
		got, err := Read(name, strings.NewReader(text), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var orders []string
		for _, o := range got.Orders {
			orders = append(orders, o.Number+" "+o.URL)
		}
		if fmt.Sprint(orders) != "[PO1 https://h/1 2 https://h/2 3 https://h/3]" {
			t.Errorf("%s: the orders are %q", name, orders)
		}
		if len(got.Unusable) != 1 || got.Unusable[0].Row.Line != 7 || len(got.Skipped) != 4 {
			t.Errorf("%s: unusable are %+v, skipped %+v", name, got.Unusable, got.Skipped)
		}
		if _, taken := got.Input.Roles["supplier"]; taken || got.Input.Roles["amount"] != 2 {
			t.Errorf("%s: the columns are %v", name, got.Input.Roles)
		}
	}
}

func TestResultsIn(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]int{
		"po,url": 2, "po,outcome,url": 3, "po,outcome,url,attachments_found,attachments_downloaded,folder": 1,
		"po,outcome,poscrape_outcome,poscrape_poscrape_url,attachments_found,attachments_downloaded": 2, "outcome,url,attachments_found,attachments_downloaded": 0,
	} {
		if got := tasks.OwnColumns(strings.Split(header, ",")); got != want {
			t.Errorf("%s: got %d, want %d", header, got, want)
		}
	}
}
