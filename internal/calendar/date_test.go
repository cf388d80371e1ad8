package calendar

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, raw, want string }{
		{"02/01/2006", "03/02/2024", "2024-02-03"},
		{"01/02/2006", "03/02/2024", "2024-03-02"},
		{"01/02/06", "03/02/24", "2024-03-02"},
		{"2.1.2006", "3.12.2024", "2024-12-03"},
		{"Jan 2, 2006", " Feb\u00a03,\n 2024 ", "2024-02-03"},
		{"2 January 2006", "29 february 2024", "2024-02-29"},
		{"02/01/2006 15:04", "03/02/2024 23:59", "2024-02-03"},
		{"", "2024-02-03", "2024-02-03"},
		{"", " 2024-02-03T23:30:00-08:00 ", "2024-02-03"},
		{"", "2024-02-03T23:30:00.123Z", "2024-02-03"},
		{"", "2024-02-03T23:30", "2024-02-03"},
		{"", "2024-02-03 23:30:00", "2024-02-03"},
		{"", "2024-02-03T23:30:00+0100", "2024-02-03"},
	} {
		if got, err := ParseDate(c.raw, c.layout, "", ""); err != nil || got != c.want {
			t.Errorf("ParseDate(%q, %q) is %q, %v; want %q", c.raw, c.layout, got, err, c.want)
		}
	}
	for _, c := range []struct{ layout, raw string }{
		{"02/01/2006", "13/13/2024"}, {"02/01/2006", "30/02/2024"}, {"02/01/2006", "03/02/24"}, {"02/01/2006", "2024-02-03"},
		{"02/01/2006", "issued 03/02/2024"}, {"02/01/2006", "03/02/2024 x"}, {"02/01/2006", ""}, {"02/01/2006", "29/02/2023"}, {"02/01/2006", "01/01/0001"},
		{"", "03/02/2024"}, {"", "2024-13-01"}, {"", "2023-02-29"}, {"", "20240203"}, {"", ""}, {"", "0000-01-01"}, {"", "2024-2-3"},
	} {
		if got, err := ParseDate(c.raw, c.layout, "", ""); !errors.Is(err, ErrNotDate) || got != "" {
			t.Errorf("ParseDate(%q, %q) is %q, %v; want ErrNotDate", c.raw, c.layout, got, err)
		}
	}
}

// TestParseDateOfAnEra: a year of another calendar is no year of ours, unless it is said which.
func TestParseDateOfAnEra(t *testing.T) {
	t.Parallel()
	year := time.Now().Year()
	thai, short, taiwan := year+543, fmt.Sprintf("%02d", (year+543)%100), year-1911
	for _, c := range []struct{ layout, raw, era, want string }{
		{"2/1/2006", fmt.Sprintf("1/3/%d", thai), "buddhist", fmt.Sprintf("%d-03-01", year)},
		{"2/1/06", "1/3/" + short, "buddhist", fmt.Sprintf("%d-03-01", year)},
		{"2/1/2006", "29/2/2567", "buddhist", "2024-02-29"},
		{"2/1/06", "29/2/67", "buddhist", "2024-02-29"},
		{"2006/01/02", fmt.Sprintf("%d/03/01", taiwan), "minguo", fmt.Sprintf("%d-03-01", year)},
		{"2006年1月2日", "113年2月29日", "minguo", "2024-02-29"},
		{"2/1/2006", "31/12/9999", "", "9999-12-31"},
		{"2/1/06", fmt.Sprintf("1/3/%02d", (year+30)%100), "", fmt.Sprintf("%d-03-01", year+30)},
		{"2/1/06", fmt.Sprintf("1/3/%02d", (year-30)%100), "", fmt.Sprintf("%d-03-01", year-30)},
		{"2/1/2006", fmt.Sprintf("1/3/%d", thai), "", ""},
		{"2/1/2006", fmt.Sprintf("1/3/%d", year+56), "", ""},
		{"2/1/2006", fmt.Sprintf("1/3/%d", taiwan), "", ""},
		{"2/1/06", "1/3/" + short, "", ""},
		{"2/1/2006", fmt.Sprintf("1/3/%d", year), "buddhist", ""},
		{"", fmt.Sprintf("%d-03-01", thai), "buddhist", fmt.Sprintf("%d-03-01", year)},
	} {
		if got, err := ParseDate(c.raw, c.layout, "", c.era); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("ParseDate(%q, %q) of %q is %q, %v; want %q", c.raw, c.layout, c.era, got, err, c.want)
		}
	}
}

func TestCheckLayout(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{"02/01/2006", "1/2/06", "Jan 2, 2006", "Monday, 2 January 2006", "20060102", "2006-002", time.RFC3339, time.RFC1123} {
		if err := CheckLayout(layout); err != nil {
			t.Errorf("CheckLayout(%q) says: %v", layout, err)
		}
	}
	for _, layout := range []string{"", "DD/MM/YYYY", "dd.mm.yyyy", "%d/%m/%Y", "02/2006", "02/01", "January 2006", "15:04", "Monday", "Mon Jan 2006"} {
		if err := CheckLayout(layout); err == nil {
			t.Errorf("CheckLayout(%q) finds nothing wrong", layout)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	f.Add("03/02/2024", "02/01/2006")
	f.Add("2024-02-03T10:00:00Z", "")
	f.Add("Feb 3, 24", "Jan 2, 06")
	f.Fuzz(func(t *testing.T, raw, layout string) {
		got, err := ParseDate(raw, layout, "", "")
		if err != nil {
			return
		}
		if again, err := ParseDate(got, "", "", ""); err != nil || again != got {
			t.Errorf("ParseDate(%q, %q) is %q, and that %q, %v", raw, layout, got, again, err)
		}
	})
}

func ExampleParseDate() {
	fmt.Println(ParseDate("03/02/2024", "02/01/2006", "", ""))
	// Output: 2024-02-03 <nil>
}
