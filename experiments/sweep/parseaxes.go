package sweep

import (
	"math"
	"strconv"

	"tarry/sim/param"
)

// readAxis reads an entry of axes.
func readAxis(s *param.Set) Axis {
	a := Axis{Name: s.Text("name", ""), Values: s.Entries("values", "a number or text: an axis whose values are "+
		"more than that has cases")}
	for _, c := range s.List("cases") {
		one := Case{Name: c.Text("name", ""), Set: mapping(c, "set")}
		if one.Set == nil {
			one.Set = Settings{}
		}
		a.Cases = append(a.Cases, one)
	}
	if g := s.Child("grid"); s.Has("grid") {
		from, to := ends(g)
		a.Grid = &Grid{From: from, To: to, Steps: g.Int("steps", -1, 1, mostCells), Log: g.Bool("log", false),
			Int: g.Bool("int", false)}
		required(g, "steps", "a whole number")
	}
	if r := s.Child("random"); s.Has("random") {
		from, to := ends(r)
		a.Random = &Random{From: from, To: to, Count: r.Int("count", -1, 1, mostCells), Log: r.Bool("log", false),
			Int:  r.Bool("int", false),
			Seed: uint64(r.Int64("seed", 0, 0, math.MaxInt64))}
		required(r, "count", "a whole number")
	}
	a.Optimise = readOptimise(s)
	required(s, "name", "a name")
	return a
}

// ends reads the range of numbers.
func ends(s *param.Set) (from, to float64) {
	required(s, "from", "a finite number")
	required(s, "to", "a finite number")
	return s.Float("from", 0, -math.MaxFloat64, math.MaxFloat64), s.Float("to", 0, -math.MaxFloat64, math.MaxFloat64)
}

// readOptimise reads the bounds of what an optimiser looks for, or the text that tarry tune --param
// takes.
func readOptimise(s *param.Set) string {
	if !s.IsMapping("optimise") {
		return s.Text("optimise", "")
	}
	p := s.Child("optimise")
	from, to := ends(p)
	log, whole := p.Bool("log", false), p.Bool("int", false)
	text := strconv.FormatFloat(from, 'g', -1, 64) + ":" + strconv.FormatFloat(to, 'g', -1, 64)
	if log || whole {
		text += ":"
	}
	if log {
		text += "log"
	}
	if whole {
		text += "int"
	}
	return text
}
