package witness

// Lack says of an order what keeps it from being confirmed.
type Lack string

// What may be lacking. Orders are grouped by it.
const (
	LacksReading     Lack = "an earlier version has read it, and has not kept what would confirm it"
	LacksNumber      Lack = "its page does not show its number where the recipe says, or labelled"
	LacksRow         Lack = "its page shows no further value of its row that is its own, as the pages of others do"
	LacksPeers       Lack = "its page shows no further value of its row, and fewer than five pages like it are known to be orders' own"
	LacksLabels      Lack = "its page shows no further value of its row, and pages like it have no headings and labels in common"
	LacksShape       Lack = "its page looks unlike the others"
	LacksCount       Lack = "nothing on its pages says how many documents there are"
	LacksSheet       Lack = "its row says another number of documents than were found"
	LacksOtherCount  Lack = "its page says that there are 0 documents, and no page like it says another number"
	LacksOtherNone   Lack = "its page shows attachments.none, and no page like it has documents and does not"
	LacksClearNone   Lack = "its page shows attachments.none, and pages like it show that beside documents"
	LacksPage        Lack = "the number of its documents is the size of a page of a list"
	LacksOwnDocument Lack = "other orders list all of its documents as well"
	LacksDifference  Lack = "documents of it with different names have the same content"
	LacksHost        Lack = "its page asked for scripts or data of other hosts, which containers do not let through to"
	LacksSelector    Lack = "a selector of the recipe that its list rests on met nothing wherever it was looked for"
	LacksQuestion    Lack = "the recipe says nothing of documents"
)

// several says it of several orders, and advice what a person can type or write to have them confirmed.
var about = map[Lack]struct{ several, advice string }{
	LacksReading:     {"an earlier version has read them", "read them again: poscrape retry --only unconfirmed"},
	LacksNumber:      {"their pages do not show their numbers where the recipe says, or labelled", "say in a recipe where they are, under identity"},
	LacksRow:         {"their pages show no further value of their rows that is their own, as the pages of others do", "look at them: they may be other orders' pages, or others' pages show what is theirs"},
	LacksPeers:       {"their pages show no further value of their rows, and fewer than five pages like them are known to be orders' own", "give the sheet a column that the portal shows, such as the supplier or the amount"},
	LacksLabels:      {"their pages show no further value of their rows, and pages like them have no headings and labels in common", "give the sheet a column that the portal shows, such as the supplier or the amount"},
	LacksShape:       {"their pages look unlike the others", "look at them: they may not be the orders' own pages"},
	LacksCount:       {"nothing on their pages says how many documents there are", "say in a recipe where the page counts them (attachments.count) or says that there are none (none); or look at some, and if all is listed, write attachments.whole: true"},
	LacksSheet:       {"their rows say another number of documents than were found", "compare these rows with the portal; the report's differences name the numbers"},
	LacksOtherCount:  {"their pages say that there are 0 documents, and no page like them says another number", "look at some of them"},
	LacksOtherNone:   {"their pages show attachments.none, and no page like them has documents and does not show it", "look at some of them, and at attachments.item and none in the recipe"},
	LacksClearNone:   {"their pages show attachments.none, and pages like them show that beside documents", "look at some of them, and have attachments.none in the recipe meet only what says that there are no documents"},
	LacksPage:        {"the number of their documents is the size of a page of a list", "look whether there are more, and say in a recipe what leads to them, under attachments.next"},
	LacksOwnDocument: {"other orders list all of their documents as well", "look whose these documents are; name what is no order's in a recipe, under attachments.exclude, and begin a new session with it, as a retry keeps what is home"},
	LacksDifference:  {"documents of one order with different names have the same content", "look at them: the portal may have sent one for all"},
	LacksHost:        {"their pages asked for scripts or data of other hosts, which containers do not let through to", "name the hosts in the recipe, under allowed_hosts if pages need them, or else under block.hosts, and type: poscrape retry --only unconfirmed --recipe FILE"},
	LacksSelector:    {"a selector of the recipe that their lists rest on met nothing wherever it was looked for", "mend the recipe, and type: poscrape retry --only unconfirmed --recipe FILE"},
	LacksQuestion:    {"the recipe says nothing of documents", "write attachments in the recipe; or attachments: off, if you do not want documents"},
}

// Of returns what is lacking, for so many orders.
func (l Lack) Of(orders int) string {
	if orders == 1 {
		return string(l)
	}
	return about[l].several
}

// Elsewhere reports whether the pages of more orders may give it.
func (l Lack) Elsewhere() bool {
	return l == LacksPeers || l == LacksOtherCount || l == LacksOtherNone
}

// Advice returns what a person can type or write to have such orders confirmed.
func (l Lack) Advice() string { return about[l].advice }
