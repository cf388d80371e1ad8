package scrape_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// absent are sentences that say that there are no documents, below their heading and, as far as they
// name documents, anywhere.
var absent = []string{
	"No documents", "There are no attachments for this order.", "This order doesn't have any attachments", "No files have been uploaded so far.",
	"Documents: none", "There are no documents to show", "No attachments have been added to this purchase order yet",
	"Keine Dokumente vorhanden", "Zu dieser Bestellung liegen keine Dokumente vor.", "Bisher wurden keine Dateien hochgeladen", "Es sind noch keine Anlagen hinterlegt",
	"Aucun document n'est disponible pour cette commande", "Il n'y a pas de pièces jointes", "No hay documentos adjuntos para este pedido",
	"Nessun allegato presente per questo ordine", "Não há documentos para este pedido", "Er zijn geen bijlagen voor deze bestelling", "Brak załączników dla tego zamówienia",
	"No documents have been shared for this order.", "Dieser Bestellung sind keine Anlagen beigefügt.", "Es wurden noch keine Dokumente bereitgestellt.", "Aucun document n'est rattaché à cette commande.",
	"Nie dołączono żadnych dokumentów.", "Não existem documentos associados a esta encomenda.", "Non ci sono documenti allegati a quest'ordine.",
	"There are no attachments for this order. Please contact your buyer if you expected some.", `No attachments to show. Click "Add" to attach a file.`,
}

// absentThere say so only below such a heading.
var absentThere = []string{"None", "Nothing here yet.", "n/a", "—", "Empty", "No data", "No records to display", "Nothing to show", "Keine", "Aucun", "Geen", "Brak", "No data available in table",
	"Geen resultaten aanwezig in de tabel", "Ningún dato disponible en esta tabla", "Nessun dato disponibile nella tabella", "Keine Daten in der Tabelle vorhanden",
	"This folder is empty", "no value", "There are no items to show in this view."}

// asking say what documents may be brought, and nothing of those that are there.
var asking = []string{"Drop files here to upload", "Upload a file", "You can add files of up to 10 MB", "Add attachments", "Allowed file types: PDF, DOCX", "Click or drag file to this area to upload", "No file chosen"}

// open are sentences where documents should be that leave open whether there are any.
var open = []string{
	"Loading invoice, please wait", "Preparing your document", "No invoice available", "Documents are available in the legacy viewer",
	"You need additional permissions to see the documents", "Your documents will appear here in 24 hours", "Check back later", "Request failed", "Timeout", "Whoops!",
	"3 documents are in the archive", "Please contact your buyer for the drawings", "Documents for this order were sent by e-mail", "Scan pending", "Virus scan in progress",
	"Files are stored in SharePoint", "Drawing rev. C attached", "Hidden by policy", "Not all documents are shown", "Some documents could not be listed", "Documents not available",
	"Your search returned no documents", "No document matches the filter", "All documents hidden by filter", "Only documents of the last year are shown", "Yes", `Please <a href="/x/desk">call the desk</a> for documents`,
	"Dokumente konnten nicht ermittelt werden", "Die Anlagen liegen im Archiv", "Documents en cours de migration", "Los documentos se enviaron por correo", "Los documentos aún no se han cargado", "Documents are not here",
	"Not yet available", "Not stored here", "You are not assigned to view documents of this order", "No supplier documents. Internal documents are linked to this order.", "No documents, but 3 are in the archive",
	"0 documents (5 archived)", "0 documents, 3 hidden by your filter", "No matching documents", "No attachments in 2026", "Upload in progress", "Print files are kept by the forwarder", "Attach list is kept in Teams",
	"2 files uploaded. Drag and drop to add more",
}

// openElsewhere do so anywhere on the page.
var openElsewhere = []string{
	"Documents are available in the legacy viewer", "The attachment service is offline", "You have 2 unread documents for this order", "This order has attachments",
	"Attachments: yes", "Attachments: 2", "Documents service timed out", "Lines could not be loaded", "An unexpected error occurred while loading this order",
	"Loading invoice, please wait", "Dokumente konnten nicht geladen werden", "Diese Bestellung hat Anlagen",
}

// some are sentences that say so of documents that are not listed beside those that are.
var some = []string{
	"Not all documents are shown", "Some documents could not be listed", "Some documents are hidden", "Documents older than 90 days are archived",
	"2 further documents are in the archive", "Only documents of the last year are shown", "Only the first 2 documents are shown",
	"You do not have permission to see all documents", "Confidential documents are not listed here", "More documents are on page 2",
	"The list is incomplete.", "List truncated", "Nicht alle Dokumente werden angezeigt", "Ältere Dokumente befinden sich im Archiv",
	"Certains documents sont masqués", "No todos los documentos se muestran", "Non tutti gli allegati sono visibili", "Nem todos os documentos são exibidos",
	"Oudere documenten staan in het archief", "Nie wszystkie dokumenty są widoczne",
	"3 documents hidden", "Hidden: 3", "1 document is hidden", "5 restricted documents", "Showing the 2 most recent documents", "3 Dokumente ausgeblendet", "3 documents masqués", "Los 2 documentos más recientes",
}

// beside say nothing of further documents.
var beside = []string{
	"Documents are confidential.", "Please keep these documents for your records.", "Last updated: 24 Nov 2026", "All documents are PDF files.",
	"You can add more files of up to 10 MB", "File size is limited to 10 MB", "VAT not included in total amount", "For further documents contact your buyer.",
	"Documents could not be opened? Install a reader.", "If the list is incomplete, contact your buyer.", "Restricted documents are marked with a lock.",
	"This order was archived; its documents remain available.", "2 items have been removed from this order", "Upload more documents", "Alle Dokumente sind aktuell.",
	"Seuls les fichiers PDF sont acceptés.", "Only documents of type PDF are accepted.", "Apenas os arquivos PDF são aceitos.", "Solo los archivos PDF están permitidos.", "Es können nur die ersten 10 Dateien hochgeladen werden.",
	"Documents that have expired are shown in red.", "Dokumente, deren Gültigkeit abgelaufen ist, sind rot markiert.", "Incomplete delivery documents will be returned.", "Invoices that could not be matched to a document are rejected.",
	"0 documents hidden", "2 documents signed", "Shared with Jane and 2 others", "Sorted by latest document", "Restricted to suppliers",
	"Parts not listed in the bill of materials document are supplied by the customer.",
}

// harmless say nothing of the order's documents.
var harmless = []string{
	"Please confirm this order within 3 days.", "Payment terms: 30 days net", "Document type: Standard PO", "Status: Open",
	"This document was generated electronically and is valid without signature.", "Please send all documents to ap@acme.example.", "Purchasing document 4500012345",
	"PDF documents require a reader.", "Cash against documents", "Anlage 4, Halle 2", "Home / Documents / Orders", "Please wait for the confirmation before shipping...",
	"Goods must be delivered with all shipping documents and the order's number on the outside of each package.",
}

var tags = regexp.MustCompile(`<[^>]*>`)

// TestSentences: where no document is listed, what the page says of documents proves that there is
// none, or leaves it open.
func TestSentences(t *testing.T) {
	t.Parallel()
	pages := map[string]listed{}
	add := func(form, says string, sentences ...[]string) {
		for _, some := range sentences {
			for _, sentence := range oneIn(8, some) {
				want := ""
				if says != "" {
					want = fmt.Sprintf(says, tags.ReplaceAllString(sentence, ""))
				}
				pages[strings.ReplaceAll(fmt.Sprint(len(pages), " ", sentence), "/", "|")] = listed{body: fmt.Sprintf(form, sentence), auto: true, unlisted: want}
			}
		}
	}
	const under = `"%s" stands under "Attachments", and may mean anything`
	add(`<section><h2>Attachments</h2><p>%s</p></section>`, "", absent, absentThere, asking)
	add(`<section><h2>Attachments</h2><div class=x><span>%s</span></div></section>`, under, open)
	add(`<h2>Attachments</h2><table><thead><tr><th>Name<th>Size</thead><tr><td colspan=2>%s</table>`, under, open[:3])
	add(`<table><tr><th>Supplier<td>Acme<tr><th>Attachments<td>%s</table>`, under, []string{"Yes", "by mail"})
	add(`<form id=aspnetForm><section><h2>Attachments</h2><p>%s</p></section></form>`, under, open[:4])
	add(`<form><p>%s</p></form>`, `the page says "%s"`, openElsewhere[:3])
	add(`<p>%s</p>`, `the page says "%s"`, openElsewhere)
	add(`<div>%s</div>`, "", absent, harmless)
	add(`<section><h2>Attachments</h2><p>No documents</p></section><p>%s</p>`, "", openElsewhere)
	// A "none" is of its own place, and excuses nothing beside it.
	const besides = `<section><h2>Attachments</h2><p>No attachments</p>%s</section>`
	for _, text := range []string{"Attachments older than 90 days have been archived.", "Restricted attachments are visible to buyers only.", "Connection to the document server lost.", "Not authorized for confidential attachments.", "3 attachments were rejected by the virus scanner."} {
		add(besides, under, []string{text})
	}
	for _, fine := range []string{`<p>Use the button to attach a file.</p>`, `<p>Up to 10 MB each</p>`, `<table><tr><td>File name<td>Size</table>`} {
		add(besides, "", []string{fine})
	}
	add(`<section><h2>Attachments</h2>%s<p>No attachments</p></section>`, "", []string{`<p>Files shared between you and Acme Ltd.</p>`})
	add(`<section><h2>Attachments</h2><div><h3>No attachments</h3><p>%s</p></div></section>`, "", []string{"Files added by your buyer show up here.", "Documents that you or your buyer add will appear here."})
	add(`<section><h2>Attachments</h2><div>%s</div></section>`, "", []string{`<strong>No attachments yet</strong><span>Use the upload button to add one.</span>`})
	add(`<section><h2>Attachments</h2><h4>Internal</h4><p>None</p><h4>External</h4><p>%s</p></section>`, under, []string{"See the folder of this order"})
	pages["narrowed"] = listed{body: `<section><h2>Attachments</h2><label><input type=checkbox checked> Only mine</label><p>No attachments</p></section>`, auto: true, unlisted: `"Only mine" narrows what stands under "Attachments"`}
	add(`<p>%s</p><section><h2>Your invoice</h2><p>No files uploaded</p></section>`, `the page says "%s"`, []string{"This order has attachments"})
	pages["none of another kind"] = listed{body: `<h2>Notes</h2><p>No attachments</p><h2>Documents</h2><p>Scan pending</p>`, auto: true, unlisted: `"Scan pending" stands under "Documents", and may mean anything`}
	for _, form := range []string{`<section><h2>Documents</h2>%s<p>%s</p></section>`, `<h3>Attachments</h3><p>%[2]s</p>%[1]s`, `<div>%s<small>%s</small></div>`} {
		for _, sentence := range oneIn(8, some) {
			pages[fmt.Sprint(len(pages), " ", sentence)] = listed{body: fmt.Sprintf(form, docs, sentence), names: two, withheld: sentence, rendered: true}
		}
		for _, sentence := range oneIn(8, beside) {
			pages[fmt.Sprint(len(pages), " ", sentence)] = listed{body: fmt.Sprintf(form, docs, sentence), names: two, rendered: true}
		}
	}
	pages["in the row of one"] = listed{body: `<h2>Documents</h2><ul><li><a class=doc href="/d/1.pdf">Invoice.pdf</a> <i>archived document</i></ul>`, names: two[:1]}
	pages["of other things"] = listed{body: `<h2>Documents</h2>` + docs + `<h2>Lines</h2><p>Not all items are shown</p>`, names: two}
	pages["left out"] = listed{body: `<h2>Documents</h2>` + docs + `<p class=note>Not all documents are shown</p>`, recipe: `exclude: [.note]`, names: two}
	readListings(t, pages, 1)
}
