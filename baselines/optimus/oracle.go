package optimus

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// table has the step times of jobs of a kind at their own batch, in seconds by number of GPUs; 0 =
// not asked for yet, NaN = not known.
type table struct {
	model string
	batch int32
	typ   int
	steps []float64
}

// consult finds out what the speed model knows of a job: the most GPUs that its batch can be
// divided among, and its table.
func (p *Policy) consult(v *sim.View, l *life) {
	batch := v.Job(l.job).Public().BatchSize
	limits := v.Job(l.job).Batches()
	if batch == 0 {
		batch = limits.Initial
	}
	if limits.MinLocal > 0 && batch > 0 {
		l.hi = max(min(l.hi, int(batch/limits.MinLocal)), l.lo)
		l.hi -= (l.hi - l.lo) % l.unit
	}
	if _, ok := p.predict(v, l, l.lo, sim.Knobs{}); !ok || l.wide {
		return
	}
	model := v.Job(l.job).Model()
	l.table = slices.IndexFunc(p.tables, func(t table) bool {
		return t.model == model && t.batch == batch &&
			t.typ == l.typ
	})
	if l.table < 0 {
		l.table = len(p.tables)
		p.tables = append(p.tables, table{model, batch, l.typ, nil})
	}
}

// predict asks for telemetry on n GPUs, machine by machine.
func (p *Policy) predict(v *sim.View, l *life, n int, k sim.Knobs) (sim.Telemetry, bool) {
	t := v.Topology()
	p.gpus = p.gpus[:0]
	for m := 0; m < t.Machines() && len(p.gpus) < n; m++ {
		if l.typ >= 0 && t.Type(m) != t.Types()[l.typ] {
			continue
		}
		for lo, hi := t.MachineGPUs(m); lo < hi && len(p.gpus) < n; lo++ {
			p.gpus = append(p.gpus, cluster.GPU(lo))
		}
	}
	return v.TelemetryAt(l.job, sim.Placement{GPUs: p.gpus, Knobs: k, Alone: true})
}

// step is the time of an update on n GPUs; one GPU has two steps or more.
func (p *Policy) step(v *sim.View, l *life, n int) float64 {
	t := &p.tables[l.table]
	if len(t.steps) <= n {
		t.steps = append(t.steps, make([]float64, n+1-len(t.steps))...)
	}
	if t.steps[n] == 0 {
		k := sim.Knobs{}
		if n == 1 {
			k.AccumSteps = 2
		}
		t.steps[n] = math.NaN()
		if m, ok := p.predict(v, l, n, k); ok {
			t.steps[n] = m.StepS + float64(float64(m.AccumSteps-1)*(m.StepS-m.SyncS))
		}
	}
	return t.steps[n]
}

// remaining asks what a job has left, if that has changed: it does at marks.
func (p *Policy) remaining(v *sim.View, l *life) {
	if l.table < 0 {
		l.left = v.Run(l.job).Left() / 1e6
		return
	}
	done := v.Run(l.job).Done()
	if done == l.done && l.left > 0 || done < l.mark {
		return
	}
	l.done, l.mark = done, 0
	if v.Run(l.job).State() == sim.Running {
		l.mark = v.Run(l.job).NextMark()
	}
	t, ok := p.predict(v, l, l.lo, sim.Knobs{})
	l.left = t.ItersLeft
	if !ok || !(l.left > 0) {
		l.left = 1
	}
}
