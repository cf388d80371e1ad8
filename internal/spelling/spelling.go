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
		if d := Distance(word, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// Distance counts the letters to insert, drop, replace or swap with the next
// one to get from a to b (optimal string alignment).
func Distance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
