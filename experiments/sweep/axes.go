package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/agents/search"
	"tarry/internal/fixmath"
	"tarry/sim/rng"
)

// mostCells bounds what a sweep may spell out, whatever its budget states.
const mostCells = 10_000_000

// seedAxis is the name of the fastest axis.
const seedAxis = "seed"

// names spells an axis out as text. The error joins every fault of the axis.
func (a *Axis) names() ([]string, error) {
	given := 0
	for _, yes := range [...]bool{len(a.Values) > 0, len(a.Cases) > 0, a.Grid != nil, a.Random != nil,
		a.Optimise != ""} {
		if yes {
			given++
		}
	}
	if given != 1 {
		return nil, fmt.Errorf("axis %s has %d of values, cases, grid, random and optimise, expected exactly one "+
			"with at least one value", a.Name, given)
	}
	var out []string
	var err error
	switch {
	case a.Optimise != "": // the cells do not differ in it
		_, err = search.ParseParam(a.Name + "=" + a.Optimise)
	case a.Grid != nil:
		out, err = a.Grid.numbers()
	case a.Random != nil:
		out, err = a.Random.numbers(a.Name)
	case len(a.Cases) > 0:
		for _, c := range a.Cases {
			out = append(out, c.Name)
		}
	default:
		out = slices.Clone(a.Values)
	}
	if err != nil {
		return nil, fmt.Errorf("axis %s: %w", a.Name, err)
	}
	return out, a.distinct(out)
}

// distinct reports values that are empty or appear twice.
func (a *Axis) distinct(values []string) error {
	var errs []error
	seen := map[string]bool{}
	for _, v := range values {
		switch {
		case v == "":
			errs = append(errs, fmt.Errorf("axis %s has an empty value", a.Name))
		case seen[v]:
			errs = append(errs, fmt.Errorf("axis %s has %s twice: two cells would have the same id", a.Name, v))
		}
		seen[v] = true
	}
	return errors.Join(errs...)
}

// numeric reports whether the values are drawn or spaced numbers.
func (a *Axis) numeric() bool { return a.Grid != nil || a.Random != nil }

// checkName holds the names that ids, {name} and files can have.
func (a *Axis) checkName() error {
	ok := a.Name != ""
	for _, c := range a.Name {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("_.-", c) || c == '/' && a.Optimise != "")
	}
	if !ok {
		return fmt.Errorf("an axis is called %q, expected letters, digits, \"_\", \".\" and \"-\"", a.Name)
	}
	if a.Name == seedAxis {
		return errors.New("an axis is called seed, expected the list seeds: it is an axis already, the last one")
	}
	return nil
}

// checkRange holds the ends of numbers.
func checkRange(from, to float64, n int, log, whole bool) error {
	var errs []error
	finite := !math.IsNaN(from-to) && !math.IsInf(from-to, 0)
	if !finite || to < from {
		errs = append(errs, fmt.Errorf("from %v to %v, expected two finite numbers, the larger one last", from, to))
	}
	if n < 1 || n > mostCells {
		errs = append(errs, fmt.Errorf("%d values, expected 1..%d", n, mostCells))
	}
	if log && !(from > 0) {
		errs = append(errs, fmt.Errorf("log from %v, expected a number above 0", from))
	}
	if whole && finite && (math.Abs(from) > 1<<53 || math.Abs(to) > 1<<53) {
		errs = append(errs, fmt.Errorf("whole numbers from %v to %v, expected at most 2^53", from, to))
	}
	return errors.Join(errs...)
}

func (g *Grid) numbers() ([]string, error) {
	if err := checkRange(g.From, g.To, g.Steps, g.Log, g.Int); err != nil {
		return nil, err
	}
	out := make([]string, g.Steps)
	for i := range out {
		share := 0.0
		if g.Steps > 1 {
			share = float64(i) / float64(g.Steps-1)
		}
		v := between(g.From, g.To, share, g.Log)
		if g.Int {
			v = math.Round(v)
		}
		out[i] = number(v, 10)
	}
	return out, nil
}

func (r *Random) numbers(axis string) ([]string, error) {
	if err := checkRange(r.From, r.To, r.Count, r.Log, r.Int); err != nil {
		return nil, err
	}
	draws := rng.Source{Seed: r.Seed, Experiment: "sweep", Cell: axis}.Stream("axis")
	out := make([]string, r.Count)
	for i := range out {
		from, to := r.From, r.To
		if r.Int { // every whole number in the range is as likely
			from, to = math.Ceil(from), math.Floor(to)+1
		}
		v := between(from, to, draws.Float64(), r.Log)
		if r.Int {
			v = min(math.Floor(v), math.Floor(r.To))
		}
		out[i] = number(v, 6)
	}
	return out, nil
}

// between is the place of a share between two ends.
func between(from, to, share float64, log bool) float64 {
	if log {
		return fixmath.Exp(math.Log(from) + float64(share*(math.Log(to)-math.Log(from))))
	}
	return from + float64(share*(to-from))
}

// number writes a number with at most so many digits, and whole numbers whole: ids are read by
// people.
func number(v float64, digits int) string {
	if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
		return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 is 0
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		short = v
	}
	return strconv.FormatFloat(short, 'g', -1, 64)
}
