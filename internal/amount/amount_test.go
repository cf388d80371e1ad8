package amount

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, raw, want string }{
		{"en", "5,099,154.00", "5099154.00"},
		{"en-US", "$5,099,154.00", "5099154.00"},
		{"en_GB", "£ 1,234", "1234"},
		{"EN", "1234567.891", "1234567.891"},
		{"en", ".50", "0.50"},
		{"en", "$.50", "0.50"},
		{"en", "0.00", "0.00"},
		{"en", "-0.00", "0.00"},
		{"en", "007.50", "7.50"},
		{"en", "000", "0"},
		{"en", "(12.50)", "-12.50"},
		{"en", "12.50-", "-12.50"},
		{"en", "-12.50", "-12.50"},
		{"en", "\u221212.50", "-12.50"},
		{"en", "+12.50", "12.50"},
		{"en", "- 12.50", "-12.50"},
		{"en", "-$12.50", "-12.50"},
		{"en", "$-12.50", "-12.50"},
		{"en", "($12.50)", "-12.50"},
		{"en", "USD (1,012.50)", "-1012.50"},
		{"en", "12.50- EUR", "-12.50"},
		{"en", "USD $12.50", "12.50"},
		{"en", "US$12.50", "12.50"},
		{"en", "$12.50 USD", "12.50"},
		{"en", "12.50EUR", "12.50"},
		{"en", "usd 12.50", "12.50"},
		{"en", "  12.50\u00a0€\n", "12.50"},
		{"en", "Rs. 12.50", "12.50"},
		{"en", "Rs.12.50", "12.50"},
		{"en", "\u200f12.50\u200f", "12.50"},
		{"de", "5.099.154,00", "5099154.00"},
		{"de", "5.099.154,00 €", "5099154.00"},
		{"de", "1.234", "1234"},
		{"de", "1,234", "1.234"},
		{"pt-BR", "R$ 1.234,56", "1234.56"},
		{"fr", "5 099 154,00", "5099154.00"},
		{"fr", "5\u00a0099\u00a0154,00", "5099154.00"},
		{"fr", "5\u202f099\u202f154,00 €", "5099154.00"},
		{"cs", "1 234,50 Kc\u030c", "1234.50"},
		{"pl", "1234,50 zł", "1234.50"},
		{"ch", "5'099'154.00", "5099154.00"},
		{"de-CH", "CHF 5’099’154.00", "5099154.00"},
		{"ch", "Fr. 12.50", "12.50"},
		{"ja", "¥1,250,000", "1250000"},
		{"ja", "1,250,000円", "1250000"},
		{"in", "50,99,154.00", "5099154.00"},
		{"en-IN", "₹1,00,00,000", "10000000"},
		{"in", "99,154.00", "99154.00"},
		{"de-AT", "1 234,50", "1234.50"},
		{"de-AT", "1.234,50", "1234.50"},
		{"ja", "￥1,234", "1234"},
		{"en", "99999999999999999999999999.123456789012345678901", "99999999999999999999999999.123456789012345678901"},
	} {
		got, err := Parse(c.raw, c.locale)
		if err != nil || got != c.want {
			t.Errorf("Parse(%q, %q) is %q, %v; want %q", c.raw, c.locale, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for locale, raws := range map[string][]string{
		"en": {
			"", " ", "-", "()", "$", ".", "12.", "1.2.3", "5.099.154,00", "1,23", "1,2345", "12,34.50", ",123", "1,,234", "1234,567",
			"0,123", "1, 234", "1 234", "12.5x", "1e5", "0x10", "NaN", "Infinity", "½", "12²", "1_000", "12.50 CR", "12.50 DR", "NET 30",
			"12.50 13.00", "12.50/13.00", "(-12.50)", "--12", "-12-", "+-12", "(12.50", "12.50)", "12.50%", "Total: 12.50", "١٢", "1.234,56",
			"EUR USD GBP 12", "USD 12.50 CAD", "12 k€", "12 M$", "£12bn", "12.-", "1,234.5,6", "1'234.00", strings.Repeat("9", 200),
		},
		"de": {"5,099,154.00", "1.23", "12,", "12,-", "1.2345,00", "1 234,00", "1,234.56", "0.123"},
		"fr": {"5.099.154,00", "5  099,00", "5 09 154,00", "1 234.00", "1,234,567"},
		"ch": {"5,099.00", "5'09.00", "12.--"},
		"in": {"5,099,154.00", "123,456", "1,000,00"},
	} {
		for _, raw := range raws {
			if got, err := Parse(raw, locale); !errors.Is(err, ErrNot) || got != "" {
				t.Errorf("Parse(%q, %q) is %q, %v; want ErrNot", raw, locale, got, err)
			}
		}
	}
}

func TestParseWithoutLocale(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"1234": "1234", "12.50": "12.50", "12,50": "12.50", "1,234.56": "1234.56", "1.234,56": "1234.56",
		"1 234": "1234", "1 234,5": "1234.5", "1'234.00": "1234.00", "12,34,567": "1234567", "1.234.567": "1234567",
		"1,234,567": "1234567", "0.123": "0.123", "1234.567": "1234.567", "(12.50) USD": "-12.50",
	} {
		if got, err := Parse(raw, ""); err != nil || got != want {
			t.Errorf("Parse(%q) is %q, %v; want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"1,234", "1.234", "$12,345", "-999.999"} {
		if got, err := Parse(raw, ""); !errors.Is(err, ErrAmbiguous) || got != "" {
			t.Errorf("Parse(%q) is %q, %v; want ErrAmbiguous", raw, got, err)
		}
	}
	for _, raw := range []string{"", "12,34.5", "1.23.4", "1 234.50", "n/a"} {
		if got, err := Parse(raw, ""); !errors.Is(err, ErrNot) || got != "" {
			t.Errorf("Parse(%q) is %q, %v; want ErrNot", raw, got, err)
		}
	}
}

func TestParseUnknownLocale(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"xx", "es-XX", "english", "de-"} {
		if _, err := Parse("1", locale); !errors.Is(err, ErrUnknownLocale) {
			t.Errorf("locale %q: got %v, want ErrUnknownLocale", locale, err)
		}
		if err := CheckLocale(locale); !errors.Is(err, ErrUnknownLocale) {
			t.Errorf("CheckLocale(%q) is %v, want ErrUnknownLocale", locale, err)
		}
	}
}

// Each locale that is listed has a style, and is listed once.
func TestLocaleTable(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for style, locales := range localesOf {
		if _, ok := numberStyles[style]; !ok {
			t.Errorf("the style %q is not defined", style)
		}
		for _, locale := range strings.Fields(locales) {
			if other, twice := seen[locale]; twice {
				t.Errorf("%q is listed as %q and as %q", locale, other, style)
			}
			seen[locale] = style
		}
	}
	for style := range numberStyles {
		if localesOf[style] == "" {
			t.Errorf("no locale has the style %q", style)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, raw := range []string{"5,099,154.00", "5.099.154,00", "5 099 154,00 €", "5'099'154.00", "(12.50)", "12.50-", "Rs.1", "-$.50", "1,234"} {
		for _, locale := range []string{"", "en", "de", "fr", "ch", "in", "de-AT"} {
			f.Add(raw, locale)
		}
	}
	f.Fuzz(func(t *testing.T, raw, locale string) {
		value, err := Parse(raw, locale)
		if err != nil {
			if value != "" {
				t.Errorf("Parse(%q, %q) is %q and %v", raw, locale, value, err)
			}
			return
		}
		if _, ok := new(big.Rat).SetString(value); !ok || strings.Trim(value, "-.0123456789") != "" {
			t.Errorf("Parse(%q, %q) is %q, which is no decimal", raw, locale, value)
		}
		if again, err := Parse(value, "en"); err != nil || again != value {
			t.Errorf("Parse(%q, %q) is %q, and that %q, %v", raw, locale, value, again, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("5.099.154,00 €", "de"); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleParse() {
	fmt.Println(Parse("5.099.154,00 €", "de"))
	fmt.Println(Parse("(12.50)", ""))
	fmt.Println(Parse("1,234", ""))
	// Output:
	// 5099154.00 <nil>
	// -12.50 <nil>
	//  ambiguous amount: "1,234" can be 1.234 or 1234; set the field's locale
}
