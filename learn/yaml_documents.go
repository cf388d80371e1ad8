package learn

import (
	"cmp"
	"fmt"
	"strings"
)

// sentence begins a text with a capital letter.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (w *writer) documents(docs *Documents, lacking string, uncounted bool) {
	if docs != nil && docs.Given {
		if len(docs.Doubts) > 0 {
			w.line("")
			w.note("", "look here, at the documents: %s.", strings.Join(docs.Doubts, "; "))
		}
		return
	}
	w.line("")
	if docs == nil && lacking != "" {
		w.note("", "look here: the documents were not found, so there is no attachments: and none are looked for. %s.", sentence(lacking))
		w.off()
		return
	}
	if docs == nil {
		w.note("", "look here: no documents were recognized on the orders that were looked at, so there is no attachments: and none are looked for.")
		w.off()
		return
	}
	if docs.Refuted != "" {
		w.refuted(docs)
		return
	}
	mark := "sure"
	if len(docs.Doubts) > 0 {
		mark = "look here: " + strings.Join(docs.Doubts, "; ")
	}
	w.note("", "%s: %s.", mark, docs.describe())
	w.line("attachments:")
	if len(docs.Headers) > 0 {
		w.line("  headers: [%s] # without it, the portal refused them", strings.Join(docs.Headers, ", "))
	}
	if docs.Expand != "" {
		w.line("  expand: [%s] # opens them: %s", quote(docs.Expand), printable(fmt.Sprintf("%q", docs.ExpandText)))
	}
	switch {
	case docs.Data != nil:
		w.data("  ", docs.Data)
	default:
		w.items(docs)
	}
	if uncounted {
		w.whole(docs)
	}
	if len(docs.LeftOut) > 0 && docs.Data == nil {
		w.note("  ", "The same on several orders, so no documents of one: %s.", strings.Join(docs.LeftOut, ", "))
	}
}

// items writes what finds documents on pages.
func (w *writer) items(docs *Documents) {
	if docs.Unlinked != nil {
		w.note("  ", "The page's data lists them, too, but nothing shows their addresses. If a click brings none, find out how one is opened, and put this in place of item:, with the right link:")
		w.data("  # ", docs.Unlinked)
	}
	w.line("  item: %s", quote(docs.Item))
	if docs.Next != "" {
		w.line("  next: {text: %s} # shows more of them", quote(docs.Next))
	}
	if len(docs.Exclude)+len(docs.ExcludeTexts) > 0 {
		var list []string
		for _, one := range docs.Exclude {
			list = append(list, quote(one))
		}
		for _, one := range docs.ExcludeTexts {
			list = append(list, "{text: "+quote(one)+"}")
		}
		w.line("  exclude: [%s]", strings.Join(list, ", "))
	}
	if docs.None != "" {
		w.line("  none: %s # %s", quote(docs.None), printable(fmt.Sprintf("%q on %s", docs.NoneText, plural(docs.Without, "order"))))
	}
	if docs.Count != "" {
		w.line("  count: %s # the number of documents on every order that was looked at", quote(docs.Count))
	}
}

// whole offers to say that all documents are found, which takes a person who has looked.
func (w *writer) whole(docs *Documents) {
	seen := ""
	if len(docs.Numbers) > 0 {
		seen = " (" + docs.numbers() + " were seen)"
	}
	w.note("  ", "Nothing on the pages says how many documents there are%s, so orders are not confirmed. If you have looked, and this always finds all of them, remove the #:", seen)
	w.line("  # whole: true")
}

// off offers to say that no documents are wanted.
func (w *writer) off() {
	w.note("", "Orders are not confirmed so. Write attachments: with the item that finds documents; or, if you want none:")
	w.line("# attachments: off")
}

// refuted writes as comments what has found nothing that could be had.
func (w *writer) refuted(docs *Documents) {
	w.note("", "look here: %s. But %s (%s). So there is no attachments: and none are looked for, until you find out how one is opened.", docs.describe(), strings.Join(docs.Doubts, "; "), docs.Refuted)
	if docs.Unlinked == nil {
		w.line("# attachments:")
		w.line("#   item: %s", quote(docs.Item))
		return
	}
	w.note("", "The page's data lists them; put in the right link, and remove the #:")
	w.line("# attachments:")
	w.data("#   ", docs.Unlinked)
}

// data writes where the page's data lists documents.
func (w *writer) data(indent string, d *DataDocuments) {
	w.line("%sjson:", indent)
	w.line("%s  url: %s", indent, quote(d.Answer))
	w.line("%s  items: %s", indent, quote(d.Items))
	w.line("%s  link: %s", indent, quote(cmp.Or(d.Link, "/.../{$.id}")))
	if d.Name != "" {
		w.line("%s  name: %s", indent, quote(d.Name))
	}
}
