package antman

import (
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one AntMan. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	draws   *rng.Stream
	board   *colocate.Board
	tenants []tenant
	names   map[string]int32
	spare   plan.Queue // jobs that may start opportunistically
	limits  colocate.Limits
	jobs    []job
	runs    []sim.JobID // guaranteed jobs that run
	guests  []sim.JobID // opportunistic jobs that run
	waits   []due       // jobs that may start opportunistically later, in order of time
	starts  plan.Alarm
	looks   plan.Alarm  // the next look at speeds
	leaders []sim.JobID // guaranteed job on each GPU, at the last look
	mixed   mix
	calm    calm
	online  online
}

// job is what is kept of a job.
type job struct {
	class  class
	tenant int32
	// first states that it runs with guaranteed GPUs.
	first bool
	// share is what it may have beside guaranteed jobs, and bad the least share known to slow one
	// of them down, with the jobs that are there now.
	share, bad int32
	solo       float64 // speed alone where it is, 0 = not asked yet
	util       float64 // busy, since solo was asked
	fixed      bool    // it has one number of GPUs; since solo was asked
	seen       uint32  // the last survey that listed it
}

// tenant is who has a quota: a virtual cluster, else a user.
type tenant struct {
	queue plan.Queue
	held  int
	own   int // GPUs by the quotas of the run; 0 = none is stated
}

// due is a job that may start opportunistically from some time on.
type due struct {
	job sim.JobID
	at  sim.Time
}

// New is AntMan. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := settings(s)
	return &Policy{cfg: c, draws: rng.Source{Seed: c.seed, Experiment: "antman"}.Stream("class"),
		board: colocate.NewBoard(rule), names: map[string]int32{},
		looks: plan.Alarm{Key: lookKey}}, s.Err()
}

// Knows declares speeds and profiles.
func (p *Policy) Knows() know.Set { return know.Speed | know.Profile }

// Decide starts guaranteed jobs, then opportunistic ones, and divides the GPUs that both have.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.jobs == nil {
		p.jobs = make([]job, v.NumJobs())
	}
	look := p.follow(v)
	p.calm.known = p.calm.known && still(v)
	p.release(v)
	serves := p.serves(v)
	if serves {
		out = p.watch(v, out)
	}
	p.board.Begin(v)
	left := p.guarantee(v)
	left = p.slip(v) || left
	if look {
		p.adjust(v)
	}
	if look || len(v.FewerSharers()) > 0 || len(p.board.Starts()) > 0 || len(p.mixed.moved) > 0 {
		n := len(out)
		out = p.share(v, out)
		p.calm.known = p.calm.known && !slices.ContainsFunc(out[n:],
			func(d sim.Decision) bool { return d.Kind != sim.WakeAt })
	}
	if serves {
		out = p.attend(v, out)
	}
	return p.wake(v, left && p.board.Again() || p.online.moved || len(p.online.evicted) > 0, out)
}

// still reports whether jobs that run have the GPUs, shares and speeds that they had after the last
// decision.
func still(v *sim.View) bool {
	if coupled, progressive := v.Speeds(); coupled || progressive || len(v.FewerSharers()) > 0 {
		return false
	}
	for _, ev := range v.Events() {
		if ev.Kind != sim.Arrive && ev.Kind != sim.Timer {
			return false
		}
	}
	return true
}

// follow takes note of what happened and reports whether it is time to look at speeds.
func (p *Policy) follow(v *sim.View) (look bool) {
	for _, ev := range v.Events() {
		look = look || ev.Kind == sim.Timer && ev.Key == lookKey
		j := colocate.Waits(v, &ev)
		if j == sim.NoJob || p.queued(j) {
			continue
		}
		if ev.Kind == sim.Arrive {
			p.jobs[j].class, p.jobs[j].tenant = p.classOf(v, j), p.tenantOf(v, j)
		}
		p.join(v, j)
	}
	n := 0
	for ; n < len(p.waits) && p.waits[n].at <= v.Now(); n++ {
		if j := p.waits[n].job; v.Run(j).State() == sim.Waiting && !p.spare.Has(j) {
			p.spare.Add(v, j, 0, float64(v.Job(j).GPUMiB()))
		}
	}
	for n < len(p.waits) && v.Run(p.waits[n].job).State() != sim.Waiting {
		n++ // it started in time
	}
	if n > 0 {
		p.waits = slices.Delete(p.waits, 0, n)
	}
	return look
}

func (p *Policy) queued(j sim.JobID) bool {
	return p.spare.Has(j) || int(p.jobs[j].tenant) < len(p.tenants) && p.tenants[p.jobs[j].tenant].queue.Has(j)
}

// join puts a job that waits where its class states.
func (p *Policy) join(v *sim.View, j sim.JobID) {
	x := &p.jobs[j]
	if x.class != opportunistic {
		p.tenants[x.tenant].queue.Add(v, j, 0, 0)
	}
	switch {
	case x.class == opportunistic || x.class == either && p.cfg.wait == 0:
		p.spare.Add(v, j, 0, float64(v.Job(j).GPUMiB()))
	case x.class == either && p.cfg.wait != sim.Never:
		p.waits = append(p.waits, due{j, v.Now() + p.cfg.wait})
	}
}

// tenantOf numbers tenants in order of appearance; without quotas all are one.
func (p *Policy) tenantOf(v *sim.View, j sim.JobID) int32 {
	name := ""
	if p.cfg.limited(v) {
		if name = v.Job(j).VC(); name == "" {
			name = v.Job(j).User()
		}
	}
	i, ok := p.names[name]
	if !ok {
		i = int32(len(p.tenants))
		p.names[name] = i
		own, _ := v.Tenants().Quota(name)
		p.tenants = append(p.tenants, tenant{own: own})
	}
	return i
}

// release forgets who runs no more, and counts what tenants hold.
func (p *Policy) release(v *sim.View) {
	for i := range p.tenants {
		p.tenants[i].held = 0
	}
	p.runs = p.running(v, p.runs)
	p.guests = p.running(v, p.guests)
	for _, j := range p.runs {
		p.tenants[p.jobs[j].tenant].held += len(v.Run(j).Held())
	}
}

// running keeps the jobs that run.
func (p *Policy) running(v *sim.View, of []sim.JobID) []sim.JobID {
	kept := of[:0]
	for _, j := range of {
		if v.Run(j).State() == sim.Running {
			kept = append(kept, j)
		} else {
			p.jobs[j].first, p.jobs[j].solo = false, 0
		}
	}
	return kept
}

// The timers: when a job may start, and when speeds are looked at.
const (
	startKey int32 = iota
	lookKey
)

// wake asks for the next instants.
func (p *Policy) wake(v *sim.View, again bool, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if len(p.waits) > 0 {
		at = p.waits[0].at
	}
	if again {
		at = v.Now() + 1
	}
	return p.starts.Set(v.Now(), at, out)
}
