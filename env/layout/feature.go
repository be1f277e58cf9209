package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Feature is one number of an item, or of an action, or one choice of an action.
type Feature struct {
	// Name is unique in its segment. Of an action it is which numbers or choices: "3", "0..5" or
	// "0,2..10".
	Name string `json:"name"`
	// Range is LOW..HIGH, either of which may be infinite or a multiple of pi ("-4pi..4pi"), or all
	// values: "0, 0.5, 1". Squashed in Unit is x/(1+x). Both are "" for a choice.
	Range string `json:"range,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// Doc is the meaning.
	Doc string `json:"meaning"`
}

// Features reads a line for each feature: name, range, unit and meaning, parted by two spaces or
// more; a line of two parts has name and meaning alone.
func Features(text string) []Feature {
	var out []Feature
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		var cells []string
		for cell := range strings.SplitSeq(line, "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
		switch f := (Feature{}); len(cells) {
		case 4:
			out = append(out, Feature{cells[0], cells[1], cells[2], cells[3]})
		case 2:
			f.Name, f.Doc = cells[0], cells[1]
			out = append(out, f)
		default:
			out = append(out, Feature{Name: line}) // without a meaning, which Check reports
		}
	}
	return out
}

// Names lists the names of features.
func Names(all []Feature) []string {
	var out []string
	for _, f := range all {
		out = append(out, f.Name)
	}
	return out
}

// Bounds gives the lowest and the highest value of a range, NaN where it states none.
func (f *Feature) Bounds() (low, high float64) {
	if a, b, ok := strings.Cut(f.Range, ".."); ok {
		return number(a), number(b)
	}
	if values := f.values(); len(values) > 0 {
		return slices.Min(values), slices.Max(values)
	}
	return math.NaN(), math.NaN()
}

// Contains reports whether a number is in the range.
func (f *Feature) Contains(x float64) bool {
	if strings.Contains(f.Range, "..") {
		low, high := f.Bounds()
		return low <= x && x <= high
	}
	return slices.Contains(f.values(), x)
}

// values are the numbers of a range that lists them.
func (f *Feature) values() []float64 {
	var out []float64
	for cell := range strings.SplitSeq(f.Range, ",") {
		out = append(out, number(cell))
	}
	return out
}

// number reads a bound or a value, which may be a multiple of pi; NaN where it is none.
func number(text string) float64 {
	times, pi := strings.CutSuffix(strings.TrimSpace(text), "pi")
	x, err := strconv.ParseFloat(times, 64)
	if err != nil {
		return math.NaN()
	}
	if pi {
		x *= math.Pi
	}
	return x
}

// Ranged gives copies of features with another range, and a remark behind their meanings.
func Ranged(all []Feature, values, remark string) []Feature {
	out := slices.Clone(all)
	for i := range out {
		if f := &out[i]; f.Range != "" {
			f.Range, f.Doc = values, f.Doc+"; "+remark+" "+f.Range
		}
	}
	return out
}
