// Package weights reads and writes the text files of weights: a first line that names the kind,
// lines that a kind has of its own, and "name = number" for each weight. Empty lines and lines that
// begin with # are ignored.
//
// Reading guide: a Reader notes every fault with its line. A kind calls First, reads its own lines
// with Next or Word, the numbers with Pairs, Number and Require, and ends with Err. Lines writes
// what Pairs and Number read back to the last bit. Spread is where weights begin that must differ
// from each other.
package weights

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Load parses the file at path; parse gets the path as the name that stands in errors.
func Load[T any](path string, parse func(name string, in io.Reader) (T, error)) (T, error) {
	var none T
	if path == "" {
		return none, errors.New("weights: the name of the file is empty, expected a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return none, fmt.Errorf("weights: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return none, fmt.Errorf("weights: %s is a folder, expected a file; of a training run, what "+
			"tarry export weights --out FILE %s writes", path, path)
	}
	return parse(path, f)
}

// Number writes a number so that it reads back to the last bit.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Lines writes "name = value" for each of values; names are as many.
func Lines(names []string, values []float64) string {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b, "%s = %s\n", n, Number(values[i]))
	}
	return b.String()
}

// Spread is a number in -0.3..0.3 that follows from a name.
func Spread(name string) float64 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x85ebca6b
	return (float64(h>>8)/(1<<24) - 0.5) * 0.6
}
