package words

import (
	"regexp"
	"slices"
	"strings"
)

// Lookup finds the phrases of some ideas in the words of a text, whatever marks stand between these.
type Lookup struct{ anywhere, alone []string }

// For returns a Lookup for ideas.
func For(ideas ...string) Lookup { return Lookup{sequences(Of(ideas...)), sequences(Alone(ideas...))} }

func sequences(phrases []string) (all []string) {
	for _, phrase := range phrases {
		all = append(all, Sequence(phrase))
	}
	return all
}

var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

// Sequence returns a text's words, folded, each between spaces of its own.
func Sequence(text string) string {
	return " " + strings.Join(word.FindAllString(Fold(text), -1), "  ") + " "
}

// Without takes the phrases that are found anywhere out of a sequence, and reports whether there was one.
func (l Lookup) Without(sequence string) (left string, found bool) {
	for _, phrase := range l.anywhere {
		if strings.Contains(sequence, phrase) {
			sequence, found = strings.ReplaceAll(sequence, phrase, "   "), true
		}
	}
	return sequence, found
}

// Is reports whether a sequence is one of the phrases that count alone.
func (l Lookup) Is(sequence string) bool {
	return slices.Contains(l.alone, " "+strings.TrimSpace(sequence)+" ")
}
