package scrape

import "testing"

func TestStrange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Purchase order PO7000001":        false,
		"PO7000001":                       false,
		"Order PO7000001 Documents":       false,
		"Order PO7000001 Mechanical seal": false,
		"Order PO7000001 Widgets and washers, galvanised, for the workshop":                           false,
		"Order PO7000001 Supplier ACME Pumps Ltd Line Qty Mechanical seal kit Bearing housing":        false,
		"Bestellung PO7000001 Lieferant Müller & Söhne GmbH Zahlungsziel Dichtungssatz Pumpe":         false,
		"Bon de commande PO7000001 Fournisseur Dupont Pièces jointes":                                 false,
		"Pedido PO7000001 Proveedor Aceros del Norte Adjuntos":                                        false,
		"Ordine d'acquisto PO7000001 Fornitore Rossi Allegati":                                        false,
		"Encomenda PO7000001 Fornecedor Silva Anexos":                                                 false,
		"Inkooporder PO7000001 Leverancier Jansen Bijlagen":                                           false,
		"Zamówienie PO7000001 Dostawca Kowalski Załączniki":                                           false,
		"Purchase order PO7000001 Supplier Payment terms Delivery Documents Comments 三菱重工業株式会社 横浜製作所": false,

		"Objednávka PO7000001 nebyla nalezena":                     true,
		"Ordern PO7000001 hittades inte":                           true,
		"Ordre PO7000001 blev ikke fundet":                         true,
		"PO7000001 siparişi bulunamadı":                            true,
		"Du har inte behörighet att visa order PO7000001":          true,
		"Inköpsorder PO7000001 Dokument Läser in…":                 true,
		"A PO7000001 számú megrendelés nem található":              true,
		"Tilausta PO7000001 ei löytynyt":                           true,
		"発注番号 PO7000001 が見つかりません":                                  true,
		"未找到采购订单 PO7000001":                                        true,
		"Заказ PO7000001 не найден":                                true,
		"لم يتم العثور على الطلب PO7000001":                        true,
		"Portal 発注 PO7000001 No. ID PDF 添付ファイル 読み込み中":              true,
		"Ordre PO7000001 Leverandør Hansen Betaling Vedlegg Ingen": true,
	} {
		if got := strange(text, ""); got != want {
			t.Errorf("strange(%q) is %v", text, got)
		}
	}
	const swedish = "Inköpsorder PO7000001 Leverantör Artikel Beskrivning Antal Pris Summa Kontakt Alla Visa Bilagor History Documents"
	for language, want := range map[string]bool{"sv": true, "sv-SE": true, "en": false, "de-AT": false} {
		if got := strange(swedish, language); got != want {
			t.Errorf("a page in %q is strange: %v", language, got)
		}
	}
	if strange("Purchase order PO7000001 Supplier ACME Documents Comments", "hu") {
		t.Error("a page in English that says it is in Hungarian is strange")
	}
}
