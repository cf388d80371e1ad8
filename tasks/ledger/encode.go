package ledger

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// layout is RFC 3339 in UTC with microseconds: a person can read it, and it
// sorts as text.
const layout = "2006-01-02T15:04:05.000000Z"

// text returns a time as it is stored; the zero time is empty.
func text(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(layout)
}

// parse returns a stored time. What is no time is zero.
func parse(stored string) time.Time {
	at, err := time.Parse(layout, stored)
	if err != nil {
		return time.Time{}
	}
	return at
}

// encode returns a structure as JSON, and NULL for one that is not there.
func encode(value any) (sql.NullString, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return sql.NullString{}, fmt.Errorf("writing as JSON: %w", err)
	}
	stored := strings.TrimSuffix(out.String(), "\n")
	return sql.NullString{String: stored, Valid: stored != "null"}, nil
}

// decode reads a structure, and leaves it as it is for NULL.
func decode(stored sql.NullString, into any) error {
	if !stored.Valid {
		return nil
	}
	if err := json.Unmarshal([]byte(stored.String), into); err != nil {
		return fmt.Errorf("reading JSON: %w", err)
	}
	return nil
}
