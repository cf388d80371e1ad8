// Package spelling finds the word that was probably meant by one that is not
// known, for messages that ask "did you mean ...?". It corrects nothing.
package spelling

// Nearest returns the one of known that word is probably a misspelling of, or "".
func Nearest(word string, known []string) string {
	const longest = 40 // what is longer is no slip
	best, bestDistance := "", 1+min(len(word), 8)/4+1
	if len(word) > longest {
		return ""
	}
	for _, k := range known {
		if d := editDistance(word, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance counts the letters to insert, drop or replace to get from a to
// b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
