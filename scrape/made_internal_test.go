package scrape

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestAddressMadeLater has an address be made that could not be before: it is the same document.
func TestAddressMadeLater(t *testing.T) {
	t.Parallel()
	before := []item{{URL: "https://h.example/a.pdf"}, {Unmade: "the field has no value"}}
	later := []item{{URL: "https://h.example/a.pdf"}, {URL: "https://h.example/b.pdf"}}
	var docs []tasks.Attachment
	for i, key := range itemKeys(before) {
		doc := tasks.Attachment{Key: key.String(), URL: before[i].URL, State: tasks.AttachmentDone}
		if before[i].Unmade != "" {
			doc.State, doc.Error = tasks.AttachmentFailed, tasks.Retry(tasks.ClassAttachment, "%s", before[i].Unmade)
		}
		docs = append(docs, doc)
	}
	if _, matched := match(docs, later, itemKeys(later), func(tasks.Attachment) bool { return true }); !matched[0] || !matched[1] {
		t.Errorf("of the documents before, these are listed: %v", matched)
	}
}
