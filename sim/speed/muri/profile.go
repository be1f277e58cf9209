package muri

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/stages"
	"tarry/sim/tabular"
)

// File is the name of the file in a folder.
const File = "stages.csv"

const (
	maxGPUs = 1 << 20
	maxMS   = 1e12
)

// Stage is what a model takes on a number of GPUs.
type Stage struct {
	// GPUs is the number, Batch the batch size of all of them, 0 = not known.
	GPUs, Batch int
	// IterS is the time of an iteration of a job alone in seconds, Muri's factor of 1.015 included;
	// > 0.
	IterS float64
	stages.Times
	// OverheadS is what a start costs, in seconds; 0 = nothing, or not known.
	OverheadS float64
}

// Profile holds stage times by model and number of GPUs. It does not change once read.
type Profile struct {
	// Dir is the folder that it was read from.
	Dir    string
	models map[string][]Stage // ascending by GPUs
}

// Open reads a folder. The error joins all faults of the file, up to 20, each with its line and
// column.
func Open(dir string) (*Profile, error) {
	p := &Profile{Dir: dir, models: map[string][]Stage{}}
	err := tabular.Each(filepath.Join(dir, File), nil, p.row,
		"model", "num_gpu", "iteration_time_ms", "resource_time_0_ms", "resource_time_1_ms", "resource_time_2_ms")
	for _, rows := range p.models {
		slices.SortFunc(rows, func(a, b Stage) int { return cmp.Compare(a.GPUs, b.GPUs) })
	}
	return p, err
}

func (p *Profile) row(r *tabular.Row) {
	ms := func(column string) float64 {
		v := r.Float(column, 0, false)
		if v > maxMS {
			r.Reject(column, fmt.Sprintf("at most %g ms", maxMS))
		}
		return v
	}
	name := strings.Clone(r.Text("model"))
	s := Stage{GPUs: int(r.Count("num_gpu", 1, maxGPUs)), IterS: ms("iteration_time_ms") * stages.Stretch / 1000}
	for i, c := range [...]string{"resource_time_0_ms", "resource_time_1_ms", "resource_time_2_ms"} {
		s.Times[i] = ms(c) / 1000
	}
	if r.Known("start_overhead_s") {
		s.OverheadS = r.Float("start_overhead_s", 0, false)
	}
	if r.Known("batch_size") {
		s.Batch = int(r.Count("batch_size", 0, 1<<31-1))
	}
	switch {
	case name == "":
		r.Reject("model", "the name of a model")
	case s.OverheadS > 1e9:
		r.Reject("start_overhead_s", "at most 1e9 s")
	case !(s.IterS > 0) && len(r.Faults()) == 0:
		r.Reject("iteration_time_ms", "a number above 0")
	case slices.ContainsFunc(p.models[name], func(o Stage) bool { return o.GPUs == s.GPUs }):
		r.Rejectf("%s on %d GPUs has a row already", name, s.GPUs)
	}
	if len(r.Faults()) == 0 {
		p.models[name] = append(p.models[name], s)
	}
}

// Models lists the models, sorted.
func (p *Profile) Models() []string { return slices.Sorted(maps.Keys(p.models)) }

// Of is what a model takes on a number of GPUs, on the straight line between two that were
// measured; false for a model that the profile does not have, not even in lower case.
func (p *Profile) Of(model string, gpus int) (Stage, bool) {
	rows, ok := p.models[model]
	if !ok {
		rows = p.models[strings.ToLower(model)]
	}
	i, found := slices.BinarySearchFunc(rows, gpus, func(s Stage, n int) int { return cmp.Compare(s.GPUs, n) })
	switch {
	case len(rows) == 0:
		return Stage{}, false
	case found:
		return rows[i], true
	case i == 0 || i == len(rows):
		s := rows[max(0, i-1)]
		s.GPUs = gpus
		return s, true
	}
	a, b := &rows[i-1], &rows[i]
	part := float64(gpus-a.GPUs) / float64(b.GPUs-a.GPUs)
	between := func(x, y float64) float64 { return x + float64((y-x)*part) }
	s := Stage{GPUs: gpus, Batch: a.Batch, IterS: between(a.IterS, b.IterS),
		OverheadS: between(a.OverheadS, b.OverheadS)}
	for k := range s.Times {
		s.Times[k] = between(a.Times[k], b.Times[k])
	}
	return s, true
}
