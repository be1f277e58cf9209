package deepshare

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/tabular"
)

// Files lists the files of a folder.
func Files() []string { return []string{"isolated.csv", "pair_ratio.csv"} }

// maxGPUs bounds the GPUs and machines of a row, minPerS and maxPerS a throughput, maxShapes what
// is measured.
const (
	maxGPUs   = 1 << 16
	minPerS   = 1e-12
	maxPerS   = 1e15
	maxShapes = 1 << 10
)

// Table holds the measurements. It does not change once read, and many runs may share it.
type Table struct {
	// Dir is the folder that it was read from.
	Dir string

	names  []string // as written
	models map[string]int32
	shapes []shape
	of     map[size][]int32 // shapes of a model on GPUs, by machines ascending
	perS   []float64        // shape -> samples per second
	one    []float64        // model -> samples per second of one GPU
	ratio  []float64        // [shape][other shape]; NaN = not measured
}

// shape is a model on GPUs of machines; size leaves the machines out.
type (
	shape struct {
		size
		nodes int32
	}
	size struct{ model, gpus int32 }
)

// Open reads the folder. The error joins all faults of a file, up to 20, each with its line and
// column.
func Open(dir string) (*Table, error) {
	t := &Table{Dir: dir, models: map[string]int32{}, of: map[size][]int32{}}
	if err := t.readIsolated(filepath.Join(dir, Files()[0])); err != nil {
		return nil, err
	}
	t.one = make([]float64, len(t.names))
	for i, s := range t.shapes {
		t.of[s.size] = append(t.of[s.size], int32(i))
	}
	for at, all := range t.of {
		slices.SortFunc(all, func(a, b int32) int { return int(t.shapes[a].nodes - t.shapes[b].nodes) })
		if least := t.least(at.model); least == at.gpus {
			t.one[at.model] = t.perS[all[0]] / float64(least)
		}
	}
	return t, t.readRatios(filepath.Join(dir, Files()[1]))
}

// least is the least number of GPUs on which a model was measured.
func (t *Table) least(model int32) int32 {
	least := int32(math.MaxInt32)
	for _, s := range t.shapes {
		if s.model == model {
			least = min(least, s.gpus)
		}
	}
	return least
}

// Models lists the models, in the order of the file.
func (t *Table) Models() []string { return t.names }

func (t *Table) readIsolated(file string) error {
	seen := map[shape]bool{}
	return tabular.Each(file, nil, func(r *tabular.Row) {
		name := r.Text("model")
		if name == "" {
			r.Reject("model", "the name of a model")
		}
		gpus, nodes := gpusAndNodes(r, "num_gpus", "num_nodes")
		perS := r.Float("samples_per_s", 0, true)
		if len(r.Faults()) == 0 && !(perS >= minPerS && perS <= maxPerS) {
			r.Reject("samples_per_s", "samples per second, at least 1e-12 and at most 1e15")
		}
		if len(t.shapes) >= maxShapes {
			r.Rejectf("more than %d rows, expected fewer", maxShapes)
		}
		if len(r.Faults()) > 0 {
			return
		}
		id, ok := t.models[strings.ToLower(name)]
		if !ok {
			id = int32(len(t.names))
			t.names = append(t.names, strings.Clone(name))
			t.models[strings.Clone(strings.ToLower(name))] = id
		}
		s := shape{size{id, gpus}, nodes}
		if seen[s] {
			r.Rejectf("a second row for %s, expected each once", t.text(s))
			return
		}
		seen[s] = true
		t.shapes, t.perS = append(t.shapes, s), append(t.perS, perS)
	}, "model", "num_gpus", "num_nodes", "samples_per_s")
}

func gpusAndNodes(r *tabular.Row, gpus, nodes string) (int32, int32) {
	g, n := r.Count(gpus, 1, maxGPUs), r.Count(nodes, 1, maxGPUs)
	if len(r.Faults()) == 0 && n > g {
		r.Reject(nodes, fmt.Sprintf("at most as many machines as GPUs, %d", g))
	}
	return int32(g), int32(n)
}

func (t *Table) readRatios(file string) error {
	n := len(t.shapes)
	t.ratio = slices.Repeat([]float64{math.NaN()}, n*n)
	ids := map[shape]int{}
	for i, s := range t.shapes {
		ids[s] = i
	}
	side := func(r *tabular.Row, before string) int {
		gpus, nodes := gpusAndNodes(r, before+"num_gpus", before+"num_nodes")
		model, ok := t.models[strings.ToLower(r.Text(before+"model"))]
		if !ok {
			r.Reject(before+"model", "a model of "+Files()[0])
			return 0
		}
		id, ok := ids[shape{size{model, gpus}, nodes}]
		if !ok && len(r.Faults()) == 0 {
			r.Reject(before+"num_nodes", "GPUs and machines of a row of "+Files()[0])
		}
		return id
	}
	return tabular.Each(file, nil, func(r *tabular.Row) {
		me, other := side(r, ""), side(r, "other_")
		ratio := r.Float("ratio", 0, true)
		if ratio > 1 {
			r.Reject("ratio", "a part of the throughput alone, at most 1")
		}
		if len(r.Faults()) > 0 {
			return
		}
		cell := &t.ratio[me*n+other]
		if !math.IsNaN(*cell) && *cell != ratio {
			r.Rejectf("the ratio is %v, and %v by an earlier row, expected one value", ratio, *cell)
		}
		*cell = ratio
	}, "model", "num_gpus", "num_nodes", "other_model", "other_num_gpus", "other_num_nodes", "ratio")
}

// shape finds what was measured of a model; -1 = nothing on so many GPUs.
func (t *Table) shape(model int32, gpus, nodes int) int32 {
	all := t.of[size{model, int32(gpus)}]
	if len(all) == 0 {
		return -1
	}
	for _, id := range all {
		if int(t.shapes[id].nodes) >= nodes {
			return id
		}
	}
	return all[len(all)-1]
}

// text names a shape.
func (t *Table) text(s shape) string {
	return fmt.Sprintf("%q on %d GPUs of %d machines", t.names[s.model], s.gpus, s.nodes)
}

// Measured finds what was measured of a model, by its place in Models, on GPUs of exactly so many
// machines: the number that Between takes, and the samples per second of the whole job.
func (t *Table) Measured(model, gpus, machines int) (id int, perS float64, ok bool) {
	i := slices.Index(t.shapes, shape{size{int32(model), int32(gpus)}, int32(machines)})
	if i < 0 {
		return 0, 0, false
	}
	return i, t.perS[i], true
}

// Between is the ratio that the first of two keeps beside the second; NaN = not measured.
func (t *Table) Between(id, other int) float64 { return t.ratio[id*len(t.shapes)+other] }
