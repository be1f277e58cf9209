package synergy

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// cell is CPU in thousandths of a core and memory in MiB, per GPU; 0 = what the job asks for, where
// no machine states any.
type cell struct{ cpu, mem int32 }

// within reports whether a cell needs no more than another.
func (a cell) within(b cell) bool { return a.cpu <= b.cpu && a.mem <= b.mem }

// kind is what profiles depend on.
type kind struct {
	model, typ  string
	gpus, batch int32
}

// matrix is the profile of a kind: throughputs over a grid, relative to that at the part by GPUs.
type matrix struct {
	typ   string // the type that it insists on, "" = any
	cells []cell // the first is the part by GPUs
	value []float64
	// rate is the speed at the part by GPUs, in seconds of work per second; 0 = the model has no
	// answer.
	rate float64
	want int32 // the best-case demand
	// options are the cells of at least the part's throughput of which no other is smaller and as
	// fast.
	options []int32
}

// fair is the part by GPUs.
func (m *matrix) fair() cell { return m.cells[0] }

// profiler makes profiles.
type profiler struct {
	near  float64
	index map[kind]int32
	list  []*matrix
	empty *cluster.Free
	gpus  []cluster.GPU
	shape cluster.Shape
}

// of gives the profile of a job that has arrived; nil where no GPUs can hold it.
func (p *profiler) of(v *sim.View, j sim.JobID) *matrix {
	a := v.Job(j).Public()
	k := kind{model: a.Model, typ: a.GPUType, gpus: int32(v.Job(j).GPUs()), batch: a.BatchSize}
	if v.Free().Of(k.typ) == v.Free() {
		k.typ = "" // any type will do
	}
	if i, ok := p.index[k]; ok {
		return p.list[i]
	}
	if p.index == nil {
		p.index = map[kind]int32{}
	}
	if p.empty == nil {
		p.empty = cluster.NewFree(v.Topology())
	}
	m := p.draw(v, j, &k)
	if m != nil {
		p.index[k] = int32(len(p.list))
		p.list = append(p.list, m)
	}
	return m
}

// thirds are the points of the grid in thirds of the part by GPUs, in ascending order; memory has
// those up to 12.
func thirds() [9]int64 { return [9]int64{1, 2, 3, 4, 5, 6, 9, 12, 24} }

// draw asks for every cell, on the closest GPUs of an empty cluster.
func (p *profiler) draw(v *sim.View, j sim.JobID, k *kind) *matrix {
	f := p.empty.Of(k.typ)
	if f == nil || f.Total() < int(k.gpus) {
		return nil
	}
	l := cluster.LevelSlot
	for f.Largest(l) < int(k.gpus) {
		l++
	}
	p.gpus, _ = f.At(p.gpus[:0], int(k.gpus), l, cluster.BestFit)
	fair := part(v.Topology(), k.typ)
	most := p.most(v.Topology())
	m := &matrix{typ: k.typ, cells: []cell{fair}}
	for _, c := range points(fair.cpu, most.cpu, 9) {
		for _, g := range points(fair.mem, most.mem, 8) {
			if (cell{c, g}) != fair {
				m.cells = append(m.cells, cell{c, g})
			}
		}
	}
	for _, c := range m.cells {
		rate := v.Predict(j, sim.Placement{GPUs: p.gpus, Knobs: sim.Knobs{ShareMilli: 1000, CPUMilli: c.cpu,
			MemMiB: c.mem}}).Rate
		if m.value = append(m.value, rate); !(m.value[0] > 0) {
			break
		}
	}
	m.digest(p.near)
	return m
}

// part is the part by GPUs, on the machine with the least of machines that a job of a type may use;
// 0 where none states any.
func part(t *cluster.Topology, typ string) cell {
	least := cell{math.MaxInt32, math.MaxInt32}
	for m := range t.Machines() {
		if typ != "" && t.Type(m) != typ {
			continue
		}
		lo, hi := t.MachineGPUs(m)
		if c := t.CPUMilli(m); c > 0 {
			least.cpu = int32(min(int64(least.cpu), max(1, c/int64(hi-lo))))
		}
		if c := t.MemMiB(m); c > 0 {
			least.mem = int32(min(int64(least.mem), max(1, c/int64(hi-lo))))
		}
	}
	if least.cpu == math.MaxInt32 {
		least.cpu = 0
	}
	if least.mem == math.MaxInt32 {
		least.mem = 0
	}
	return least
}

// most is what a job can have per GPU on p.gpus, with the machines to itself.
func (p *profiler) most(t *cluster.Topology) cell {
	most := cell{math.MaxInt32, math.MaxInt32}
	p.shape = t.ShapeOf(p.shape[:0], p.gpus)
	for i := range p.shape {
		m, n := int(p.shape[i].Machine), int64(p.shape[i].GPUs)
		if c := t.CPUMilli(m); c > 0 {
			most.cpu = int32(min(int64(most.cpu), c/n))
		}
		if c := t.MemMiB(m); c > 0 {
			most.mem = int32(min(int64(most.mem), c/n))
		}
	}
	return most
}

// points are the grid of one resource, n points at most: points that a machine can give, and the
// part itself.
func points(fair, most int32, n int) (out []int32) {
	if fair == 0 {
		return []int32{0}
	}
	for _, k := range thirds() {
		if x := int64(fair) * k / 3; len(out) < n && (k == 3 || x > 0 && x <= int64(most)) {
			out = append(out, int32(x))
		}
	}
	return out
}

// digest finds the demand and the options.
func (m *matrix) digest(near float64) {
	if m.rate = m.value[0]; !(m.rate > 0) { // no answer: nothing is known to be better than the part
		m.rate, m.cells, m.value, m.options = 0, m.cells[:1], []float64{1}, []int32{0}
		return
	}
	peak := 0.0
	for i := range m.value {
		m.value[i] /= m.rate
		peak = max(peak, m.value[i])
	}
	need, least := max(1, near*peak), math.Inf(1)
	for i, c := range m.cells {
		if s := m.size(c); m.value[i] >= need && (s < least || s == least && c.cpu < m.cells[m.want].cpu) {
			least, m.want = s, int32(i)
		}
	}
	for i := range m.cells {
		if m.value[i] >= 1 && !m.dominated(i) {
			m.options = append(m.options, int32(i))
		}
	}
}

// size is the sum of a cell's CPU and memory over the parts by GPUs.
func (m *matrix) size(c cell) float64 {
	s, f := 0.0, m.fair()
	if f.cpu > 0 {
		s = float64(c.cpu) / float64(f.cpu)
	}
	if f.mem > 0 {
		s += float64(c.mem) / float64(f.mem)
	}
	return s
}

// dominated reports whether another cell is smaller and as fast, or faster and no larger.
func (m *matrix) dominated(i int) bool {
	for k, c := range m.cells {
		if k != i && c.within(m.cells[i]) && m.value[k] >= m.value[i] && (c != m.cells[i] || k < i) {
			return true
		}
	}
	return false
}
