package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sheetLimits are what a sheet can hold.
type sheetLimits struct{ rows, columns, links int }

var excelLimits = sheetLimits{rows: excelize.TotalRows, columns: excelize.MaxColumns, links: excelize.TotalSheetHyperlinks}

// sheet is one in the making: a table below a header that stays in view. A row is made by
// add and link, and written by next. The first error is kept, and returned by close.
type sheet struct {
	book   *workbook
	name   string
	widths *widths
	// mark says which rows are shown in colour, or is nil.
	mark *mark
	out  *excelize.StreamWriter
	// title is what this part of the sheet is called, and number its number in the workbook.
	title        string
	part, number int
	row          int
	cells        []any
	links        []sheetLink
	err          error
}

// mark is for rows that have one of these words in a column, by its index.
type mark struct {
	column int
	words  []string
}

type sheetLink struct{ cell, target string }

func (b *workbook) sheet(name string, w *widths) (*sheet, error) {
	if left := len(w.names) - b.limits.columns; left > 0 {
		b.cut = append(b.cut, fmt.Sprintf("the last %d columns of the sheet %s", left, name))
		w.names = w.names[:b.limits.columns]
	}
	s := &sheet{book: b, name: name, widths: w}
	return s, s.begin()
}

// begin begins the sheet, or the next part of it.
func (s *sheet) begin() (err error) {
	s.part++
	s.book.sheets++
	s.number = s.book.sheets
	if s.title = s.name; s.part > 1 {
		s.title = fmt.Sprintf("%s %d", s.name, s.part)
	}
	if s.number == 1 {
		err = s.book.file.SetSheetName("Sheet1", s.title)
	} else {
		_, err = s.book.file.NewSheet(s.title)
	}
	if err != nil {
		return err
	}
	if s.out, err = s.book.file.NewStreamWriter(s.title); err != nil {
		return err
	}
	s.row, s.links = 0, nil
	for c := range s.widths.names {
		if err := s.out.SetColWidth(c+1, c+1, s.widths.of(c)); err != nil {
			return err
		}
	}
	err = s.out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
	if err != nil {
		return err
	}
	for _, name := range s.widths.names {
		cell := excelize.Cell{Value: name, StyleID: s.book.headerStyle()}
		if text, ok := s.book.text(name).(excelize.Cell); ok {
			cell.Value = text.Value
		}
		s.add(cell)
	}
	s.next()
	return s.err
}

// add adds cells to the row. A row that the sheet has no room for begins the next part.
func (s *sheet) add(cells ...any) {
	if len(s.cells) == 0 && s.row == s.book.limits.rows {
		s.fail(s.close())
		s.fail(s.begin())
	}
	s.cells = append(s.cells, cells...)
}

// fail keeps the first error, which next returns.
func (s *sheet) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// link adds a cell that leads somewhere. Beyond the number of links that a sheet can have, it is a
// formula that does so, or where that is too long the text alone. It is not the row's first.
func (s *sheet) link(cell any, target string) {
	const (
		longestLink = 2079 // in Excel, with the folder that it starts from
		longestText = 255  // in a formula
	)
	c, ok := cell.(excelize.Cell)
	if !ok || target == "" || len(s.cells) >= len(s.widths.names) {
		s.add(cell)
		return
	}
	switch text, _ := c.Value.(string); {
	case len(s.links) < s.book.limits.links && len(target) < longestLink:
		ref, err := excelize.CoordinatesToCellName(len(s.cells)+1, s.row+1)
		s.fail(err)
		s.links = append(s.links, sheetLink{ref, target})
		c.StyleID = s.book.linkStyle()
	case max(len(target), len(text)) <= longestText:
		c.Formula = "HYPERLINK(" + formulaText(target) + "," + formulaText(text) + ")"
		c.StyleID = s.book.linkStyle()
	}
	s.add(c)
}

func formulaText(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// next writes the row.
func (s *sheet) next() {
	s.row++
	s.fail(s.out.SetRow(fmt.Sprintf("A%d", s.row), s.cells[:min(len(s.cells), len(s.widths.names))]))
	s.cells = s.cells[:0]
}

// close completes the sheet.
func (s *sheet) close() error {
	if s.err != nil {
		return s.err
	}
	last, err := excelize.CoordinatesToCellName(max(1, len(s.widths.names)), s.row)
	if err != nil {
		return err
	}
	if err := s.book.file.AutoFilter(s.title, "A1:"+last, nil); err != nil {
		return err
	}
	if s.mark != nil && s.mark.column < len(s.widths.names) && s.row > 1 {
		if err := s.addMark(last); err != nil {
			return err
		}
	}
	if err := s.addLinks(); err != nil {
		return err
	}
	return s.out.Flush()
}

// addMark has the marked rows shown in colour, also after they were sorted or changed.
func (s *sheet) addMark(last string) error {
	column, err := excelize.ColumnNumberToName(s.mark.column + 1)
	if err != nil {
		return err
	}
	words := make([]string, len(s.mark.words))
	for i, word := range s.mark.words {
		words[i] = fmt.Sprintf(`$%s2="%s"`, column, word)
	}
	bad, err := s.book.file.NewConditionalStyle(&excelize.Style{
		Font: &excelize.Font{Color: "9C0006"}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFC7CE"}},
	})
	if err != nil {
		return err
	}
	return s.book.file.SetConditionalFormat(s.title, "A2:"+last, []excelize.ConditionalFormatOptions{
		{Type: "formula", Criteria: "OR(" + strings.Join(words, ",") + ")", Format: &bad},
	})
}

const (
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	officeSpace   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/relationships"
	linkType      = officeSpace + "/hyperlink"
	everyCellName = "A1:XFD1048576"
)

// addLinks gives the links to excelize all at once, as parts of the file: its own function
// looks at all earlier links for each, which takes seconds for ten thousand. It also tells
// spreadsheets not to warn of each order's number that it is a text.
func (s *sheet) addLinks() error {
	var in, targets bytes.Buffer
	fmt.Fprintf(&in, `<worksheet xmlns=%q xmlns:r=%q>`, mainSpace, officeSpace)
	fmt.Fprintf(&targets, `%s<Relationships xmlns=%q>`, xml.Header, packageSpace)
	if len(s.links) > 0 {
		in.WriteString("<hyperlinks>")
	}
	for i, l := range s.links {
		fmt.Fprintf(&in, `<hyperlink ref=%q r:id="rId%d"/>`, l.cell, i+1)
		fmt.Fprintf(&targets, `<Relationship Id="rId%d" Type=%q TargetMode="External" Target="`, i+1, linkType)
		s.fail(xml.EscapeText(&targets, []byte(l.target)))
		targets.WriteString(`"/>`)
	}
	if len(s.links) > 0 {
		in.WriteString("</hyperlinks>")
		targets.WriteString("</Relationships>")
		s.book.file.Pkg.Store(fmt.Sprintf("xl/worksheets/_rels/sheet%d.xml.rels", s.number), targets.Bytes())
	}
	fmt.Fprintf(&in, `<ignoredErrors><ignoredError sqref=%q numberStoredAsText="1"/></ignoredErrors></worksheet>`, everyCellName)
	made, ok := s.book.file.Sheet.Load(fmt.Sprintf("xl/worksheets/sheet%d.xml", s.number))
	if !ok {
		return fmt.Errorf("the sheet %s is lost", s.title)
	}
	return xml.Unmarshal(in.Bytes(), made)
}
