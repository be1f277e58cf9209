package polluxsim

import (
	"math"
	"slices"

	"tarry/baselines/optimus"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// outlook has the step times and the iterations left of jobs, from the speed model's telemetry.
type outlook struct {
	jobs   []known // by job
	tables []table
	gpus   []cluster.GPU // scratch
}

// table has the step times of jobs of a kind at their own batch, in seconds by number of GPUs; 0 =
// not asked for yet, NaN = not known.
type table struct {
	model string
	batch int32
	typ   int
	steps []float64
}

// known is what is known of a job.
type known struct {
	lo, typ int     // the least GPUs that it can use; index of its GPU type, -1 = any
	table   int     // of step times, -1 = none
	left    float64 // iterations; s of one reference GPU without a table
	done    float64 // work done when left was asked for
	mark    float64 // work done at which left changes; 0 = not known
}

// Meet finds out what the speed model states of a job: the most GPUs that its batch can be divided
// among, and its table.
func (o *outlook) Meet(v *sim.View, j sim.JobID, c plan.Counts) (hi int) {
	for len(o.jobs) <= int(j) {
		o.jobs = append(o.jobs, known{})
	}
	k := &o.jobs[j]
	*k = known{lo: c.Lo, typ: c.Type, table: -1}
	batch, limits := v.Job(j).Public().BatchSize, v.Job(j).Batches()
	if batch == 0 {
		batch = limits.Initial
	}
	if limits.MinLocal > 0 && batch > 0 {
		c.Hi = max(min(c.Hi, int(batch/limits.MinLocal)), c.Lo)
		c.Hi -= (c.Hi - c.Lo) % c.Unit
	}
	if _, ok := o.predict(v, j, c.Lo, sim.Knobs{}); !ok || c.Wide {
		return c.Hi
	}
	model := v.Job(j).Model()
	k.table = slices.IndexFunc(o.tables, func(t table) bool {
		return t.model == model && t.batch == batch && t.typ == k.typ
	})
	if k.table < 0 {
		k.table = len(o.tables)
		o.tables = append(o.tables, table{model, batch, k.typ, nil})
	}
	return c.Hi
}

// predict asks for telemetry on n GPUs, machine by machine.
func (o *outlook) predict(v *sim.View, j sim.JobID, n int, k sim.Knobs) (sim.Telemetry, bool) {
	t, typ := v.Topology(), o.jobs[j].typ
	o.gpus = o.gpus[:0]
	for m := 0; m < t.Machines() && len(o.gpus) < n; m++ {
		if typ >= 0 && t.Type(m) != t.Types()[typ] {
			continue
		}
		for lo, hi := t.MachineGPUs(m); lo < hi && len(o.gpus) < n; lo++ {
			o.gpus = append(o.gpus, cluster.GPU(lo))
		}
	}
	return v.TelemetryAt(j, sim.Placement{GPUs: o.gpus, Knobs: k, Alone: true})
}

// Step is the time of an update on n GPUs; one GPU has two steps or more.
func (o *outlook) Step(v *sim.View, j sim.JobID, n int) (float64, bool) {
	if o.jobs[j].table < 0 {
		return 0, false
	}
	t := &o.tables[o.jobs[j].table]
	if len(t.steps) <= n {
		t.steps = append(t.steps, make([]float64, n+1-len(t.steps))...)
	}
	if t.steps[n] == 0 {
		k := sim.Knobs{}
		if n == 1 {
			k.AccumSteps = 2
		}
		t.steps[n] = math.NaN()
		if m, ok := o.predict(v, j, n, k); ok {
			t.steps[n] = m.StepS + float64(float64(m.AccumSteps-1)*(m.StepS-m.SyncS))
		}
	}
	return t.steps[n], true
}

// Left asks what a job has left, if that has changed: it does at marks.
func (o *outlook) Left(v *sim.View, j sim.JobID) float64 {
	k := &o.jobs[j]
	if k.table < 0 {
		return v.Run(j).Left() / 1e6
	}
	done := v.Run(j).Done()
	if done == k.done && k.left > 0 || done < k.mark {
		return k.left
	}
	k.done, k.mark = done, 0
	if v.Run(j).State() == sim.Running {
		k.mark = v.Run(j).NextMark()
	}
	t, ok := o.predict(v, j, k.lo, sim.Knobs{})
	k.left = t.ItersLeft
	if !ok || !(k.left > 0) {
		k.left = 1
	}
	return k.left
}

// Clone gives an independent copy.
func (o *outlook) Clone() optimus.Outlook {
	c := &outlook{jobs: slices.Clone(o.jobs), tables: slices.Clone(o.tables)}
	for i := range c.tables {
		c.tables[i].steps = slices.Clone(c.tables[i].steps)
	}
	return c
}
