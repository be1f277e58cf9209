package hosts

import (
	"math"
	"sort"
	"strings"

	"tarry/sim/param"
)

// profile is a table of throughputs measured over cores and memory per GPU. A job at the highest
// throughput of its model was held up by its GPU, so that the host delivers plenty; at a part p of
// it the host delivers p of a reference GPU's work. A row counts for at least what smaller
// allocations of its model had, since a job need not use all that it has.
//
// Between measured points the throughput is bilinear, or taken from the nearest step below in both
// (between=step). Beyond the last it equals the last point's. Below the first number of cores it is
// in proportion to them; below the first memory it equals the first's.
type profile struct {
	models map[string]int32 // lower-case name, and letters and digits of it
	grids  []grid
	step   bool
}

// grid is what was measured of one model.
type grid struct {
	cores, mem []float64 // ascending
	part       []float64 // of the highest throughput, at core x len(mem) + mem
}

func profileKind() Kind {
	return Kind{Name: "profile", Form: "profile:FILE[,between=step]", Doc: "measured throughputs from a CSV file: " +
		"model, cpus, mem_gib, throughput (per GPU; any unit of throughput)", First: "file",
		Params: "file       the CSV file; it stands first, without file=\nbetween    between measured points: " +
			"linear (bilinear), or step: the nearest below", read: readProfile}
}

func readProfile(s *param.Set) (law, error) {
	file := s.Text("file", "")
	l := &profile{step: s.Enum("between", "linear", "step") == "step"}
	if file == "" {
		s.Missing("file", "profile:FILE")
		return l, nil
	}
	err := l.open(file)
	return l, err
}

// name implements law: a model of this name, or one of the table that differs from it by no more
// than a batch size, case and signs.
func (l *profile) name(model string) int32 {
	if id, ok := l.models[strings.ToLower(model)]; ok {
		return id
	}
	if id, ok := l.models[base(model)]; ok {
		return id
	}
	return -1
}

func (l *profile) feed(name int32, cores, memGiB float64, _ int) float64 {
	g := &l.grids[name]
	less := min(1, cores/g.cores[0])
	c, ofC := between(g.cores, cores, l.step)
	m, ofM := between(g.mem, memGiB, l.step)
	n := len(g.mem)
	at := func(i, k int) float64 { return g.part[min(i, len(g.cores)-1)*n+min(k, n-1)] }
	low := mix(at(c, m), at(c, m+1), ofM)
	part := less * mix(low, mix(at(c+1, m), at(c+1, m+1), ofM), ofC)
	if part >= 1 {
		return math.Inf(1)
	}
	return part
}

// mix is a at 0 and b at 1, exactly.
func mix(a, b, of float64) float64 {
	if of == 0 || a == b {
		return a
	}
	return a + float64((b-a)*of)
}

// between finds the last point at or below x, the first if there is none, and which part of the way
// to the next x is.
func between(points []float64, x float64, step bool) (i int, of float64) {
	i = max(0, sort.SearchFloat64s(points, x))
	if i == len(points) || points[i] > x {
		i--
	}
	if i < 0 {
		return 0, 0
	}
	if step || i == len(points)-1 {
		return i, 0
	}
	return i, (x - points[i]) / (points[i+1] - points[i])
}
