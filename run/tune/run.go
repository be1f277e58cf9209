package tune

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"tarry/agents/search"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/internal/rundir"
	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/lock"
	"tarry/run/parts"
	"tarry/run/train"
	"tarry/sim"
)

// The files of a run.
const (
	configName  = "config.json"
	windowsName = "windows.json"
	stateName   = "STATE"
	tableName   = "tune/part-0.parquet"
	bestName    = "best.json"
)

// ErrInterrupted: the context ended. A state was written, and Run with Resume continues from it.
var ErrInterrupted = errors.New("tuning was interrupted; its state is complete")

// Options set how to run a Config. None of them changes a result.
type Options struct {
	// Out is the folder of the run; required.
	Out string
	// Resume continues the run that is in Out, or starts one if there is none.
	Resume bool
	// Locked states that no other process writes to Out, by a lock or lease of the caller's; else
	// Run locks it, see run/lock.
	Locked bool
	// Workers is how many simulations run at once; < 1 means 1.
	Workers int
	// Version is the program's, for the metadata.
	Version string
	// Watch receives every simulation, one call at a time; nil = none.
	Watch func(Progress)
}

// Progress is what Watch receives.
type Progress struct {
	// Windows of Budget are done: points times windows, of all that the optimiser may ask for.
	Windows, Budget int
	// Best is the least relative difference from the reference so far, of Params; NaN = none yet.
	Best   float64
	Params string
}

// Candidate is a scheduler that was measured on validation.
type Candidate struct {
	// Policy is NAME:key=value,... with the parameters, Params these alone; "" = the reference.
	Policy string `json:"policy"`
	Params string `json:"params"`
	// Train and Validation are the means of the metric; Train is over the windows that the
	// optimiser chose to spend on it.
	Train      float64 `json:"train"`
	Validation float64 `json:"validation"`
	// Cost is by how much its cost on validation is less than the reference's (below 0: better), by
	// which candidates are chosen.
	Cost float64 `json:"validation_cost_diff"`
}

// Outcome is how a run ended.
type Outcome struct {
	// Best is the scheduler that did best on validation, Reference the scheduler that was tuned, as
	// it stands.
	Best, Reference Candidate
	// Diff is Best minus Reference on the windows of validation, in pairs; N = 0 when they are the
	// same.
	Diff stats.Interval
	// Chosen states which predictors were chosen for the policy; nil = none.
	Chosen []*scenario.Choice
	// Windows of the budget were spent; Simulations and Jobs were run in all, with reference and
	// validation.
	Windows, Simulations, Jobs int
}

// run is a run under way.
type run struct {
	plan  *plan
	set   Options
	bench *bench
	opt   *search.Optimiser
	owner string // hashes of config.json and windows.json
	meta  results.Meta
	scale float64
	done  int // windows of the batches before this one
	best  Progress
	// chosen are the candidates on validation, the reference first.
	chosen []Candidate
	since  int       // windows since the last state was written
	lock   *lock.Run // of the folder; nil = the caller has one
}

// Run tunes, or continues tuning. When ctx ends it gives up the batch under way, writes its state
// and gives ErrInterrupted. A run that has ended already is left as it is.
func Run(ctx context.Context, from *parts.Catalogues, cfg Config, opt Options) (Outcome, error) {
	found, lost := train.Locate(from, opt.Out, cfg.Env)
	if lost != nil {
		return Outcome{}, lost
	}
	p, err := prepare(from, &cfg, found)
	if err != nil {
		return Outcome{}, err
	}
	r := &run{plan: p, set: opt, bench: &bench{plan: p, memo: map[place]outcome{}, loads: map[place]*sim.Workload{},
		opt: opt}}
	if !opt.Locked {
		r.lock = &lock.Run{Dir: opt.Out, Mark: configName}
	}
	defer r.lock.Leave()
	if err := r.open(found); err != nil {
		return Outcome{}, err
	}
	err = r.search(ctx)
	if err == nil {
		err = r.validate(ctx)
	}
	if err == nil {
		return r.finish()
	}
	if ctx.Err() != nil {
		err = ErrInterrupted
		if kept := r.keep(); kept != nil {
			err = kept
		}
	}
	return Outcome{Windows: r.done}, err
}

func (r *run) file(name string) string { return filepath.Join(r.set.Out, filepath.FromSlash(name)) }

// open makes the folder ready and takes up what is in it.
func (r *run) open(found string) error {
	text, err := r.plan.cfg.JSON()
	if err != nil {
		return err
	}
	if err := r.lock.Enter(); err != nil && (r.set.Resume || errors.Is(err, lock.ErrHeld)) {
		return err
	}
	there, err := rundir.ReadFile(r.file(configName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(r.file(stateName)); err == nil {
			return fmt.Errorf("%s holds a state without %s, expected both or neither", r.set.Out, configName)
		}
		if r.lock != nil {
			// windows.json is written first: a run that was killed then has nothing else.
			if err := lock.Free(r.set.Out, "tarry tune",
				func(e fs.DirEntry) bool { return e.Name() == windowsName }); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	case !r.set.Resume:
		return fmt.Errorf("%s holds a run already; --resume continues it, another folder starts anew", r.set.Out)
	default:
		if err := differences(there, text); err != nil {
			return err
		}
	}
	windows, err := train.Windows(r.plan.from, found, r.plan.cfg.Validation)
	if err != nil {
		return err
	}
	r.owner = sum(text) + sum(windows)
	r.meta = results.NewMeta(string(text), "", r.set.Version)
	r.meta.Codec = results.Codec(r.plan.cfg.Codec)
	if err := r.lock.Begin(); err != nil {
		return err
	}
	if _, err := results.RemoveTemp(r.set.Out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var saved []byte
	state, err := rundir.ReadFile(r.file(stateName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := errors.Join(results.WriteFile(r.file(windowsName), windows),
			results.WriteFile(r.file(configName), text)); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if saved, err = r.decode(state); err != nil {
			return fmt.Errorf("%s: %w", r.file(stateName), err)
		}
	}
	r.opt, err = r.plan.from.Optimisers.Open(r.plan.cfg.Optimiser, r.plan.search(), saved)
	return err
}

// search leads the optimiser through its budget.
func (r *run) search(ctx context.Context) error {
	c := r.plan.cfg
	r.best = Progress{Budget: c.Budget * c.Windows, Best: math.NaN()}
	ref := r.bench.places(c.Policy, schedenv.Train, 0, c.Windows)
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.comparable(schedenv.Train, 0, c.Windows); err != nil {
		return err
	}
	if r.scale = stats.Mean(r.bench.values(ref)); !(r.scale > 0) || math.IsInf(r.scale, 0) {
		return fmt.Errorf("policy %s has %s %v on the windows of training, expected a finite number above 0 to "+
			"compare with", c.Policy, c.Metric, r.scale)
	}
	for _, k := range r.opt.Known() {
		r.note(k)
	}
	for asks := r.opt.Ask(); len(asks) > 0; asks = r.opt.Ask() {
		r.done = r.best.Windows
		if err := r.batch(ctx, asks); err != nil {
			return err
		}
	}
	return nil
}

// batch measures what was asked for and passes the results to the optimiser.
func (r *run) batch(ctx context.Context, asks []search.Ask) error {
	var all []place
	for _, a := range asks {
		all = append(all, r.bench.places(r.plan.spec(a.X), schedenv.Train, a.From, a.To)...)
		all = append(all, r.beside(schedenv.Train, a.From, a.To)...)
	}
	r.bench.ran = func() {
		r.best.Windows = min(r.best.Windows+1, r.opt.Spent())
		r.tell()
	}
	if err := r.bench.measure(ctx, all); err != nil {
		return err
	}
	values := make([][]float64, len(asks))
	for i, a := range asks {
		if err := r.comparable(schedenv.Train, a.From, a.To); err != nil {
			return err
		}
		values[i] = r.relative(r.plan.spec(a.X), schedenv.Train, a.From, a.To)
	}
	if err := r.opt.Tell(values); err != nil {
		return err
	}
	known := r.opt.Known()
	r.best.Windows = r.done
	for _, k := range known[len(known)-len(asks):] {
		r.note(k)
		r.since += len(k.Values)
	}
	r.tell()
	// A bandit's batch is one window, and a long log takes long to write.
	if r.since >= max(r.plan.cfg.Windows, r.best.Windows/50) {
		if err := r.keep(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// note counts an observation, and keeps it if it is the best on all windows.
func (r *run) note(k search.Observation) {
	r.best.Windows += len(k.Values)
	if len(k.Values) == r.plan.cfg.Windows && !(r.best.Best <= k.Mean) {
		r.best.Best, r.best.Params = k.Mean, r.plan.settings(k.X)
	}
}

func (r *run) tell() {
	if r.set.Watch != nil {
		r.set.Watch(r.best)
	}
}

// keep writes the table and then the state that it belongs to.
func (r *run) keep() error {
	r.since = 0
	if r.scale == 0 { // nothing is known yet
		return nil
	}
	// Not the caller's context: an interrupted run still writes its rows.
	if err := results.Write(context.Background(), results.Target{Path: r.file(tableName), Meta: r.meta},
		r.rows()); err != nil {
		return err
	}
	return results.WriteFile(r.file(stateName), r.encode())
}

// validate measures the best points and the reference on windows that the optimiser has not seen.
func (r *run) validate(ctx context.Context) error {
	c := r.plan.cfg
	all := []Candidate{{Policy: c.Policy, Train: r.scale}}
	had := map[string]bool{c.Policy: true}
	for _, t := range search.Top(r.opt.Known(), math.MaxInt) {
		spec := r.plan.spec(t.X)
		if len(all) > c.Candidates {
			break
		}
		if !had[spec] && !math.IsInf(t.Mean, 0) { // two points may be written alike
			had[spec] = true
			all = append(all, Candidate{Policy: spec, Params: r.plan.settings(t.X), Train: r.trained(spec)})
		}
	}
	at := r.beside(schedenv.Validation, 0, c.Validation)
	for _, k := range all {
		at = append(at, r.bench.places(k.Policy, schedenv.Validation, 0, c.Validation)...)
	}
	r.bench.ran = nil
	if err := r.bench.measure(ctx, at); err != nil {
		return err
	}
	if err := r.comparable(schedenv.Validation, 0, c.Validation); err != nil {
		return err
	}
	for i := range all {
		all[i].Cost = stats.Mean(r.relative(all[i].Policy, schedenv.Validation, 0, c.Validation))
		all[i].Validation = stats.Mean(r.bench.values(r.bench.places(all[i].Policy, schedenv.Validation, 0,
			c.Validation)))
	}
	r.chosen = all
	return nil
}

// finish writes the result.
func (r *run) finish() (Outcome, error) {
	c := r.plan.cfg
	out := Outcome{Best: r.chosen[0], Reference: r.chosen[0], Windows: r.best.Windows}
	for _, k := range r.chosen {
		if k.Cost < out.Best.Cost {
			out.Best = k
		}
	}
	rows := r.rows()
	last := rows[len(rows)-1]
	out.Simulations, out.Jobs = int(last.Sims), int(last.Jobs)
	if out.Best.Policy != out.Reference.Policy {
		x := r.bench.values(r.bench.places(out.Best.Policy, schedenv.Validation, 0, c.Validation))
		out.Diff = stats.Student(relative(x, r.bench.values(r.bench.places(c.Policy, schedenv.Validation, 0,
			c.Validation)), 1))
	}
	var err error
	if out.Chosen, err = r.plan.on.Choices(context.Background(), c.Policy); err != nil {
		return out, err
	}
	text, err := json.MarshalIndent(best{Candidate: out.Best, Metric: c.Metric, Optimiser: c.Optimiser,
		Reference:   out.Reference,
		Simulations: out.Simulations, Jobs: out.Jobs, Chosen: out.Chosen}, "", "  ")
	if err != nil {
		return out, err
	}
	if err := errors.Join(r.keep(), results.WriteFile(r.file(bestName), append(text, '\n'))); err != nil {
		return out, err
	}
	return out, results.WriteManifest(context.Background(), r.set.Out, r.meta,
		[]string{configName, windowsName, stateName, tableName, bestName})
}

// sum is the SHA-256 of some bytes in hex.
func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
