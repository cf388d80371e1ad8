package compare

// Dates returns the days that a text can mean, as YYYY-MM-DD by the layout in which it is one
// (Go's notation). A time of day after it is left out.
func Dates(text string) map[string]string { return dates(text) }

// Fold returns what counts of a text: two texts that differ only in case, white space and
// punctuation have the same.
func Fold(text string) string { return fold(text) }

// SameCurrency reports whether one text is the symbol of the other's currency.
func SameCurrency(a, b string) bool { return sameCurrency(a, b) }

// Currencies returns the codes of the currencies that are written with a symbol, or nil for none.
func Currencies(symbol string) []string { return codes[symbol] }
