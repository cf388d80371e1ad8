package setup

import (
	"testing"

	"github.com/poscrape/poscrape/tasks"
)

// TestDocumentsOfAnEarlierSession: an order is known by its number and its address.
func TestDocumentsOfAnEarlierSession(t *testing.T) {
	t.Parallel()
	order := func(po, url, portal string, names ...string) *tasks.ProcessingTask {
		task := &tasks.ProcessingTask{Spec: tasks.Spec{PO: po, URL: url, Portal: portal}, Result: &tasks.Result{}}
		for _, name := range names {
			task.Result.Attachments = append(task.Result.Attachments, tasks.Attachment{Name: name, State: tasks.AttachmentDone})
		}
		return task
	}
	had := []*tasks.ProcessingTask{
		order("PO1", "https://a/1", "", "a1"), order("PO1", "https://b/1", "", "b1"), order("PO2", "https://a/2?s=1", "", "a2"),
		order("PO3", "", "a", "a3"), order("PO3", "", "b", "b3"), order("PO4", "https://a/4", "", "a4"),
	}
	now := []struct {
		task *tasks.ProcessingTask
		want string
	}{
		{order("PO1", "https://a/1", ""), "a1"},
		{order("PO1", "https://b/1", "b"), "b1"},
		{order("PO1", "https://c/1", ""), ""},
		{order("PO2", "https://a/2?s=2", ""), "a2"}, // the only one, there and here
		{order("PO3", "", "b"), "b3"},
		{order("PO4", "https://a/4", ""), "a4"},
		{order("PO4", "https://b/4", ""), ""},
		{order("PO5", "https://a/5", ""), ""},
	}
	e := &Earlier{had: map[string][]earlierOrder{}, now: map[string]int{}}
	for _, task := range had {
		e.add(task)
	}
	for _, o := range now {
		e.Expect(o.task.PO)
	}
	for _, o := range now {
		got := ""
		for _, doc := range e.Documents(o.task) {
			got += doc.Name
		}
		if got != o.want {
			t.Errorf("%s at %q: %q, want %q", o.task.PO, o.task.URL, got, o.want)
		}
	}
}
