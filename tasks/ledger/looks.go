package ledger

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/poscrape/poscrape/tasks"
)

// Looks are stored as lines: how many elements were met, "!" where a value could not
// be read, the selector's mark behind "~", and its place in the recipe, as in
// "1!~1kp3x9c fields.total". That is a fourth of their JSON in size, and in time.

// encodeLooks returns looks as they are stored; NULL for none.
func encodeLooks(looks []tasks.Look) sql.NullString {
	if len(looks) == 0 {
		return sql.NullString{}
	}
	text := make([]byte, 0, 32*len(looks))
	for i, look := range looks {
		if i > 0 {
			text = append(text, '\n')
		}
		text = strconv.AppendInt(text, int64(look.Met), 10)
		if look.Unreadable {
			text = append(text, '!')
		}
		if look.Mark != "" {
			text = append(append(text, '~'), look.Mark...)
		}
		text = append(text, ' ')
		text = append(text, strings.ReplaceAll(look.Where, "\n", " ")...)
	}
	return sql.NullString{String: string(text), Valid: true}
}

// decodeLooks reads stored looks.
func decodeLooks(stored sql.NullString) ([]tasks.Look, error) {
	if !stored.Valid {
		return nil, nil
	}
	looks := make([]tasks.Look, 0, 1+strings.Count(stored.String, "\n"))
	for line := range strings.SplitSeq(stored.String, "\n") {
		met, where, ok := strings.Cut(line, " ")
		met, mark, _ := strings.Cut(met, "~")
		count, unreadable := strings.CutSuffix(met, "!")
		n, err := strconv.Atoi(count)
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is not what a selector met", line)
		}
		looks = append(looks, tasks.Look{Where: where, Met: n, Unreadable: unreadable, Mark: mark})
	}
	return looks, nil
}
