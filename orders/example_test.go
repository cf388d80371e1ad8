package orders_test

import (
	"fmt"
	"strings"

	"github.com/poscrape/poscrape/orders"
)

func ExampleRead() {
	sheet, err := orders.Read("pos.csv", strings.NewReader(`Order No.;Supplier;Priority
PO15262984;ACME;
15262984;;5
1.5E+07;Lost & Found;
`), orders.Options{URL: "https://portal.example/order_headers/{digits}"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spec := range sheet.Specs() {
		fmt.Printf("%s: %d rows, priority %d, %q\n", spec.Dir, len(spec.Rows), spec.Priority, spec.URL)
	}
	for _, problem := range sheet.Problems {
		fmt.Println(problem)
	}
	// Output:
	// PO15262984: 2 rows, priority 5, "https://portal.example/order_headers/15262984"
	// row-4: 1 rows, priority 0, ""
	// pos.csv:4: Order No.: "1.5E+07" has lost its digits in a spreadsheet: format the column as text, enter the number again, and save
}
