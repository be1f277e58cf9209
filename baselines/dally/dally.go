// Package dally is the delay scheduling of Dally: "GPU Cluster Scheduling for Network-Sensitive
// Deep Learning", A. Sharma, V. M. Bhasi, S. Singh, G. Kesidis, M. T. Kandemir, C. R. Das, arXiv
// 2401.16492.
//
// Whenever GPUs come free, a job arrives or a timer opens, all jobs without GPUs contest for them
// in the order of network sensitivity. Each takes the finest place that its delay timers allow and
// declines anything worse:
//
//   - one slot or one machine: always;
//   - one rack: once it has waited T_rack leases, or if it is larger than a machine;
//   - any GPUs: once it has waited T_net leases, or if it is larger than a rack.
//
// Both timers count from the moment the job lost its last GPU (or arrived). A grant is a lease; at
// its end the GPUs are contested again by everyone, their holder included.
//
// Reading guide: config.go names the variants, contest.go is the algorithm, tuner.go the auto-tuner
// of the timers, class.go the index that finds the next job in logarithmic time, wake.go makes the
// timers events, rank.go has the order of somebody else, evict.go takes GPUs from who comes later
// in the order, backfill.go keeps EASY's reservation, elastic.go (with yield.go and grow.go) has
// rules of ours for elastic jobs, share.go for jobs that share GPUs, hosts.go what machines have
// room for, tenants.go timers and shares of tenants; steps.go takes a decision apart for those who
// leave a choice to somebody else. chunk.go, shadow.go and artist.go are the habits of the authors'
// simulator.
//
// What it reads: the order of network sensitivity reads the progress of jobs so far (sim.KnowDone),
// srpt and srsf the work that is left (sim.KnowWork), psrpt, psrsf and gittins what is predicted of
// it (sim.KnowEstimate), fifo and las neither. Leases of whole chunks (chunk, mode=artist,
// artist-tiresias) read the work that is left and the predicted speed, to see whether a grant ends
// with its lease or with its job. The authors' program computes N from the total and the remaining
// iterations; the total cancels out of N, so that progress is enough here.
//
// We differ: timers are events (the authors' simulator looks at them only when GPUs come free;
// `wake=events` does the same). A holder that would win its own GPUs again renews the lease in
// place at no cost; `renew=return` gives them back first, which pays the checkpoint.
package dally

import (
	"math"

	"tarry/baselines/ranked"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Order says who chooses first.
type Order uint8

// The orders.
const (
	// NetworkSensitive puts first the jobs that the network has slowed most.
	NetworkSensitive Order = iota
	// FirstCome is by submit.
	FirstCome
	// LeastService is by attained GPU-time.
	LeastService
	// ShortestTime is by the time left at full speed on a job's own GPUs. It is clairvoyant
	// (sim.KnowWork), as is ShortestService: both read how long a job really runs, which nobody
	// knows outside a simulation.
	ShortestTime
	// ShortestService is by the GPU-time left.
	ShortestService
	// PredictedTime is by the logarithm of the mean run time that a job is predicted to have left,
	// PredictedService by that of its product with the GPUs, GittinsTime by that of the Gittins
	// rank of the predicted law. They know what the run's predictor says (sim.KnowEstimate);
	// without one an estimate is exact.
	PredictedTime
	PredictedService
	GittinsTime
)

// Orders are how users write them: Orders()[o] is Order o.
func Orders() []string {
	return []string{"network", "fifo", "las", "srpt", "srsf", "psrpt", "psrsf", "gittins"}
}

// Policy is one Dally scheduler. Build it with New or one of the named variants.
type Policy struct {
	cfg    Config
	timers TimerSource

	inited  bool
	lease   sim.Time
	capMach int        // GPUs in the largest machine
	classes []*class   // by demand and GPU type
	spare   []*class   // memory of classes, after CopyFrom
	of      []int32    // job -> class
	pos     []int32    // job -> index in its class
	opening plan.Alarm // of the next timer that opens a place
	expired []sim.JobID
	grants  []grant
	buf     []cluster.GPU
	shadow  *shadow     // the float clock of the authors' simulator; nil without SettleS
	victims []sim.JobID // evicted at this instant: see steps.go
	evicts  evictions   // with Config.Evict: see evict.go
	rest    sim.Time    // Elastic.Rest
	givers  []giver     // scratch of yield.go, growing and spread of grow.go
	growing []entry
	spread  []cluster.GPU
	running runners      // with Config.Evict and a ranker: see runners.go
	behind  reservation  // with Config.Backfill: see backfill.go
	hosts   []sim.JobID  // who was joined at this instant: see share.go
	tenants tenants      // with Config.TimersBy or Fair: see tenants.go
	hosted  hosted       // where jobs ask for CPU or memory: see hosts.go
	ranker  ranked.Order // an order of somebody else's; nil = Config.Order
	// late is set when checkpoints take time: then acceptances count only once they are sure.
	late bool
}

// grant is a planned placement; gpus is a range of Policy.buf.
type grant struct {
	job    sim.JobID
	lo, hi int
	level  cluster.Level
	since  sim.Time
	kind   change
}

// Knows declares the progress of jobs or the work that is left, by the order, and the work that is
// left and the predicted speed when leases follow iteration chunks; the speed where elastic rules
// go by it.
func (p *Policy) Knows() sim.Knowledge {
	k := sim.KnowNothing
	switch {
	case p.ranker != nil:
		k |= p.ranker.Knows()
	case p.cfg.Order == NetworkSensitive:
		k |= sim.KnowDone
	case p.cfg.Order == ShortestTime, p.cfg.Order == ShortestService:
		k |= sim.KnowWork
	case p.cfg.Order >= PredictedTime:
		k |= sim.KnowEstimate | sim.KnowDone
	}
	if p.cfg.Backfill == ByPrediction {
		k |= sim.KnowEstimate
	}
	if p.cfg.Elastic.Yield == yieldLoss || p.cfg.Elastic.Over {
		k |= sim.KnowSpeed
	}
	if p.cfg.Share.Loss > 0 {
		k |= sim.KnowSpeed | sim.KnowProfile
	}
	if p.cfg.Chunk > 0 && !math.IsInf(p.cfg.LeaseS, 1) {
		k |= sim.KnowWork | sim.KnowSpeed
	}
	return k
}

// Decide takes in what happened and lets the jobs without GPUs contest for what is free.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	if p.shadow != nil {
		out = p.decideByShadow(v, out)
	} else {
		p.Play(v)
	}
	return p.Finish(v, out)
}

// round puts up what has expired and holds a contest.
func (p *Policy) round(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.reopen(v, out)
	p.Contest(v)
	out = p.emit(v, out)
	p.expired = p.expired[:0]
	p.emitted()
	return out
}

// hear takes in one event.
func (p *Policy) hear(v *sim.View, ev sim.Event) {
	switch ev.Kind {
	case sim.Arrive, sim.Drained:
		p.enter(v, ev.Job)
	case sim.Finish:
		p.running.ends(ev.Job)
	case sim.OutOfMemory, sim.Fail:
		if ev.Job != sim.NoJob {
			p.running.ends(ev.Job)
			p.enter(v, ev.Job)
		}
	case sim.Expire:
		if v.Run(ev.Job).State() == sim.Running { // a fault at the same instant may have taken it
			p.expired = append(p.expired, ev.Job)
		}
	}
}

func (p *Policy) init(v *sim.View) {
	p.inited = true
	p.lease = sim.Never
	if !math.IsInf(p.cfg.LeaseS, 1) {
		p.lease = sim.Seconds(p.cfg.LeaseS)
	}
	p.capMach = v.Topology().Capacity(cluster.LevelMachine)
	p.of = make([]int32, v.NumJobs())
	p.pos = make([]int32, v.NumJobs())
	if p.ranker != nil {
		p.ranker.Start(v)
	}
	if p.cfg.Backfill != NoBackfill {
		p.behind.guess = make([]sim.Time, v.NumJobs())
	}
	if p.cfg.SettleS > 0 {
		p.shadow = newShadow(v)
	}
}

// enter puts a job that holds no GPU (or whose lease has ended) among the contestants.
func (p *Policy) enter(v *sim.View, j sim.JobID) {
	g, a := v.Job(j).GPUs(), v.Job(j).Public()
	typ, per := a.GPUType, cluster.PerGPU{Type: a.GPUType, CPUMilli: a.CPUMilli, MemMiB: a.MemMiB}
	anywhere := p.cfg.Tiresias && !p.cfg.Sensitive && insensitive(v.Job(j).Model())
	least, step := g, 1
	if p.elastic(v, j) {
		least, step = p.least(v, j), v.Job(j).WorkerGPUs()
	}
	clock, party := p.clockFor(v, j), p.partyFor(v, j)
	i := 0
	for i < len(p.classes) && (p.classes[i].gpus != g || p.classes[i].per != per || p.classes[i].anywhere != anywhere ||
		p.classes[i].least != least || p.classes[i].grain != step || p.classes[i].clock != clock ||
		p.classes[i].party != party) {
		i++
	}
	if i == len(p.classes) {
		c := p.newClass(firstSize)
		c.gpus, c.typ, c.per, c.pos, c.anywhere = g, typ, per, p.pos, anywhere
		p.hosted.any = p.hosted.any || c.asks()
		c.clock, c.party = clock, party
		c.fits, _ = v.Topology().Finest(cluster.LevelSlot, g, per)
		c.least, c.grain, c.home = least, step, max(cluster.LevelMachine, c.fits)
		c.near, _ = v.Topology().Finest(cluster.LevelMachine, least, per)
		if p.ranker != nil {
			c.timed()
		}
		p.classes = append(p.classes, c)
	}
	p.of[j] = int32(i)
	if p.cfg.Backfill != NoBackfill {
		p.guessAt(v, j)
	}
	e := entry{job: j, turn: int32(j), since: v.Now(), tie: v.Now(), until: sim.Never}
	if p.ranker == nil {
		e.key = p.key(v, j)
	} else {
		p.ranker.Enter(v, j)
		if e.key, e.until = p.ranker.Rank(v, j); v.Run(j).State() == sim.Running {
			e.until = v.Now() + 1 // it will not run when it is looked at again
		}
	}
	if s := p.shadow; s != nil {
		// bits of floats >= 0 are in their order
		e.turn, e.sinceS, e.tie = s.turn[j], s.now, sim.Time(math.Float64bits(s.now))
	}
	if p.cfg.TiesBySubmit {
		e.tie = 0
	}
	p.classes[i].push(e)
}

// resolution is the grain of the network-sensitivity order: differences below it are
// rounding of the clock, and ties go to who has waited longest.
const resolution = 1e9

// key orders contestants, smaller first. NetworkSensitive is N = W / (T_run / T_ideal), W the
// fraction of work done, T_ideal = work / GPUs: the mean fraction of ideal speed so far; 0 for new
// jobs.
func (p *Policy) key(v *sim.View, j sim.JobID) float64 {
	if p.ranker != nil {
		key, _ := p.ranker.Rank(v, j)
		return key
	}
	switch p.cfg.Order {
	case FirstCome:
		return float64(v.Job(j).Submit())
	case LeastService:
		if p.shadow != nil && p.cfg.Chunk > 0 {
			return p.shadow.service[j]
		}
		return float64(v.Run(j).Service())
	case ShortestTime:
		return v.Run(j).Left() / v.Job(j).Width()
	case ShortestService:
		return v.Run(j).Left()
	case PredictedTime:
		return math.Log(math.Max(1e-6, plan.PredictedLeft(v, j)))
	case PredictedService:
		return math.Log(math.Max(1e-6, plan.PredictedLeft(v, j)) * v.Job(j).Width())
	case GittinsTime:
		return math.Log(math.Max(1e-6, plan.GittinsRank(v, j)))
	}
	if p.shadow != nil && p.cfg.Chunk > 0 && v.Job(j).IterS() > 0 {
		return p.sensitivity(v, j)
	}
	run := float64(v.Run(j).Time())
	switch {
	case run == 0:
		return 0
	case p.elastic(v, j): // its mean width is not what it asks for
		return math.Round(v.Run(j).Done() / float64(v.Run(j).Service()) * resolution)
	}
	return math.Round(v.Run(j).Done() / (run * v.Job(j).Width()) * resolution)
}
