package hosts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tarry/sim/tabular"
)

// most bounds cores and GiB of a row, and its throughput.
const most = 1e12

// measured is a row of a table.
type measured struct{ cores, mem, rate float64 }

// open reads a table: model, cpus, mem_gib, throughput, each row once, and of each model all
// combinations of its cores and memory. Case does not count in names.
func (l *profile) open(file string) error {
	l.models = map[string]int32{}
	var rows [][]measured
	var names []string
	err := tabular.Each(file, nil, func(r *tabular.Row) {
		name := strings.ToLower(r.Text("model"))
		if name == "" {
			r.Reject("model", "the name of a model")
		}
		m := measured{above(r, "cpus"), above(r, "mem_gib"), above(r, "throughput")}
		if len(r.Faults()) > 0 {
			return
		}
		id, ok := l.models[name]
		if !ok {
			id = int32(len(rows))
			name = strings.Clone(name)
			l.models[name] = id
			rows, names = append(rows, nil), append(names, name)
		}
		if slices.ContainsFunc(rows[id], func(o measured) bool { return o.cores == m.cores && o.mem == m.mem }) {
			r.Rejectf("%s with %v cores and %v GiB has an earlier row, expected one", name, m.cores, m.mem)
			return
		}
		rows[id] = append(rows[id], m)
	}, "model", "cpus", "mem_gib", "throughput")
	if err != nil {
		return err
	}
	for i := range rows {
		g, err := gridOf(rows[i])
		if err != nil {
			return fmt.Errorf("%s: model %s: %w", file, names[i], err)
		}
		l.grids = append(l.grids, g)
	}
	for i, name := range names {
		if b := base(name); b != "" {
			if _, ok := l.models[b]; !ok {
				l.models[b] = int32(i)
			}
		}
	}
	return nil
}

// above reads a number above 0.
func above(r *tabular.Row, column string) float64 {
	v := r.Float(column, 0, true)
	if len(r.Faults()) == 0 && !(v > 0 && v <= most) {
		r.Reject(column, "a number above 0, at most 1e12")
	}
	return v
}

// gridOf orders rows and makes them rise with cores and with memory.
func gridOf(rows []measured) (grid, error) {
	var g grid
	for _, m := range rows {
		g.cores, g.mem = append(g.cores, m.cores), append(g.mem, m.mem)
	}
	slices.Sort(g.cores)
	slices.Sort(g.mem)
	g.cores, g.mem = slices.Compact(g.cores), slices.Compact(g.mem)
	if len(rows) != len(g.cores)*len(g.mem) {
		return g, fmt.Errorf("%d rows for %d numbers of cores and %d of memory, expected one for each combination",
			len(rows), len(g.cores), len(g.mem))
	}
	g.part = make([]float64, len(rows))
	highest := 0.0
	for _, m := range rows {
		c, _ := slices.BinarySearch(g.cores, m.cores)
		k, _ := slices.BinarySearch(g.mem, m.mem)
		g.part[c*len(g.mem)+k] = m.rate
		highest = max(highest, m.rate)
	}
	for c := range g.cores {
		for k := range g.mem {
			at := c*len(g.mem) + k
			if c > 0 {
				g.part[at] = max(g.part[at], g.part[at-len(g.mem)])
			}
			if k > 0 {
				g.part[at] = max(g.part[at], g.part[at-1])
			}
		}
	}
	for i := range g.part {
		g.part[i] /= highest
	}
	return g, nil
}

// base is the letters and digits of a name without its batch size.
func base(model string) string {
	name, _, _ := strings.Cut(strings.ToLower(model), " (batch size ")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}
