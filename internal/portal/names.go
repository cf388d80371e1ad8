package portal

import "strings"

// drawHostileNames lists names that must not become file names as they are. The
// page's addresses bear numbers only.
func drawHostileNames(d *draft) {
	for _, name := range []string{
		`../../outside.pdf`,
		`C:\temp\outside.pdf`,
		`/etc/outside.pdf`,
		`CON.pdf`,
		`.hidden.pdf`,
		`trailing dot..pdf. `,
		`a<b>c:d"e|f?g*h.pdf`,
		strings.Repeat("A very long name ", 18) + ".pdf",
		strings.Repeat("長い名前", 40) + ".pdf",
		"offer \u202Efdp.exe.pdf",
		"\U0001F4C4 offer \U0001F389.pdf",
		"Rechnung Mu\u0308ller.pdf",
		"Rechnung M\u00fcller.pdf",
		`=cmd().csv`,
		"+49 30 1234.csv",
		"-2+3.txt",
		"@SUM(A1).txt",
		`<img src=x onerror=alert(1)>.pdf`,
		"INVOICE.PDF",
		"invoice.pdf",
	} {
		d.file(name, 2<<10).numbered()
	}
	unnamed := d.file("quote\x00.pdf", 2<<10).numbered()
	unnamed.Listed, unnamed.link = "", linkIcon
	unnamed.header = `attachment; filename*=UTF-8''quote%00.pdf`
}

// drawServerNames lists documents by icons alone: their names come from the
// server, in every form of RFC 6266.
func drawServerNames(d *draft) {
	for _, form := range []struct{ name, header string }{
		{"token.pdf", `attachment; filename=token.pdf`},
		{"with spaces.pdf", `attachment; filename="with spaces.pdf"`},
		{`quoted "twice".pdf`, `attachment; filename="quoted \"twice\".pdf"`},
		{"naïve résumé.pdf", `attachment; filename*=UTF-8''na%C3%AFve%20r%C3%A9sum%C3%A9.pdf`},
		{"€ rates.csv", `attachment; filename="EURO rates.csv"; filename*=utf-8''%e2%82%ac%20rates.csv`},
		{"£ rates.csv", `attachment; filename*=iso-8859-1'en'%A3%20rates.csv`},
		{"shown.pdf", `inline; filename="shown.pdf"`},
		{"UPPER.PDF", `ATTACHMENT; FILENAME="UPPER.PDF"`},
	} {
		doc := d.file(form.name, 4<<10).numbered()
		doc.Listed, doc.link, doc.header = "", linkIcon, form.header
	}
}
