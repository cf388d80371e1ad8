package orders

import "github.com/poscrape/poscrape/internal/template"

// headerName says which role a header stands for, and how surely: rank 0 is the
// role's own name; of two columns the one of the lower rank is taken.
type headerName struct {
	role role
	rank int
}

// headerNames holds the known headers, folded.
var headerNames = foldedHeaderNames()

func foldedHeaderNames() map[string]headerName {
	names := map[string]headerName{}
	for _, list := range []struct {
		role  role
		ranks [][]string
	}{
		{rolePO, poNames()},
		{roleURL, [][]string{
			{"url"},
			{"order url", "po url", "purchase order url", "url order", "url po", "order link", "po link", "portal url", "page url"},
			{"link", "href", "hyperlink", "web address", "webadresse", "lien", "enlace", "collegamento"},
		}},
		{roleSupplier, [][]string{
			{"supplier"},
			{"supplier name", "vendor/supplying plant", "purch name", "kontrahent", "vendor", "vendor name", "lieferant", "lieferantenname", "kreditor", "fournisseur",
				"nom du fournisseur", "proveedor", "nombre del proveedor", "fornitore", "fornecedor", "leverancier",
				"dostawca", "leverantör", "seller"},
		}},
		{roleAmount, [][]string{
			{"amount"},
			{"total amount", "order value", "po value", "gross order value", "po gross value", "order amount", "po amount", "order total", "po total", "betrag", "gesamtbetrag", "bestellwert",
				"montant", "montant total", "importe", "importe total", "importo", "importo totale", "valor", "bedrag", "kwota", "wartość", "wartość brutto", "bruttobetrag", "montant ttc"},
			{"total", "sum", "summe", "value", "wert", "net amount", "gross amount"},
		}},
		{roleCurrency, [][]string{
			{"currency"},
			{"currency code", "curr", "ccy", "crcy", "währg", "währung", "waehrung", "devise", "monnaie", "moneda", "divisa", "valuta", "moeda", "waluta"},
		}},
		{rolePriority, [][]string{
			{"priority"},
			{"prio", "priorität", "prioritaet", "priorité", "prioridad", "priorità", "prioridade", "prioriteit"},
		}},
		{roleBuyer, [][]string{
			{"buyer"},
			{"buyer name", "purchaser", "purchasing agent", "einkäufer", "einkaeufer", "acheteur", "comprador", "compratore",
				"inkoper", "kupiec", "inköpare"},
			{"requester", "requisitioner", "requestor", "besteller", "anforderer"},
		}},
		{roleDocuments, [][]string{{"documents"}}},
	} {
		for rank, synonyms := range list.ranks {
			for _, name := range synonyms {
				names[template.FoldColumn(name)] = headerName{role: list.role, rank: rank}
			}
		}
	}
	return names
}

// poNames lists the headers of order numbers, the surest first: those that
// speak of a purchase order's number, of an order's number, of an order, and of a number.
func poNames() [][]string {
	return [][]string{
		{"po"},
		{
			"po number", "po no", "po nr", "po num", "po id", "number of po", "purchase order number", "purchase order no",
			"purchase order nr", "purchase order num", "purchase order id", "purchase order",
			"purchasing document", "purchasing doc", "purchasing document number", "purchasing doc no", "purch doc", "purch doc no", "purch order",
			"purch order no", "purch id",
		},
		{
			"order number", "order no", "order nr", "order num", "order id", "number of order",
			"bestellnummer", "bestell-nr", "bestell-no", "bestellungsnummer", "bestellung nr", "bestellung nummer", "nummer der bestellung", "einkaufsbeleg", "einkaufsbelegnummer", "belegnummer bestellung",
			"numéro de commande", "no de commande", "n° de commande", "numéro commande", "n° commande", "no commande", "nº commande", "commande n°", "numéro de bon de commande", "bon de commande", "n° bon de commande",
			"número de pedido", "nº de pedido", "n° de pedido", "no de pedido", "número pedido", "nº pedido", "n° pedido", "pedido no", "número do pedido", "nº do pedido", "orden de compra", "número de orden de compra", "número de orden", "ordem de compra", "pedido de compra",
			"numero ordine", "n° ordine", "nº ordine", "numero d'ordine", "numero dell'ordine", "ordine n°", "ordine di acquisto", "numero ordine di acquisto",
			"ordernummer", "bestelnummer", "inkoopordernummer", "inkooporder", "numer zamówienia", "nr zamówienia", "ordrenummer", "beställningsnummer", "tilausnumero", "číslo objednávky",
			"номер заказа", "采购订单号", "采购订单", "订单号", "注文番号", "発注番号",
		},
		{
			"order", "orders", "bestellung", "bestellungen", "commande", "commandes", "pedido", "pedidos", "orden", "ordine", "ordini",
			"bestelling", "zamówienie", "beställning", "ordre", "tilaus", "objednávka", "заказ",
		},
		{"number", "nummer", "numéro", "número", "numero", "numer"},
		{
			"document number", "document no", "doc number", "doc no", "belegnummer", "belegnr", "numéro de document", "número de documento",
			"numero documento", "documentnummer", "numer dokumentu", "nr dokumentu",
		},
	}
}
