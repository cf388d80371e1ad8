package orders

import "github.com/poscrape/poscrape/witness"

// Values returns the values of the rows of a portal's orders, by which pages may be told to be theirs. Told are the
// columns whose cells the portal gets from this program.
func (s *Sheet) Values(portal string, told []string) *witness.Values {
	values := witness.NewValues(s.Input.Columns, told, s.Input.Roles)
	for _, o := range s.Orders {
		if o.Portal == portal {
			values.See(o.Rows)
		}
	}
	return values
}
