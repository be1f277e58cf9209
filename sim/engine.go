package sim

import (
	"errors"
	"fmt"

	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/know"
	"tarry/sim/law"
	"tarry/sim/power"
	"tarry/sim/service"
	"tarry/sim/tenant"
)

// Config is everything a run depends on beside its policy. A run is a pure function of
// the Config and the decisions.
type Config struct {
	// Workload is required and not changed, unless Stream gives the jobs.
	Workload *Workload
	// Stream gives the jobs one by one in place of Workload; nil = Workload has them. The run then
	// holds the jobs in the system and a few bytes of each other, takes no Predictor, and has no
	// snapshots, and no Record of a job after the instant of its end.
	Stream Stream
	// Topology is required.
	Topology *cluster.Topology
	// Speed is required. A model with state (Coupled) belongs to one engine.
	Speed SpeedModel
	// Costs of changes; the zero value makes all of them free.
	Costs Costs
	// ModelBytes gives the size of a model's saved state for Cost.BytesPerS; nil = 0 for all.
	ModelBytes func(model string) int64
	// Estimate gives a job's estimated work to policies with know.Estimate; nil = the true work.
	Estimate func(JobID) Time
	// Predictor gives the law of a job's run time in place of Estimate, cloned by run; nil = none.
	Predictor Predictor
	// Tenants states who owns which part of the cluster, for policies that use it; nil = nothing is
	// stated. It changes nothing else.
	Tenants *tenant.Set
	// History is a sample of earlier jobs' work (microseconds of one GPU, ascending) for
	// know.History; may be nil.
	History []Time
	// Outages is the source of failures; nil = none.
	Outages Outages
	// MarkEvery puts the marks and ends of jobs under a Progressive model on the nearest multiple
	// of it, half to even; the work then counts as exactly done. One that would fall on or before
	// the present instant happens a microsecond after it, and so does one that is rounded down to
	// an instant at which something else happens: the decisions of that instant come first. 0 =
	// when the work is done.
	MarkEvery Time
	// Power is what machines draw, their boots and the price of energy; nil = no energy, and boots
	// take a microsecond.
	Power *power.Model
	// Services are what serves requests beside the jobs, Operator what starts their replicas and lends
	// machines, cloned by run; nil = none. They do not keep a run alive unless Until is set.
	Services *service.Model
	Operator Operator
	// Until stops the run; jobs in the system then stay unfinished. 0 = run to the end.
	Until Time
	// Check verifies every invariant at every instant; slow, for tests.
	Check bool
}

// validate reports every fault of a configuration.
func (cfg *Config) validate() error {
	var errs []error
	switch {
	case cfg.Stream != nil && (cfg.Workload != nil || cfg.Predictor != nil || cfg.Estimate != nil):
		errs = append(errs, errors.New("config: a stream of jobs beside a workload, a predictor or estimates, "+
			"expected it alone"))
	case cfg.Stream == nil && cfg.Workload == nil:
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
	if cfg.MarkEvery < 0 || cfg.MarkEvery > maxTime {
		errs = append(errs, fmt.Errorf("config: marks every %v, expected >= 0", cfg.MarkEvery))
	}
	errs = append(errs, cfg.Costs.Validate())
	if cfg.Workload != nil && cfg.Topology != nil {
		errs = append(errs, cfg.Workload.HoldsAll(cfg.Topology))
	}
	if cfg.Services != nil && cfg.Topology != nil {
		errs = append(errs, cfg.Services.Validate(cfg.Topology.Machines()))
	}
	if cfg.Power != nil && cfg.Topology != nil {
		errs = append(errs, cfg.Power.Validate(cfg.Topology.Machines()))
	}
	return errors.Join(errs...)
}

// New prepares a run. It reports every fault of the configuration.
func New(cfg Config, obs ...Observer) (*Engine, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, top: cfg.Topology, obs: obs}
	if cfg.Workload != nil {
		e.jobs = cfg.Workload.Jobs
	}
	if err := e.prepare(); err != nil {
		return nil, err
	}
	if err := e.enlist(); err != nil {
		return nil, err
	}
	e.every = Seconds(cfg.Costs.CheckpointEveryS)
	e.coupled, _ = cfg.Speed.(Coupled)
	e.meter = meterOf(cfg.Speed)
	if e.progressive = AsProgressive(cfg.Speed); e.progressive != nil {
		e.grid = cfg.MarkEvery
	}
	g := e.top.GPUs()
	e.free = cluster.NewFree(e.top)
	e.used = make([]int16, g)
	e.owner = make([]JobID, g)
	for i := range e.owner {
		e.owner[i] = NoJob
	}
	e.down = make([]int32, g)
	e.outages = make([]int32, g)
	e.cordoned = make([]bool, e.top.Machines())
	if e.top.StatesGPUMiB() {
		e.gpuUsed = make([]int64, g)
	}
	e.cpuUsed = make([]int64, e.top.Machines())
	e.memUsed = make([]int64, e.top.Machines())
	if e.coupled != nil {
		e.coupled.Reset()
	}
	if cfg.Predictor != nil {
		e.predictor, e.laws = cfg.Predictor.Clone(), make([]law.Law, e.total)
	}
	if cfg.Outages != nil {
		e.outageSource = cfg.Outages.Clone()
		e.outage, e.hasOutage = e.outageSource.Next()
	}
	e.machines.ready = Never
	e.nextShift()
	for _, o := range obs {
		if p, ok := o.(powered); ok {
			e.powered = append(e.powered, p)
		}
		if s, ok := o.(server); ok {
			e.servers = append(e.servers, s)
		}
	}
	e.view = View{e: e}
	return e, nil
}

// Permit sets what the view may give. Run does it with the policy's own declaration.
func (e *Engine) Permit(k know.Set) { e.view.knows = k }

// Next advances to the next instant at which something happened. It gives the view for
// the decision, or false at the end of the run.
func (e *Engine) Next() (*View, bool, error) {
	for e.err == nil && !e.ended {
		t, ok := e.reach()
		if !ok {
			break
		}
		if e.happen(t) {
			return &e.view, e.err == nil, e.err
		}
	}
	return nil, false, e.err
}

// reach gives the time of the next instant, false at the end of the run.
func (e *Engine) reach() (Time, bool) {
	t := e.upcoming()
	if e.operated() && e.cfg.Until > 0 {
		t = min(t, e.cfg.Until+1) // services run until the end
	}
	if t == Never && len(e.running) > 0 { // all are stalled
		if t = e.cfg.Until; t == 0 {
			e.err = e.stalled("nothing will happen any more")
			return t, false
		}
		e.end(t)
		return t, false
	}
	if t == Never || e.cfg.Until > 0 && t > e.cfg.Until {
		e.end(t)
		return t, false
	}
	e.idle.instants++
	if len(e.running) > 0 || (e.gpuUsed != nil || e.top.Cuts()) && e.draining > 0 {
		if e.idle.still++; e.idle.still >= patience {
			e.err = e.look(t)
		}
	}
	return t, e.err == nil
}

// happen lets the events of an instant happen. It is false where they were marks of jobs alone, at
// which nothing is decided.
func (e *Engine) happen(t Time) bool {
	e.advance(t)
	e.clear()
	e.batch, e.earliest = e.batch[:0], t
	for e.events.next() == t && e.events.heap[0].kind() < early && e.err == nil {
		e.jobEvent(e.events.heap[0])
	}
	e.arise()
	e.drift()
	for k, at := range e.timers {
		if at == t {
			e.timers[k] = Never
			e.batch = append(e.batch, Event{Kind: Timer, Job: NoJob, Key: int32(k)})
		}
	}
	for e.hasOutage && e.outage.At <= t {
		e.strike(e.outage)
		e.outage, e.hasOutage = e.outageSource.Next()
	}
	e.surge()
	came := e.next
	for e.nextSubmit == t && e.err == nil {
		e.arrive(JobID(e.next))
		e.next++
		if err := e.advanceLine(); err != nil {
			e.err = err
		}
	}
	silent := len(e.batch) == 0 && e.next == came
	for e.events.next() == t && e.err == nil { // what was rounded down
		if it := e.events.heap[0]; silent {
			e.jobEvent(it)
		} else {
			e.events.put(it.row, t+1, it.kind().hard())
		}
	}
	e.nEvents += int64(len(e.batch))
	e.earliest = t + 1
	if e.err == nil && e.moved() { // else an outage named a unit that the cluster does not have
		e.err = e.rerate()
	}
	if e.operated() && e.err == nil {
		e.err = e.operate()
	}
	if silent = silent && len(e.batch) == 0; silent && e.cfg.Check && e.err == nil {
		e.err = e.Verify()
	}
	return !silent || e.err != nil
}

// upcoming is the time of the next event; Never when nothing can happen any more.
func (e *Engine) upcoming() Time {
	t := min(e.events.next(), e.nextSubmit)
	alive := e.inSystem > 0 || e.nextSubmit != Never
	switch {
	case e.operated() && !alive && e.cfg.Until == 0:
		return Never
	case e.operated():
		t = min(t, e.fleet.wake, e.fleet.shift)
	}
	if alive {
		for _, at := range e.timers {
			t = min(t, at)
		}
		if e.hasOutage {
			t = min(t, max(e.outage.At, e.now))
		}
		t = min(t, e.machines.ready, e.machines.shift)
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
	r := &e.runs[it.row]
	if e.isReplica(r.id) {
		e.scheduleReplica(r) // its pause has ended
		return
	}
	kind := it.kind().hard()
	switch kind {
	case atMark:
		if err := e.pass(r.id, r); err != nil {
			e.err = err
		}
		return
	case Finish:
		r.settle(e.now, e.every)
		r.left = 0
		e.release(r, end.Finish)
		e.discard(r)
		e.usual(r)
		r.state = Done
		e.learn(r.id)
		e.leave(r)
	case Drained:
		e.release(r, end.Preempt)
		e.wait(r)
	case OutOfMemory:
		e.release(r, end.OutOfMemory)
		r.fallBack()
		e.wait(r)
	case Expire:
		r.expired = true
		r.settle(e.now, e.every)
		e.schedule(r)
	case Cross:
		r.watchAt = Never
		r.settle(e.now, e.every)
		e.schedule(r)
	}
	e.batch = append(e.batch, Event{Kind: kind, Job: r.id})
}

// schedule sets the job's next event.
func (e *Engine) schedule(r *run) {
	if e.isReplica(r.id) {
		e.scheduleReplica(r)
		return
	}
	work := 0.0
	if r.watch == Progress {
		work = float64(e.job(r.id).Work)
	}
	at, kind := r.nextEvent(work)
	if at < e.earliest {
		at, kind = e.earliest, kind.hard()
	}
	e.events.put(e.at[r.id], at, kind)
	e.tellDraw(r)
}
