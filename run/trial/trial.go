package trial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/know"
	"tarry/sim/power"
	"tarry/sim/service"
	"tarry/sim/tenant"
)

// Trial is one simulation as a value.
type Trial struct {
	// Keys name the trial in every row.
	Keys results.Keys
	// Config is the resolved configuration as JSON. It and the workload identify the trial: a
	// finished one with both the same is not run again.
	Config string
	// Workload and Topology are required and only read: trials share them.
	Workload *sim.Workload
	// Stream gives the jobs one by one, from the first at each call, in place of Workload; nil =
	// Workload has them. Such a trial keeps the numbers of the summary alone: it writes no tables,
	// keeps no rows, and has no Estimate and no Predictor.
	Stream   func() sim.Stream
	Topology *cluster.Topology
	// WorkloadSHA256 is Workload.Hash(), computed once for many trials; "" = computed here.
	WorkloadSHA256 string
	// Policy and Speed make what the trial alone uses; required. They are called in the
	// trial's goroutine.
	Policy func() (sim.Policy, error)
	Speed  func() (sim.SpeedModel, error)
	// Costs, ModelBytes, Estimate, Predictor, History, Outages, Until and MarkEvery are as in
	// sim.Config.
	Costs      sim.Costs
	ModelBytes func(model string) int64
	Estimate   func(sim.JobID) sim.Time
	Predictor  sim.Predictor
	// PredictorName is the predictor as it was given.
	PredictorName string
	History       []sim.Time
	Outages       sim.Outages
	Until         sim.Time
	MarkEvery     sim.Time
	// Power, Services and Operator are as in sim.Config.
	Power    *power.Model
	Services *service.Model
	Operator sim.Operator
	// Tenants are the tenants among which fairness is measured, one of measure.Tenants; "" = it is
	// not measured.
	Tenants string
	// Owners states who owns which part of the cluster, as sim.Config.Tenants; nil = no tenants.
	Owners *tenant.Set
	// Private makes the cluster that a tenant of so many GPUs would have alone, what it draws, and its
	// speed models; nil = waits there are not compared. It needs Workload, Owners and Tenants "vc".
	Private func(gpus int) (*cluster.Topology, *power.Model, func() (sim.SpeedModel, error), error)
	// KeepIntervals keeps the intervals in the Result, for a timeline.
	KeepIntervals bool
	// Check verifies every invariant at every instant; slow, for tests.
	Check bool
}

// Result is what a trial gave.
type Result struct {
	// Row is the trial's row.
	Row results.Trial
	// JCT is the completion time of each job in seconds, by JobID; NaN = not finished.
	JCT []float64
	// Refused names the jobs that the cluster can never hold, and states why.
	Refused []Refusal
	// Types is what jobs held of the GPUs of each type, in the order of the cluster; nil where it
	// has one type.
	Types []TypeUse
	// Intervals are the allocations, when they were asked for.
	Intervals []results.Interval
	// Jobs, Samples, Power, Services and Predictions are the rows of tables that Options.Keep names.
	Jobs        []results.Job
	Samples     []results.Sample
	Power       []results.PowerSample
	Services    []results.ServiceSample
	Predictions []results.Prediction
	// Measures are the rows of the table measures, nil where there are none. Rows of
	// single jobs are among them where Options.Keep names the table.
	Measures []results.Measure
	// Events is the number of kernel events; 0 when the trial was not run again.
	Events int64
	// Plans is the number of comparisons by the policy's planner, Planned of the instants that they
	// played; -1 where it has none, 0 when the trial was not run again.
	Plans, Planned int64
	// Wall is the time it took by the clock in the options; 0 without one.
	Wall time.Duration
	// Predicted states that the trial had a predictor: then the table predictions has a row of it.
	Predicted bool
	// Powered states that the trial has a power model: then the table power has rows of it.
	Powered bool
	// Served states that the trial has services: then the table services has rows of it.
	Served bool
	// Reused states that an earlier run's files were taken.
	Reused bool
}

// name identifies the trial in errors.
func (t *Trial) name() string {
	return fmt.Sprintf("policy %s, replicate %d", t.Keys.Policy, t.Keys.Replicate)
}

// Jobs is the number of jobs.
func (t *Trial) Jobs() int { return t.stream().Len() }

// stream gives the jobs one by one.
func (t *Trial) stream() sim.Stream {
	if t.Stream != nil {
		return t.Stream()
	}
	return t.Workload.Stream()
}

// validate reports what is missing.
func (t *Trial) validate() error {
	var errs []error
	for _, f := range [...]struct {
		name string
		ok   bool
	}{{"workload", t.Workload != nil || t.Stream != nil}, {"topology", t.Topology != nil}, {"policy", t.Policy != nil},
		{"speed model", t.Speed != nil}} {
		if !f.ok {
			errs = append(errs, fmt.Errorf("trial: no %s", f.name))
		}
	}
	return errors.Join(errs...)
}

// run simulates the trial and hands rows to the store.
func (t *Trial) run(ctx context.Context, s *store, progress func(ended int)) (*Result, func() error, error) {
	p, err := t.Policy()
	if err != nil {
		return nil, nil, err
	}
	held := entry.Hold(ctx, p)
	defer held.Close()
	speed, err := t.Speed()
	if err != nil {
		return nil, nil, err
	}
	w, obs, err := newWatch(t, s, progress)
	if err != nil {
		return nil, nil, err
	}
	defer w.live.close()
	w.links, _ = speed.(linkMeter)
	cfg := sim.Config{Workload: t.Workload, Topology: t.Topology, Speed: speed, Costs: t.Costs,
		ModelBytes: t.ModelBytes, Estimate: t.Estimate, Predictor: t.Predictor, History: t.History, Outages: t.Outages,
		Until: t.Until, MarkEvery: t.MarkEvery, Tenants: t.Owners, Power: t.Power,
		Services: t.Services, Operator: t.Operator, Check: t.Check}
	if t.Stream != nil {
		cfg.Stream = t.Stream()
	}
	e, err := sim.New(cfg, obs...)
	if err != nil {
		return nil, nil, err
	}
	w.engine = e
	e.Permit(p.Knows())
	if err := e.Drive(ctx, p, w.look); err != nil {
		return nil, nil, held.Explain(err)
	}
	if err := w.end(e.Gauge()); err != nil {
		return nil, nil, err
	}
	if err := littlesLaw(e, w.lives); err != nil {
		return nil, nil, err
	}
	r := t.summarise(e, w.lives)
	r.Row.Knows, r.Row.OverloadGPUs = t.knows(p).String(), w.queue.grown()
	r.Intervals, r.Types, r.Powered = w.kept, w.uses.uses(), w.power != nil
	r.Served = t.Services != nil
	r.Plans, r.Planned = -1, -1
	if p, ok := p.(planner); ok {
		r.Plans, r.Planned = p.Planned()
	}
	t.measure(w.book, p, speed, r)
	if t.Private != nil {
		rows, err := t.private(ctx, w.lives)
		if err != nil {
			return nil, nil, err
		}
		r.Measures = append(r.Measures, rows...)
	}
	return r, func() error { return s.finish(t, e, w, r) }, nil
}

// planner is a policy that compares what it might decide by playing it.
type planner interface {
	Planned() (comparisons, instants int64)
}

// knows is what the policy knows in this trial. An estimate without error is the work itself, and
// so is what an exact predictor (predict.Guesses) states. A history that is the work of the jobs of
// the run itself has the work of jobs which are still to come.
func (t *Trial) knows(p sim.Policy) know.Set {
	k := p.Knows()
	exact := t.Estimate == nil
	if t.Predictor != nil {
		p, ok := t.Predictor.(interface{ Exact() bool })
		exact = ok && p.Exact()
	}
	if k&know.Estimate != 0 && exact || k&know.History != 0 && t.foreseen() {
		k |= know.Work
	}
	return k
}

// littlesLaw checks the identity that the integral of jobs in the system equals the sum of
// the times that jobs spent in it. Time is an integer, so it holds exactly or the kernel is wrong.
func littlesLaw(e *sim.Engine, l *lives) error {
	if area, _, _ := e.Areas(); area != [2]uint64{l.hi, l.lo} {
		return fmt.Errorf("Little's law is broken: jobs in the system integrate to %v, their times sum to %v "+
			"(job-microseconds, high and low word)", area, [2]uint64{l.hi, l.lo})
	}
	return nil
}
