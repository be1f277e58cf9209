package sim

import (
	"errors"
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/law"
)

// Config is everything a run depends on beside its policy. A run is a pure function of
// the Config and the decisions.
type Config struct {
	// Workload is required and not changed.
	Workload *Workload
	// Topology is required.
	Topology *cluster.Topology
	// Speed is required. A model with state (Coupled) belongs to one engine.
	Speed SpeedModel
	// Costs of changes; the zero value makes all of them free.
	Costs Costs
	// ModelBytes gives the size of a model's saved state for Cost.BytesPerS; nil = 0 for all.
	ModelBytes func(model string) int64
	// Estimate gives the estimate of a job's work to policies that declare KnowEstimate; nil = the true work.
	Estimate func(JobID) Time
	// Predictor gives the law of a job's run time in place of Estimate; nil = none. Each run uses a clone.
	Predictor Predictor
	// History is a sample of earlier jobs' work (microseconds of one GPU, ascending) for KnowHistory; may be nil.
	History []Time
	// Outages is the source of failures; nil = none.
	Outages Outages
	// Until stops the run; jobs in the system then stay unfinished. 0 = run to the end.
	Until Time
	// Check verifies every invariant at every instant; slow, for tests.
	Check bool
}

// Engine is the kernel: a pure state machine driven from outside. Next moves to the next
// instant at which something happened and gives the view; Apply takes the decisions.
// It is not safe for concurrent use.
type Engine struct {
	cfg    Config
	jobs   []Job
	top    *cluster.Topology
	free   *cluster.Free
	coup   Coupled // nil when speeds are independent
	every  Time    // periodic checkpoint interval
	runs   []run
	events queue
	now    Time
	next   int // next arrival
	// timers[key] is when it is due; Never = not set.
	timers  []Time
	outage  Outage
	outOK   bool
	outLive Outages

	pred  Predictor // nil = none
	laws  []law.Law // JobID -> what was predicted at its arrival
	shown Job       // what the predictor sees

	used     []int16           // GPU -> thousandths in use
	owner    []JobID           // GPU -> first job on it
	shared   map[int32][]JobID // GPU -> all jobs on it, for shared GPUs only
	down     []int32           // GPU -> outages and cordons in force
	outages  []int32           // GPU -> outages in force
	cordoned []bool            // machine -> cordoned
	cpuUsed  []int64
	memUsed  []int64
	running  []JobID
	waiting  int
	draining int
	busy     int
	downGPUs int
	nEvents  int64

	inSystem           int
	areaJobs, areaWait area
	busyArea           Time
	areaAt             Time

	view    View
	batch   []Event
	touched []JobID
	nbrs    []JobID
	asked   Query
	spent   [][]cluster.GPU
	spare   [32][][]cluster.GPU
	obs     []Observer
	ival    Interval
	rec     Record
	err     error
	ended   bool
}

// ErrDone is returned by Apply when no decision is pending.
var ErrDone = errors.New("sim: no decision is pending")

// New prepares a run. It reports every fault of the configuration.
func New(cfg Config, obs ...Observer) (*Engine, error) {
	var errs []error
	if cfg.Workload == nil {
		errs = append(errs, errors.New("config: no workload"))
	}
	if cfg.Topology == nil {
		errs = append(errs, errors.New("config: no topology"))
	}
	if cfg.Speed == nil {
		errs = append(errs, errors.New("config: no speed model"))
	}
	if cfg.Until < 0 {
		errs = append(errs, fmt.Errorf("config: until is %v, expected >= 0", cfg.Until))
	}
	errs = append(errs, cfg.Costs.Validate())
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, jobs: cfg.Workload.Jobs, top: cfg.Topology, obs: obs}
	e.every = Seconds(cfg.Costs.CheckpointEveryS)
	e.coup, _ = cfg.Speed.(Coupled)
	n, g := len(e.jobs), e.top.GPUs()
	e.free = cluster.NewFree(e.top)
	e.runs = make([]run, n)
	e.events.pos = make([]int32, n)
	e.used = make([]int16, g)
	e.owner = make([]JobID, g)
	for i := range e.owner {
		e.owner[i] = NoJob
	}
	e.down = make([]int32, g)
	e.outages = make([]int32, g)
	e.cordoned = make([]bool, e.top.Machines())
	e.shared = map[int32][]JobID{}
	e.cpuUsed = make([]int64, e.top.Machines())
	e.memUsed = make([]int64, e.top.Machines())
	for i := range e.runs {
		e.runs[i] = run{start: Never, end: Never, leaseEnd: Never, watchAt: Never, at: -1,
			left: float64(e.jobs[i].Work), saved: float64(e.jobs[i].Work)}
	}
	if e.coup != nil {
		e.coup.Reset()
	}
	if cfg.Predictor != nil {
		e.pred, e.laws = cfg.Predictor.Clone(), make([]law.Law, n)
	}
	if cfg.Outages != nil {
		e.outLive = cfg.Outages.Clone()
		e.outage, e.outOK = e.outLive.Next()
	}
	e.view = View{e: e}
	return e, nil
}

// Permit sets what the view may tell. Run does it with the policy's own declaration.
func (e *Engine) Permit(k Knowledge) { e.view.knows = k }

// Next advances to the next instant at which something happened. It gives the view for
// the decision, or false at the end of the run.
func (e *Engine) Next() (*View, bool, error) {
	if e.err != nil || e.ended {
		return nil, false, e.err
	}
	t := e.upcoming()
	if t == Never || e.cfg.Until > 0 && t > e.cfg.Until {
		e.end(t)
		return nil, false, e.err
	}
	e.advance(t)
	e.batch = e.batch[:0]
	for e.events.next() == t {
		e.jobEvent(e.events.heap[0])
	}
	for k, at := range e.timers {
		if at == t {
			e.timers[k] = Never
			e.batch = append(e.batch, Event{Kind: Timer, Job: NoJob, Key: int32(k)})
		}
	}
	for e.outOK && e.outage.At <= t {
		e.strike(e.outage)
		e.outage, e.outOK = e.outLive.Next()
	}
	for e.next < len(e.jobs) && e.jobs[e.next].Submit == t {
		e.arrive(JobID(e.next))
		e.next++
	}
	e.nEvents += int64(len(e.batch))
	if e.err == nil { // else an outage named a unit that the cluster does not have
		e.err = e.rerate()
	}
	return &e.view, e.err == nil, e.err
}

// upcoming is the time of the next event; Never when nothing can happen any more.
func (e *Engine) upcoming() Time {
	t := e.events.next()
	if e.next < len(e.jobs) {
		t = min(t, e.jobs[e.next].Submit)
	}
	if e.inSystem > 0 || e.next < len(e.jobs) {
		for _, at := range e.timers {
			t = min(t, at)
		}
		if e.outOK {
			t = min(t, max(e.outage.At, e.now))
		}
	}
	return t
}

func (e *Engine) advance(t Time) {
	if dt := t - e.areaAt; dt > 0 {
		e.areaJobs.add(uint64(e.inSystem), uint64(dt))
		e.areaWait.add(uint64(e.waiting), uint64(dt))
		e.busyArea += Time(e.busy) * dt
		e.areaAt = t
	}
	e.now = t
}

func (e *Engine) jobEvent(it item) {
	r := &e.runs[it.job]
	switch it.kind {
	case Finish:
		r.settle(e.now, e.every)
		r.left = 0
		e.release(it.job, EndFinish)
		e.discard(r)
		r.state = Done
		e.learn(it.job)
		e.leave(it.job)
	case Drained:
		e.release(it.job, EndPreempt)
		e.wait(it.job)
	case Expire:
		r.expired = true
		r.settle(e.now, e.every)
		e.schedule(it.job)
	case Cross:
		r.watchAt = Never
		r.settle(e.now, e.every)
		e.schedule(it.job)
	}
	e.batch = append(e.batch, Event{Kind: it.kind, Job: it.job})
}

func (e *Engine) arrive(id JobID) {
	j := &e.jobs[id]
	if !j.Fits(e.top) {
		e.runs[id].state = Refused
		e.runs[id].since = e.now
		e.tell(id)
		return
	}
	e.inSystem++
	e.foretell(id)
	e.wait(id)
	e.batch = append(e.batch, Event{Kind: Arrive, Job: id})
}

func (e *Engine) wait(id JobID) {
	r := &e.runs[id]
	r.state, r.since = Waiting, e.now
	e.discard(r)
	e.waiting++
}

func (e *Engine) leave(id JobID) {
	e.runs[id].end = e.now
	e.inSystem--
	e.tell(id)
}

// schedule sets the job's next event.
func (e *Engine) schedule(id JobID) {
	at, kind := e.runs[id].nextEvent()
	e.events.put(id, at, kind)
}
