package typed

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tarry/internal/weights"
)

const magic = "tarry-pairs 1"

// number is one "name = value" of a file beside the weights.
type number struct {
	name   string
	to     *float64
	lo, hi float64
}

// numbers are the numbers of a file beside the weights.
func (s *Settings) numbers() []number {
	return []number{{"law_median_s", &s.Law.MedianS, 1e-3, 1e12}, {"law_spread", &s.Law.Spread, 0, 4},
		{"round", &s.RoundS, 1e-3, 1e9}}
}

// choice is one "name = true" or "name = false".
type choice struct {
	name string
	to   *bool
}

// choices are what a file states beside numbers. Exact is not among them.
func (s *Settings) choices() []choice {
	return []choice{{"predicted", &s.Predicted}, {"eager", &s.Eager}}
}

// WriteTo writes the settings as text that Parse reads back to the last bit: all but Exact.
func (s *Settings) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	b.WriteString(magic + "\n\n")
	for _, n := range s.numbers() {
		fmt.Fprintf(&b, "%s = %s\n", n.name, weights.Number(*n.to))
	}
	for _, c := range s.choices() {
		fmt.Fprintf(&b, "%s = %v\n", c.name, *c.to)
	}
	b.WriteByte('\n')
	b.WriteString(weights.Lines(TermNames(), s.Weights))
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Load reads the settings of a file.
func Load(path string) (Settings, error) { return weights.Load(path, Parse) }

// Parse reads such a text. name stands in errors, which join up to 20 faults with line, value and
// what was expected. Every weight is there once, in any order; other settings that are missing have
// their defaults.
func Parse(name string, in io.Reader) (Settings, error) {
	r, out := weights.New(name, in), Default()
	if !r.First(magic) {
		return out, r.Err()
	}
	names, numbers, choices := TermNames(), out.numbers(), out.choices()
	all := slices.Clone(names)
	for _, n := range numbers {
		all = append(all, n.name)
	}
	for _, c := range choices {
		all = append(all, c.name)
	}
	r.Pairs(all, func(i int, text string) {
		switch at := i - len(names); {
		case at < 0:
			out.Weights[i] = r.Number(names[i], text, -100, 100)
		case at < len(numbers):
			n := numbers[at]
			*n.to = r.Number(n.name, text, n.lo, n.hi)
		case text != "true" && text != "false":
			r.Fault("%s is %q, expected true or false", all[i], weights.Cut(text))
		default:
			*choices[at-len(numbers)].to = text == "true"
		}
	})
	r.Require(names, "every weight")
	return out, r.Err()
}
