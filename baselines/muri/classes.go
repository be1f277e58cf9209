package muri

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stages"
)

// kind is what jobs of equal stages have in common.
type kind struct {
	model string
	typ   string
	batch int32
	gpus  int32
}

// class is a kind of jobs as groups see it.
type class struct {
	times stages.Times
	iterS float64 // alone
	busy  busy
}

// classes numbers kinds of jobs and remembers the iteration times of groups of them.
type classes struct {
	of  map[kind]int32
	all []class
	// of a group: its classes ascending, each one more than the index, then the order
	times map[[stages.Most + 1]int32]float64
	lists lists
	empty *cluster.Free
	gpus  []cluster.GPU
}

// class gives the number of a job's kind.
func (p *Policy) class(v *sim.View, j sim.JobID) int32 {
	a := v.Job(j).Public()
	k := kind{model: a.Model, typ: a.GPUType, batch: a.BatchSize, gpus: int32(v.Job(j).GPUs())}
	if n, ok := p.kinds.of[k]; ok {
		return n
	}
	if p.kinds.of == nil {
		p.kinds.of, p.kinds.times = map[kind]int32{}, map[[stages.Most + 1]int32]float64{}
	}
	n := int32(len(p.kinds.all))
	p.kinds.of[k] = n
	c := p.measure(v, j, int(k.gpus))
	c.busy = c.own(p.cfg.most)
	p.kinds.all = append(p.kinds.all, c)
	return n
}

// measure is what a program's profile states of a job, or what the speed model does on GPUs placed as
// well as an empty cluster can.
func (p *Policy) measure(v *sim.View, j sim.JobID, gpus int) class {
	if p.program != nil {
		if t, iterS, ok := p.program.Stages(v.Job(j).Model(), gpus); ok {
			return class{times: t, iterS: iterS}
		}
	}
	on := p.ideal(v, j, gpus)
	if on == nil {
		return class{times: stages.Times{0, 1, 0}, iterS: 1}
	}
	t, ok := v.TelemetryAt(j, sim.Placement{GPUs: on, Alone: true})
	if ok && t.LoadS+t.ComputeS+t.ExchangeS > 0 && t.StepS > 0 {
		return class{times: stages.Times{t.LoadS, t.ComputeS, t.ExchangeS}, iterS: t.StepS}
	}
	iterS, f := 1.0, v.Predict(j, sim.Placement{GPUs: on, Idle: true}).ComputeFrac
	if ok && t.StepS > 0 {
		iterS = t.StepS
	}
	if !(f > 0 && f <= 1) {
		f = 1
	}
	return class{times: stages.Times{0, float64(iterS * f), iterS - float64(iterS*f)}, iterS: iterS}
}

// ideal gives GPUs of an empty cluster, as close together as they can be; nil where there are not
// so many.
func (p *Policy) ideal(v *sim.View, j sim.JobID, n int) []cluster.GPU {
	if p.kinds.empty == nil {
		p.kinds.empty = cluster.NewFree(v.Topology())
	}
	f := p.kinds.empty.Of(v.Job(j).GPUType())
	if f == nil || f.Total() < n {
		return nil
	}
	for l := cluster.LevelSlot; l <= cluster.LevelCluster; l++ {
		if f.Largest(l) >= n {
			p.kinds.gpus, _ = f.At(p.kinds.gpus[:0], n, l, cluster.BestFit)
			return p.kinds.gpus
		}
	}
	return nil
}

// groupS is the iteration time of a group of classes.
func (c *classes) groupS(of []int32, o stages.Order) float64 {
	if len(of) == 1 {
		return c.all[of[0]].iterS
	}
	key := [stages.Most + 1]int32{stages.Most: int32(o)}
	for i, n := range of { // one more than the class, ascending
		k := i
		for ; k > 0 && key[k-1] > n+1; k-- {
			key[k] = key[k-1]
		}
		key[k] = n + 1
	}
	if t, ok := c.times[key]; ok {
		return t
	}
	var times [stages.Most]stages.Times
	for i := range of {
		times[i] = c.all[key[i]-1].times
	}
	t := stages.GroupS(times[:len(of)], 0, o)
	c.times[key] = t
	return t
}

// lists numbers lists of classes, and remembers the used ratio of two together, by the first's
// number, then the second's; 0 = not computed, below 0 = none.
type lists struct {
	of    map[[stages.Most]int32]int32 // each class one more than the index
	ratio [][]float64
}

// mostLists is the number of lists of which pairs are remembered.
const mostLists = 1 << 10

// list gives the number of a list of classes, as they are listed; mostLists or more where there are
// too many.
func (l *lists) list(of []int32) int32 {
	var key [stages.Most]int32
	for i, n := range of {
		key[i] = n + 1
	}
	n, ok := l.of[key]
	if !ok {
		if l.of == nil {
			l.of = map[[stages.Most]int32]int32{}
		}
		n = int32(len(l.of))
		l.of[key] = n
	}
	return n
}

// at is where the ratio of two lists is remembered; nil = it is not.
func (l *lists) at(a, b int32) *float64 {
	if max(a, b) >= mostLists {
		return nil
	}
	for int(a) >= len(l.ratio) {
		l.ratio = append(l.ratio, nil)
	}
	if row := l.ratio[a]; int(b) >= len(row) {
		l.ratio[a] = append(row, make([]float64, int(b)+1-len(row))...)
	}
	return &l.ratio[a][b]
}

// ratio is the used ratio of two groups as one, by the numbers of their lists of classes.
func (p *Policy) ratio(a, b *group, first, second int32) float64 {
	at := p.kinds.lists.at(first, second)
	if at != nil && *at != 0 {
		return *at
	}
	var buffer [stages.Most]int32
	w := p.kinds.used(b.classesOf(a.classesOf(buffer[:0])), p.cfg.order)
	if at != nil {
		if *at = w; w == 0 {
			*at = -1
		}
	}
	return w
}

// used is the used ratio of a group of classes.
func (c *classes) used(of []int32, o stages.Order) float64 {
	sum := 0.0
	for _, n := range of {
		sum += c.all[n].times.Sum()
	}
	if t := c.groupS(of, o); t > 0 {
		return sum / (stages.Most * t)
	}
	return 0
}
