package schedenv

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"tarry/env"
	"tarry/env/schedenv/charge"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Env puts the agent of a Scheduler outside the simulator. Once warm a step allocates nothing.
type Env struct {
	spec env.Spec
	cfg  Config
	from windows

	// stream draws windows; nil before the first reset.
	stream         *rng.Stream
	win            *window
	sched          Scheduler
	meter          meter
	begin, horizon sim.Time // of the episode
	open           bool     // the instant has begun and is not yet decided
	live           bool     // a question is pending
	closed         bool

	// log has what was read of every action since the reset: a snapshot is the window and this, and
	// Restore steps through them again. mean0 is the average-reward estimate at the reset.
	log     []float64
	mean0   float64
	area0   [2]uint64 // jobs' time in the system up to the first question
	obs     []float64
	mask    []bool
	action  []float64
	metrics []float64
	out     []sim.Decision
	last    env.Step
}

// Metrics names the entries of Info.Metrics: the time since the window's start in leases, jobs in
// the system, jobs waiting, and the time jobs spent in the system during the step, in job-leases.
// After a reset the last is 0, and the others are as at the first question: a warm-up leaves
// jobs behind.
func Metrics() []string {
	return []string{"now_leases", "jobs_in_system", "jobs_waiting", "job_leases"}
}

// New makes an environment. spec gives id, options, spaces, layout, actions in words and what it advises beyond what
// all environments over the simulator do, fresh a scheduler for one run.
func New(cfg Config, spec env.Spec, fresh func() Scheduler) (*Env, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", spec.ID, err)
	}
	e := &Env{spec: spec, cfg: cfg}
	e.spec.Metrics, e.spec.Notes = Metrics(), cfg.Notes
	if cfg.Power != nil {
		e.spec.Metrics = append(e.spec.Metrics, charge.Metrics()...)
	}
	e.metrics = make([]float64, len(e.spec.Metrics))
	e.spec.Guide.Reward, e.spec.Guide.Ends = cfg.Reward.explained(), cfg.ends()
	e.spec.Advice = advised(spec.Advice)
	e.from = windows{cfg: &e.cfg, fresh: fresh}
	e.from.kept.Keep(cfg.Keep)
	e.meter = newMeter(&e.cfg)
	n := sizesOf(&spec)
	e.obs, e.action = n.slices()
	e.mask = n.mask()
	return e, nil
}

// sizesOf reads the sizes out of a Spec.
func sizesOf(s *env.Spec) sizes {
	n := sizes{Obs: s.Observation.Len(), Action: s.Action.Len()}
	if s.Masked {
		n.Mask = env.MaskLen(s.Action)
	}
	return n
}

// Spec describes the environment.
func (e *Env) Spec() *env.Spec { return &e.spec }

// Config is what the environment was made with.
func (e *Env) Config() Config { return e.cfg }

// Engine is the run of the present episode, to read records and areas from; nil before the first
// reset. It must not be driven.
func (e *Env) Engine() *sim.Engine {
	if e.win == nil {
		return nil
	}
	return e.win.engine
}

// View is the state of the run of the present episode, to look at between calls; nil before the
// first reset.
func (e *Env) View() *sim.View {
	if e.win == nil {
		return nil
	}
	return e.win.view
}

// Knows is what View gives of jobs beyond what everyone sees: what the scheduler may read.
func (e *Env) Knows() know.Set {
	if e.sched == nil {
		return know.Nothing
	}
	return e.sched.Knows()
}

// Scheduler is the scheduler of the present episode; nil before the first reset. It must not be
// driven.
func (e *Env) Scheduler() Scheduler { return e.sched }

// Workload is the jobs of the present episode; nil before the first reset.
func (e *Env) Workload() []sim.Job {
	if e.win == nil {
		return nil
	}
	return e.win.jobs
}

// Identity reports whether the rewards of an episode that has just ended sum to minus the jobs'
// time in the system, by the kernel's own account, over lease x GPUs, and with reward energy to
// minus what the energy, its cost or carbon and the energy beyond the cap are charged. It holds for
// these two without discount or correction; nil for any other.
func (e *Env) Identity(sum float64) error {
	r := e.cfg.Reward
	if e.win == nil || r.Kind != "jct" && r.Kind != "energy" || r.Gamma != 1 || r.AverageLeases != 0 {
		return nil
	}
	area, _, _ := e.win.engine.Areas()
	lo, borrow := bits.Sub64(area[1], e.area0[1], 0)
	hi, _ := bits.Sub64(area[0], e.area0[0], borrow)
	want := -(float64(float64(hi)*0x1p64) + float64(lo)) / (float64(e.cfg.Lease()) * float64(e.topology().GPUs()))
	if r.Kind == "energy" {
		want -= e.meter.energy.Due(&e.meter.total)
	}
	if d := math.Abs(sum - want); !(d <= 1e-9*max(1, math.Abs(want))) {
		return fmt.Errorf("the rewards sum to %v, the jobs' time in the system and the energy state %v", sum, want)
	}
	return nil
}

// Regime is the number of the scenario that the present episode has, out of a mixture; 0 where
// there is none, or before the first reset.
func (e *Env) Regime() int {
	if n := len(e.cfg.Regimes); n > 0 && e.win != nil {
		return e.win.number % n
	}
	return 0
}

// Mixture is how many scenarios the windows are of, see trait.Mixed; 1 without a mixture.
func (e *Env) Mixture() int { return max(1, len(e.cfg.Regimes)) }

// topology is the cluster of the present episode.
func (e *Env) topology() *cluster.Topology {
	of, _ := e.cfg.Of(e.win.number)
	return of.Topology
}

// Place implements trait.Placed.
func (e *Env) Place(obs []float64) { e.obs = obs }

// Close forgets the windows.
func (e *Env) Close() error {
	e.closed, e.live, e.win = true, false, nil
	e.from.kept.Forget()
	return nil
}

// Reset starts an episode on a window drawn from the part, or on window=N of it. Drawn windows in
// which the agent would never be asked are passed over.
func (e *Env) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	e.live = false
	if e.closed {
		return nil, env.Info{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	}
	s := param.Parse(e.spec.ID+" reset", options)
	n := e.cfg.Source.Windows(e.cfg.Part)
	given, number := s.Has("window"), s.Int("window", 0, 0, n-1)
	if err := s.Err(); err != nil {
		return nil, env.Info{}, err
	}
	switch {
	case seed != nil:
		e.stream, e.meter.mean = rng.Source{Seed: *seed}.Stream("windows"), 0
	case e.stream == nil:
		e.stream = rng.Source{}.Stream("windows")
	}
	e.mean0, e.log = e.meter.mean, e.log[:0]
	for tries := 0; ; tries++ {
		if drawn := e.stream.IntN(n); !given { // drawn in any case: the stream moves on
			number = drawn
		}
		err := e.start(number)
		if given || tries == maxTries || !errors.Is(err, trait.ErrNoQuestion) {
			return e.obs, e.last.Info, err
		}
	}
}

// maxTries is how many windows without a question are passed over in a row.
const maxTries = 100

// start begins an episode on a window.
func (e *Env) start(number int) error {
	w, err := e.from.get(number)
	if err != nil {
		return err
	}
	if err := w.engine.Restore(w.state); err != nil {
		return err
	}
	e.win = w
	if e.sched == nil {
		e.sched = w.sched.Clone()
	} else {
		e.sched.CopyFrom(w.sched)
	}
	of, _ := e.cfg.Of(number)
	e.begin, e.horizon = w.view.Now(), of.Horizon
	e.meter.mean = e.mean0
	e.meter.scaled(e.topology())
	w.energy.CopyFrom(w.drawn)
	e.meter.start(w.view, w)
	e.out = e.sched.Begin(w.view, e.out[:0])
	e.open = true
	if err := e.run(); err != nil {
		return err
	}
	e.area0, _, _ = w.engine.Areas()
	// Before the first question no reward accrues; the bounded slowdown of a window has it all.
	// Metrics describe the state of the run.
	if e.cfg.Reward.Kind == "bsld" {
		e.meter.cost -= float64(e.last.Reward * e.meter.scale)
	}
	e.last.Reward, e.last.Info.Elapsed, e.meter.total = 0, 0, charge.Spent{}
	clear(e.metrics[3:])
	if e.last.Done() {
		return fmt.Errorf("%s: window %d: %w", e.spec.ID, number, trait.ErrNoQuestion)
	}
	return nil
}

// Step answers the pending question and runs to the next.
func (e *Env) Step(action []float64) (env.Step, error) {
	switch {
	case e.closed:
		return env.Step{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrClosed)
	case !e.live:
		return env.Step{}, fmt.Errorf("%s: %w", e.spec.ID, env.ErrResetNeeded)
	}
	if err := env.CheckAction(&e.spec, e.mask, action); err != nil {
		return env.Step{}, err
	}
	head, tail := e.reads()
	e.log = append(append(e.log, action[:head]...), action[len(action)-tail:]...)
	copy(e.action, action)
	e.sched.Answer(e.win.view, e.action)
	err := e.run()
	return e.last, err
}

// reads gives how many numbers at the beginning and at the end of an action the pending question
// reads.
func (e *Env) reads() (head, tail int) {
	if s, ok := e.sched.(sparse); ok {
		return s.Reads()
	}
	return len(e.action), 0
}

// run continues to the next question, or to the end, and sets last.
func (e *Env) run() error {
	e.live = false
	w, v := e.win, e.win.view
	for {
		if e.open && e.sched.Ask(v) {
			e.live = e.horizon == 0 || v.Now()-e.begin < e.horizon
			e.sched.Observe(v, e.obs, e.mask)
			e.report(v, false, !e.live)
			return nil
		}
		if e.open {
			e.open = false
			e.out = e.sched.Finish(v, e.out)
			if err := w.engine.Apply(e.out); err != nil {
				return fmt.Errorf("%s: window %d: %w", e.spec.ID, w.number, err)
			}
			e.meter.settle(v, e.out)
		}
		_, ok, err := w.engine.Next()
		if err != nil {
			return fmt.Errorf("%s: window %d: %w", e.spec.ID, w.number, err)
		}
		if !ok {
			// Jobs that can never be placed leave the problem unfinished.
			clear(e.obs)
			clear(e.mask)
			e.report(v, e.meter.in == 0, e.meter.in != 0)
			return nil
		}
		e.meter.advance(v)
		e.out = e.sched.Begin(v, e.out[:0])
		e.open = true
	}
}

// report fills in last.
func (e *Env) report(v *sim.View, terminated, truncated bool) {
	reward, elapsed, area := e.meter.take()
	if terminated {
		reward += e.meter.gain()
	}
	lease := float64(e.cfg.Lease())
	e.metrics = append(e.metrics[:0], float64(v.Now())/lease, float64(e.meter.in), float64(v.Waiting()), area/lease)
	if e.meter.energy != nil {
		e.metrics = e.meter.spent.Append(e.metrics)
	}
	e.last = env.Step{Obs: e.obs, Reward: reward, Terminated: terminated, Truncated: truncated,
		Info: env.Info{Mask: e.mask, Elapsed: elapsed, Metrics: e.metrics}}
}
