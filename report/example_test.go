package report

import (
	"context"
	"fmt"
	"os"
)

func ExampleBuild() {
	var session Source = interrupted() // in earnest: the session's ledger
	r, err := Build(context.Background(), session)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Session.Status, r.Totals.Completed, "of", r.Totals.Tasks)
	for task, err := range r.Tasks() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %q\n", task.PO, task.Outcome)
	}
	// Output:
	// INTERRUPTED 1 of 5
	// PO1 "complete"
	// PO2 "interrupted"
	// PO3 "interrupted"
	// PO4 "interrupted"
	// PO5 ""
}

func ExampleReport_WriteFailedCSV() {
	r, err := Build(context.Background(), finished())
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.WriteFailedCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// PO Number,URL,Supplier,Amount
	// PO1002,https://portal.example/orders/PO1002,Acme GmbH,"1.250,00"
	// PO1004,https://portal.example/orders/PO1004,Acme GmbH,"1.250,00"
	// 1.5E+07,,"Acme, GmbH","7,00",an extra cell
	// PO1007,https://portal.example/orders/PO1007,Acme GmbH,"1.250,00"
	// PO1008,https://portal.example/orders/PO1008,Acme GmbH,"1.250,00"
	// PO1009,https://portal.example/orders/PO1009,Acme GmbH,"1.250,00"
	// PO1010,https://portal.example/orders/PO1010,Acme GmbH,"1.250,00"
	// PO1011,https://portal.example/orders/PO1011,Acme GmbH,"1.250,00"
}
