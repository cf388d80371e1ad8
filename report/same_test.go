package report

import (
	"strings"
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

func TestSameBytesUnderOtherOrdersAreFlagged(t *testing.T) {
	t.Parallel()
	doc := func(name, sum string, state tasks.AttachmentState) Attachment {
		return Attachment{Name: name, SHA256: strings.Repeat(sum, 64), Size: 1, State: state}
	}
	orders := []*Task{
		{PO: "PO1", Attachments: []Attachment{doc("a", "a", tasks.AttachmentDone), doc("again", "a", tasks.AttachmentDone), doc("gone", "c", tasks.AttachmentFailed)}},
		{PO: "PO2", Attachments: []Attachment{doc("b", "b", tasks.AttachmentDone), doc("a of 2", "a", tasks.AttachmentDone)}},
		{PO: "PO3", Attachments: []Attachment{doc("a of 3", "a", tasks.AttachmentDone), doc("c", "c", tasks.AttachmentDone), {Name: "empty", State: tasks.AttachmentDone}}},
	}
	same := firsts{}
	var got []string
	for _, o := range orders {
		same.flag(o)
		for _, d := range o.Attachments {
			if d.SameAs != nil {
				got = append(got, o.PO+" "+d.Name+": "+d.SameAs.PO+" "+d.SameAs.Name)
			}
		}
	}
	if want := "PO2 a of 2: PO1 a, PO3 a of 3: PO1 a"; strings.Join(got, ", ") != want {
		t.Errorf("flagged are %q, want %q", got, want)
	}
}
