package portal

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// supplier is a company that the portal's orders go to.
type supplier struct {
	name, street, city, contact string
}

// Some of the names are awkward as folder names, as real ones are.
func suppliers() []supplier {
	return []supplier{
		{"Halvorsen Marine Supply", "Strandgata 14", "5013 Bergen, Norway", "orders@halvorsen.example"},
		{"Brightwell Office Interiors Ltd.", "22 Foundry Lane", "Leeds LS1 4DY, United Kingdom", "sales@brightwell.example"},
		{"Müller & Söhne GmbH", "Hafenstraße 9", "20457 Hamburg, Germany", "bestellung@mueller-soehne.example"},
		{"Nordlys A/S", "Vesterbrogade 61", "1620 København, Denmark", "ordre@nordlys.example"},
		{"Cedar Ridge Laboratories, Inc.", "480 Innovation Drive", "Madison, WI 53719, USA", "po@cedarridge.example"},
		{"Société Lumière", "8 rue des Tanneurs", "69002 Lyon, France", "commandes@lumiere.example"},
		{"Okabe Precision K.K.", "2-7-1 Minamisenba", "Osaka 542-0081, Japan", "sales@okabe.example"},
		{"Tidewater Logistics Group", "1200 Harbor Boulevard", "Norfolk, VA 23510, USA", "orders@tidewater.example"},
		{"Alpenblick Energietechnik AG", "Bahnhofstrasse 31", "8001 Zürich, Switzerland", "einkauf@alpenblick.example"},
		{"Kestrel Data Systems", "5 Canal Wharf", "Dublin D02 P593, Ireland", "orders@kestrel.example"},
		{"Pinheiro Têxteis Lda.", "Rua do Almada 118", "4050-031 Porto, Portugal", "vendas@pinheiro.example"},
		{"Greystone Facilities", "77 Mill Road", "Edinburgh EH6 7AA, United Kingdom", "accounts@greystone.example"},
	}
}

func buyers() []string {
	return []string{
		"Dana Meyer", "Priya Raman", "Tomás Herrera", "Ingrid Solberg", "Marcus Webb", "Aiko Tanaka",
	}
}

func currencies() []string { return []string{"EUR", "USD", "GBP", "CHF"} }

// good is something that can be ordered. Its price is in hundredths.
type good struct {
	sku, description, unit string
	price                  int
}

func goods() []good {
	return []good{
		{"OFC-1040", "Height-adjustable desk, oak, 160 × 80 cm", "EA", 48_900},
		{"OFC-1182", "Task chair with lumbar support, graphite", "EA", 31_250},
		{"OFC-2210", "Acoustic partition panel, felt, 120 cm", "EA", 18_475},
		{"ITE-3051", "27-inch monitor, USB-C, 90 W", "EA", 37_900},
		{"ITE-3077", "Docking station, dual display", "EA", 17_990},
		{"ITE-3340", "Rack server, 2U, 256 GB memory", "EA", 689_000},
		{"ITE-3412", "Patch cable Cat 6A, 3 m, blue", "PK", 2_450},
		{"LAB-4102", "Borosilicate beaker, 600 ml", "PK", 3_860},
		{"LAB-4188", "Nitrile gloves, size M, 200 pieces", "BX", 1_295},
		{"LAB-4250", "Centrifuge rotor, 24 × 2 ml", "EA", 112_500},
		{"MRO-5014", "Hydraulic pump seal kit", "KT", 8_640},
		{"MRO-5077", "Stainless hex bolts M12 × 60, A4", "BX", 4_120},
		{"MRO-5120", "LED high-bay light, 150 W", "EA", 14_300},
		{"MRO-5203", "Safety helmet with visor", "EA", 3_980},
		{"SRV-6001", "On-site installation, per day", "DAY", 92_000},
		{"SRV-6014", "Annual maintenance, tier 2", "YR", 240_000},
		{"SRV-6033", "Freight, oversize", "EA", 31_000},
		{"PKG-7009", "Corrugated boxes, double wall, 60 × 40 × 40", "PK", 2_980},
		{"PKG-7042", "Stretch film, 23 µm, 6 rolls", "PK", 3_325},
		{"ENG-8110", "Variable-frequency drive, 7.5 kW", "EA", 86_400},
	}
}

// thumbnails is how many pictures of goods there are.
const thumbnails = 8

// newLines returns n lines, and their total in hundredths.
func newLines(rng *rand.Rand, n int) ([]Line, int) {
	catalogue := goods()
	lines, total := make([]Line, n), 0
	for i := range lines {
		g := catalogue[rng.IntN(len(catalogue))]
		quantity := 1 + rng.IntN(24)
		amount := quantity * g.price
		total += amount
		lines[i] = Line{
			Number: (i + 1) * 10, SKU: g.sku, Description: g.description,
			Quantity: quantity, Unit: g.unit, Price: decimal(g.price), Amount: decimal(amount),
			thumbnail: rng.IntN(thumbnails),
		}
	}
	return lines, total
}

// newHead fills in everything of an order but its documents.
func newHead(rng *rand.Rand, number string, lines int) Order {
	o := Order{
		Number: number, Path: "/orders/" + number,
		Supplier: pick(rng, suppliers()).name, Buyer: pick(rng, buyers()), Currency: pick(rng, currencies()),
		Issued: time.Date(2025, time.January, 2+rng.IntN(600), 0, 0, 0, 0, time.UTC),
	}
	var total int
	o.Lines, total = newLines(rng, lines)
	o.Total = decimal(total)
	return o
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// decimal writes hundredths as "12480.00".
func decimal(hundredths int) string {
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}

// grouped writes "12480.00" as "12,480.00".
func grouped(amount string) string {
	for i := len(amount) - len(".00") - 3; i > 0; i -= 3 {
		amount = amount[:i] + "," + amount[i:]
	}
	return amount
}

// humanSize writes a number of bytes as people read it.
func humanSize(n int64) string {
	switch {
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB"
	case n >= 1<<10:
		return strconv.FormatInt(n>>10, 10) + " KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
