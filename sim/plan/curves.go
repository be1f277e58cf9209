package plan

import (
	"maps"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Curves has how fast jobs run on each number of GPUs, placed as near to one another as the
// cluster has them, with nothing else running. Jobs of a kind share a curve: the first of them asks
// the speed model for every count, the others for one. The zero value is ready. It needs
// know.Speed; without it, and where the speed model has no answer for any count, a job runs at
// speed n on n GPUs, or its share of it. Where GPUs of one type differ the fastest are not looked
// for.
type Curves struct {
	kinds  map[kind]int32
	curves [][]float64
	of     []int32 // (job, 0 or 1 + type) -> 1 + its curve; 0 = not yet asked for
	types  []string
	wide   map[int][]float64 // by the count for which no type has room
	empty  *cluster.Free
	gpus   []cluster.GPU
}

// kind is what a curve depends on. base is the speed on the fewest GPUs: it differs where the speed
// model looks at more of a job than its model.
type kind struct {
	model, asks string
	typ         int // -1 = any
	worker      int32
	share       int32
	cpu, mem    int32
	lo, hi      int32
	base        uint64
}

// Of is a job's speed, in work per unit of time, on 0, 1, 2 ... GPUs, up to the most that it can
// use and the cluster has: of its type, or of one type if it names none, for each count the
// fastest. A count that the speed model has no answer for, or that is no multiple of the job's
// worker, has speed 0. The slice must not be changed.
func (c *Curves) Of(v *sim.View, j sim.JobID) []float64 {
	return c.curve(v, j, -1)
}

// OfType is Of on GPUs of one type. A type that the cluster has not, or a job does not accept, has
// no GPUs: the slice has length 1.
func (c *Curves) OfType(v *sim.View, j sim.JobID, typ string) []float64 {
	types := v.Topology().Types()
	i := slices.Index(types, typ)
	if len(types) == 1 && (typ == "" || types[0] == "") {
		i = 0
	}
	if i < 0 || !accepts(v, j, i) {
		return []float64{0}[:1:1]
	}
	return c.curve(v, j, i)
}

// accepts reports whether a job may have GPUs of the i-th type.
func accepts(v *sim.View, j sim.JobID, i int) bool {
	types, asks := v.Topology().Types(), v.Job(j).GPUType()
	return asks == "" || types[i] == asks || len(types) == 1 && types[0] == ""
}

func (c *Curves) curve(v *sim.View, j sim.JobID, typ int) []float64 {
	c.names(v)
	at := int(j)*(1+len(c.types)) + 1 + typ
	if at >= len(c.of) {
		c.of = append(c.of, make([]int32, v.NumJobs()*(1+len(c.types))-len(c.of))...)
	}
	if c.of[at] == 0 {
		c.of[at] = 1 + c.find(v, j, typ)
	}
	return c.curves[c.of[at]-1]
}

func (c *Curves) names(v *sim.View) {
	if c.kinds == nil {
		c.kinds, c.types = map[kind]int32{}, v.Topology().Types()
	}
}

// find gives the curve of a job's kind, and makes it if it is the first.
func (c *Curves) find(v *sim.View, j sim.JobID, typ int) int32 {
	a := v.Job(j).Public()
	lo, hi := a.Range()
	most := 0
	for i := range c.types {
		if (typ < 0 || i == typ) && accepts(v, j, i) {
			most = max(most, v.Topology().CarriesOf(i, cluster.PerGPU{CPUMilli: a.CPUMilli, MemMiB: a.MemMiB}))
		}
	}
	hi = min(hi, int32(most))
	k := kind{model: a.Model, asks: a.GPUType, typ: typ, worker: int32(v.Job(j).WorkerGPUs()), share: a.ShareMilli,
		cpu: a.CPUMilli, mem: a.MemMiB, lo: min(lo, hi), hi: hi}
	k.base = math.Float64bits(c.speed(v, j, typ, int(k.lo)))
	i, ok := c.kinds[k]
	if !ok {
		i = int32(len(c.curves))
		c.kinds[k] = i
		c.curves = append(c.curves, c.draw(v, j, typ, &k))
	}
	return i
}

// draw asks for every count that workers can make up.
func (c *Curves) draw(v *sim.View, j sim.JobID, typ int, k *kind) []float64 {
	out, known, step := make([]float64, k.hi+1), false, int(k.worker)
	for n := step; n < len(out); n += step {
		out[n] = c.speed(v, j, typ, n)
		known = known || out[n] > 0
	}
	if !known {
		per := 1.0
		if k.share > 0 {
			per = float64(k.share) / 1000
		}
		for n := 0; n < len(out); n += step {
			out[n] = per * float64(n)
		}
	}
	return out
}

// speed asks for one count, on the nearest GPUs of each type that the job accepts.
func (c *Curves) speed(v *sim.View, j sim.JobID, typ, n int) float64 {
	fastest := 0.0
	for i := range c.types {
		if typ < 0 || i == typ {
			fastest = math.Max(fastest, c.ofType(v, j, i, n))
		}
	}
	return fastest
}

// Near is the GPUs of which Of has the speed of a job on a count, in an empty cluster; nil where it has
// none. The slice is valid until the next call of a method.
func (c *Curves) Near(v *sim.View, j sim.JobID, n int) []cluster.GPU {
	best, fastest := -1, 0.0
	c.names(v)
	for i := range c.types {
		if x := c.ofType(v, j, i, n); x > fastest {
			best, fastest = i, x
		}
	}
	if best < 0 {
		return nil
	}
	c.ofType(v, j, best, n)
	return c.gpus
}

// ofType asks for one count, on the nearest GPUs of a type, which are then in gpus; 0 where the job does
// not accept the type.
func (c *Curves) ofType(v *sim.View, j sim.JobID, i, n int) float64 {
	if c.empty == nil {
		c.empty = cluster.NewFree(v.Topology())
	}
	f := c.empty.Type(i)
	if n < 1 || !accepts(v, j, i) || f.Total() < n {
		return 0
	}
	l := cluster.LevelSlot
	for f.Largest(l) < n {
		l++
	}
	c.gpus, _ = f.At(c.gpus[:0], n, l, cluster.BestFit)
	return v.Predict(j, sim.Placement{GPUs: c.gpus, Idle: true}).Rate
}

// Clone gives an independent copy.
func (c *Curves) Clone() Curves {
	return Curves{kinds: maps.Clone(c.kinds), curves: slices.Clone(c.curves), of: slices.Clone(c.of), types: c.types}
}

// Peak is the count at which a curve is highest, the smallest of those: a job on more GPUs is no
// faster.
func Peak(curve []float64) int {
	top := 0
	for n, x := range curve {
		if x > curve[top] {
			top = n
		}
	}
	return top
}
