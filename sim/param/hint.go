package param

import (
	"fmt"
	"strings"
)

// Hint gives ", did you mean ...?" with the name nearest to got, or "" when none is near.
func Hint(got string, names []string) string {
	best, at := Nearest(got, names)
	if best == "" || at > max(2, len(got)/3) || got == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Nearest gives the first of the names that are nearest to got, in upper or lower case, and how many
// letters are other; "" where there are no names.
func Nearest(got string, names []string) (best string, at int) {
	for _, n := range names {
		if d := distance(strings.ToLower(got), strings.ToLower(n)); best == "" || d < at {
			best, at = n, d
		}
	}
	return best, at
}

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	prev2, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+c)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
