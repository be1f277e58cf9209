package powercap

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// job is what is kept of a job that runs.
type job struct {
	Options
	id   sim.JobID
	own  float64   // the clock that the host gave it
	slow []float64 // by clock: its time over its time at the clock of the host
	// gen is the instant of what follows.
	gen   int32
	at    int32 // 1 + the index of the decision that gives it GPUs
	tune  int32 // 1 + the index of the last Tune
	gone  bool  // it does not run after the decisions
	held  bool  // its start is left out
	fresh bool  // Options are of another allocation
	meter
}

// run is a job that runs after the decisions.
type run struct {
	job   sim.JobID
	gpus  []cluster.GPU
	knobs sim.Knobs
	since sim.Time // of its GPUs
	start bool
	stop  bool
}

// of is the entry of a job, made where it has none.
func (p *Policy) of(v *sim.View, j sim.JobID) *job {
	if p.slot == nil {
		p.slot = make([]int32, v.NumJobs())
	}
	if p.slot[j] == 0 {
		if n := len(p.unused); n > 0 {
			p.slot[j] = p.unused[n-1]
			p.unused = p.unused[:n-1]
		} else {
			k := len(p.clocks)
			p.jobs = append(p.jobs, job{Options: Options{make([]float64, k), make([]float64, k)}, slow: make([]float64, k)})
			p.slot[j] = int32(len(p.jobs))
		}
		x := &p.jobs[p.slot[j]-1]
		*x = job{Options: x.Options, slow: x.slow, id: j, own: 1, fresh: true}
	}
	x := &p.jobs[p.slot[j]-1]
	if x.gen != p.gen {
		x.gen, x.at, x.tune, x.gone, x.held = p.gen, 0, 0, false, false
	}
	return x
}

// collect lists the jobs that run after the decisions, starts last, and what each
// clock of theirs costs and draws.
func (p *Policy) collect(v *sim.View, out []sim.Decision) {
	p.gen++
	for i := range out {
		switch d := &out[i]; d.Kind {
		case sim.Preempt:
			p.of(v, d.Job).gone = true
		case sim.Start, sim.Migrate, sim.Resize, sim.Tune:
			x := p.of(v, d.Job)
			if d.FreqFrac > 0 {
				x.own = d.FreqFrac
			}
			if x.fresh = true; d.Kind == sim.Tune {
				x.tune = int32(i) + 1
			} else {
				x.at, x.gone = int32(i)+1, false
			}
		}
	}
	p.runs = p.runs[:0]
	for _, j := range v.Running() {
		if x := p.of(v, j); !x.gone && !(x.at > 0 && out[x.at-1].Kind == sim.Start) { // stopped and started: below
			r := run{job: j, gpus: v.Run(j).Held(), knobs: v.Run(j).Knobs(), since: v.Run(j).Since()}
			p.add(v, x, r, out)
		}
	}
	for i := range out {
		if x := p.entry(out[i].Job, out[i].Kind); x != nil && !x.gone && x.at == int32(i)+1 {
			k := v.Run(x.id).Knobs()
			k.FreqFrac = 1 // also of a job that ran at another clock until now
			p.add(v, x, run{job: x.id, knobs: k, since: v.Now(), start: true}, out)
		}
	}
}

// entry is the entry of a job that a decision starts.
func (p *Policy) entry(j sim.JobID, k sim.DecisionKind) *job {
	if k != sim.Start {
		return nil
	}
	return &p.jobs[p.slot[j]-1]
}

// add lists a job with the GPUs and knobs that decisions give it.
func (p *Policy) add(v *sim.View, x *job, r run, out []sim.Decision) {
	for _, i := range [...]int32{x.at, x.tune} {
		if i > 0 {
			r.knobs = r.knobs.With(&out[i-1].Knobs)
		}
	}
	if x.at > 0 {
		r.gpus = out[x.at-1].GPUs
	}
	if x.fresh {
		p.ask(v, x, &r)
		x.fresh = false
	}
	if p.learn != nil {
		p.expect(v, x, &r)
	}
	p.price(v, x, &r)
	p.runs = append(p.runs, r)
}

// clock is a clock of a job: at most the host's.
func (p *Policy) clock(x *job, k int32) float64 { return min(p.clocks[k], x.own) }

// ask asks what a job draws and how long it takes at each clock. Alone in an idle cluster it
// computes the largest part of its time, so others on its links never raise what it draws.
func (p *Policy) ask(v *sim.View, x *job, r *run) {
	if p.learn != nil {
		x.measured = false
		return
	}
	w := v.Power()
	_, progressive := v.Speeds()
	on := sim.Placement{GPUs: r.gpus, Knobs: r.knobs, Idle: true}
	on.Knobs.FreqFrac = x.own
	full := v.Predict(r.job, on).Rate
	for k := range p.clocks {
		c := p.clock(x, int32(k))
		on.Knobs.FreqFrac = c
		x.Watts[k] = w.DrawOn(r.job, on)
		if progressive || math.IsNaN(x.Watts[k]) {
			x.Watts[k] = busy(v, r, c)
		}
		x.slow[k] = x.own / c
		if rate := v.Predict(r.job, on).Rate; rate > 0 && full > 0 {
			x.slow[k] = full / rate
		}
	}
}

// busy is what GPUs draw in full use on top of what they draw idle.
func busy(v *sim.View, r *run, clock float64) (watts float64) {
	for _, g := range r.gpus {
		watts += v.Power().Spec(v.Topology().Machine(g)).BusyW(clock)
	}
	return watts * float64(r.knobs.ShareMilli) / 1000
}

// price sets what each clock of a job costs.
func (p *Policy) price(v *sim.View, x *job, r *run) {
	unit := 1.0
	switch p.cost {
	case "gpus":
		unit = float64(len(r.gpus)) * float64(r.knobs.ShareMilli) / 1000
	case "left":
		unit = v.Run(r.job).Left() / 1e6 / max(1e-9, p.rate(v, x, r))
	}
	last := len(p.clocks) - 1
	in := p.spare(v, x, r)
	for k := range x.Cost {
		x.Cost[k] = unit * x.slow[k]
		if x.slow[k] > in && x.slow[last] <= in {
			x.Cost[k] += float64(p.late * unit)
		}
	}
}

// spare is how many times as long as at the host's clock a job may take for the rest of its estimated
// work by its deadline; +Inf where it has none or its lateness costs nothing.
func (p *Policy) spare(v *sim.View, x *job, r *run) float64 {
	due := v.Job(r.job).Deadline()
	if p.late == 0 || due == sim.Never {
		return math.Inf(1)
	}
	left := max(0, v.Job(r.job).Estimate()-v.Run(r.job).Done()) / 1e6 / max(1e-9, p.rate(v, x, r))
	if !(left > 0) {
		return math.Inf(1)
	}
	return (due - v.Now()).Seconds() / left
}

// rate is the speed of a job at the host's clock: what is observed of one that runs.
func (p *Policy) rate(v *sim.View, x *job, r *run) float64 {
	if s := v.Run(r.job).Speed(); !r.start && x.at == 0 && s.Rate > 0 {
		return s.Rate * p.slowNow(v, x)
	}
	if p.learn != nil {
		return v.Job(r.job).Width()
	}
	on := sim.Placement{GPUs: r.gpus, Knobs: r.knobs, Idle: true}
	on.Knobs.FreqFrac = x.own
	return v.Predict(r.job, on).Rate
}

// slowNow is the time that a running job takes now over its time at the host's clock.
func (p *Policy) slowNow(v *sim.View, x *job) float64 {
	now := v.Run(x.id).Knobs().FreqFrac
	for k := range p.clocks {
		if p.clock(x, int32(k)) >= now-1e-12 {
			return x.slow[k]
		}
	}
	return 1
}

// release forgets jobs that run no more.
func (p *Policy) release() {
	for i := range p.jobs {
		x := &p.jobs[i]
		if x.id >= 0 && (x.gen != p.gen || x.gone) {
			p.slot[x.id], x.id = 0, sim.NoJob
			p.unused = append(p.unused, int32(i)+1)
		}
	}
	for i := range p.runs {
		p.runs[i].gpus = nil
	}
	p.runs = slices.DeleteFunc(p.runs, func(r run) bool { return r.stop })
}
