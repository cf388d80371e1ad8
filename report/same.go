package report

import (
	"unique"

	"github.com/poscrape/poscrape/tasks"
)

// SameAs names a document of an earlier order that has the same bytes.
type SameAs struct {
	PO   string `json:"po"`
	Name string `json:"name"`
}

// firsts knows of all bytes which order had them first.
type firsts map[string]first

type first struct{ po, name unique.Handle[string] }

// flag notes an order's documents, and flags those whose bytes an earlier order has. Two
// documents of one order may well be the same.
func (f firsts) flag(t *Task) {
	for i := range t.Attachments {
		doc := &t.Attachments[i]
		if doc.State != tasks.AttachmentDone || len(doc.SHA256) < sumKept || doc.Size == 0 {
			continue
		}
		sum := doc.SHA256[:sumKept]
		switch earlier, known := f[sum]; {
		case !known:
			f[sum] = first{unique.Make(t.PO), unique.Make(doc.Name)}
		case earlier.po.Value() != t.PO:
			doc.SameAs = &SameAs{PO: earlier.po.Value(), Name: earlier.name.Value()}
		}
	}
}

// sumKept is how many hexadecimal digits of a sum are kept: no two documents of a session
// have so many in common by chance.
const sumKept = 24
