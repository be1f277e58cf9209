package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"tarry/agents/nn"
	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/trait"
	"tarry/internal/rundir"
	"tarry/output/results"
	"tarry/run/lock"
)

// ErrInterrupted: the context ended. A checkpoint was written, and Run with Resume continues from
// it.
var ErrInterrupted = errors.New("training was interrupted; its checkpoint is complete")

// Options set how to run a Config. None of them changes a result.
type Options struct {
	// Out is the folder of the run; required.
	Out string
	// Resume continues the run that is in Out, or starts one if there is none.
	Resume bool
	// Locked states that no other process writes to Out, by a lock or lease of the caller's; else
	// Run locks it, see run/lock.
	Locked bool
	// Workers is over how many goroutines environments are stepped; < 1 means 1.
	Workers int
	// Clock gives the time since some start, for checkpoint_minutes; nil = no checkpoint is for the
	// time.
	Clock func() time.Duration
	// Now gives the time of day, for the table timing; nil = that table is not written. It reaches
	// nothing else.
	Now func() time.Time
	// Version is the program's, for the metadata.
	Version string
	// Watch receives every update; nil = none.
	Watch func(Progress)
}

// Progress is what Watch receives.
type Progress struct {
	Row agents.Row
	// Updates and Steps are of the complete run; Before are steps of an imitation, which
	// Row.Steps counts too.
	Updates, Steps, Before int
	// Validation is the mean return on validation after this update, Best the best so far; NaN =
	// none.
	Validation, Best float64
}

// Outcome is how a run ended.
type Outcome struct {
	// Updates and Steps were made; Stopped states that patience ran out before all of them.
	Updates, Steps int
	Stopped        bool
	// Best is the best mean return on validation, reached after update BestUpdate.
	Best       float64
	BestUpdate int
}

// run is a run under way.
type run struct {
	state
	cfg     *Config
	opt     Options
	head    header
	fresh   map[string][]byte // the files with which a new run begins; nil = it has begun
	meta    results.Meta
	learner agents.Learner
	val     *validator
	lock    *lock.Run // of the folder; nil = the caller has one

	teachers []trait.Demonstrator // of a run that begins with imitation, by number
	written  time.Duration        // when the last checkpoint was, by the clock
	times    stopwatch
}

// Run trains, or continues training. When ctx ends it stops after the update under way, writes a
// checkpoint and gives ErrInterrupted. A run that has ended already is left as it is.
func Run(ctx context.Context, cfg Config, opt Options) (out Outcome, err error) {
	cfg.maker = cfg.maker.Take() // another run of the same Config reads its trace anew
	r := &run{cfg: &cfg, opt: opt, state: state{best: math.NaN()}}
	if !opt.Locked {
		r.lock = &lock.Run{Dir: opt.Out, Mark: configName}
	}
	defer r.lock.Leave()
	saved, err := r.open(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if err := r.prepare(saved); err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, r.learner.Close(), r.val.close()) }()
	r.startWatch()
	if saved == nil && cfg.Imitate != "" {
		if err := r.imitate(ctx); err != nil {
			return r.outcome(), err
		}
	}
	if saved == nil && cfg.Imitate == "" && cfg.ValidateStart {
		if err := r.judgeStart(); err != nil {
			return r.outcome(), err
		}
	}
	for !r.ended() {
		if err := r.update(ctx); err != nil {
			return r.outcome(), err
		}
	}
	return r.outcome(), r.finish()
}

// open makes the folder ready and gives the saved learner, nil when the run is new.
func (r *run) open(ctx context.Context) ([]byte, error) {
	text, err := r.cfg.JSON()
	if err != nil {
		return nil, err
	}
	r.meta = r.cfg.meta(text, r.opt.Version)
	if err := r.lock.Enter(); err != nil && (r.opt.Resume || errors.Is(err, lock.ErrHeld)) {
		return nil, err
	}
	was, err := r.checkFolder(text)
	if err != nil {
		return nil, err
	}
	w, err := windowsOf(r.cfg, r.opt.Workers)
	if err == nil {
		w.Chosen, err = r.cfg.Chosen(ctx)
	}
	if err != nil {
		return nil, err
	}
	windows, err := w.json()
	if err != nil {
		return nil, err
	}
	r.head = header{Config: sum(text), Windows: sum(windows)}
	if was != nil {
		if err := r.lock.Begin(); err != nil {
			return nil, err
		}
		if err := r.extend(was, text); err != nil {
			return nil, err
		}
	}
	if err := os.Remove(r.file(longerName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	data, err := rundir.ReadFile(r.file(lastName))
	if errors.Is(err, os.ErrNotExist) {
		r.fresh = map[string][]byte{windowsName: windows, configName: text}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// The files beside a checkpoint stay as they are: it is bound to them by hash.
	st, learner, err := decode(data, r.head)
	if err == nil {
		err = nn.SameArithmetic(st.arithmetic)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", r.file(lastName), err)
	}
	r.state = *st
	return learner, nil
}

// checkFolder refuses a folder that holds something else. It gives the configuration of a run that
// is to be made longer.
func (r *run) checkFolder(text []byte) ([]byte, error) {
	there, err := rundir.ReadFile(r.file(configName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(r.file(lastName)); err == nil {
			return nil, fmt.Errorf("%s holds a checkpoint without %s, expected both or neither", r.opt.Out, configName)
		}
		if r.lock == nil {
			return nil, nil
		}
		// windows.json is written first: a run that was killed then has nothing else.
		return nil, lock.Free(r.opt.Out, "tarry train", func(e fs.DirEntry) bool { return e.Name() == windowsName })
	case err != nil:
		return nil, fmt.Errorf("--out: %w", err)
	case !r.opt.Resume:
		return nil, fmt.Errorf("%s holds a run already; --resume continues it, another folder starts anew", r.opt.Out)
	}
	if begun, err := pending(r.opt.Out); err != nil || begun != nil && !bytes.Equal(begun, text) {
		return nil, errors.Join(err, fmt.Errorf("%s was being made longer: expected --resume without other settings "+
			"first, which ends that", r.opt.Out))
	}
	if bytes.Equal(there, text) {
		return nil, nil
	}
	return there, longer(there, text)
}

func (r *run) file(name string) string { return filepath.Join(r.opt.Out, filepath.FromSlash(name)) }

// prepare makes the learner and what measures it.
func (r *run) prepare(saved []byte) (err error) {
	if r.val, err = newValidator(r.cfg); err != nil {
		return err
	}
	workers := max(1, r.opt.Workers)
	if err := r.val.beside(r.cfg, workers); err != nil {
		return errors.Join(err, r.val.close())
	}
	fresh := func(int) (env.Env, error) { return r.cfg.make(trait.Train) }
	if saved == nil && r.cfg.Imitate != "" {
		r.teachers, fresh = make([]trait.Demonstrator, r.cfg.Envs()), r.followed
	}
	if r.opt.Clock != nil {
		r.written = r.opt.Clock()
	}
	if saved == nil {
		r.learner, err = r.cfg.agent.New(workers, fresh)
	} else {
		r.learner, err = r.cfg.agent.Resume(workers, fresh, saved)
	}
	if err == nil {
		if err = r.begin(); err != nil {
			err = errors.Join(err, r.learner.Close())
		}
	}
	if err != nil {
		return errors.Join(err, r.val.close())
	}
	return nil
}

// begin takes the folder for a new run, once it is sure that there can be one.
func (r *run) begin() error {
	if err := r.lock.Begin(); err != nil {
		return err
	}
	if _, err := results.RemoveTemp(r.opt.Out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if r.fresh == nil {
		return nil
	}
	return errors.Join(results.WriteFile(r.file(windowsName), r.fresh[windowsName]),
		results.WriteFile(r.file(configName), r.fresh[configName]))
}

func (r *run) ended() bool { return r.learner.Done() || r.Stopped }

// update makes one update with all that is due after it.
func (r *run) update(ctx context.Context) error {
	got, err := r.learner.Update()
	if err != nil {
		if errors.Is(err, agents.ErrDiverged) {
			err = errors.Join(err, r.dump())
		}
		return err
	}
	now := row{got, math.NaN()}
	r.Updates++
	better := false
	if every := r.cfg.ValidateEvery; every > 0 && r.Updates%every == 0 || r.learner.Done() {
		if now.validation, err = r.val.mean(r.learner.Policy()); err != nil {
			return err
		}
		better = r.judge(now.validation)
	}
	r.rows = append(r.rows, now)
	r.lap()
	interrupted := ctx.Err() != nil
	if err := r.keep(better, interrupted || r.ended() || r.Updates%r.cfg.CheckpointEvery == 0 || r.late()); err != nil {
		return err
	}
	if r.opt.Watch != nil {
		r.opt.Watch(Progress{Row: got, Updates: r.cfg.Updates(), Steps: r.cfg.Steps(), Before: r.before(),
			Validation: now.validation, Best: r.best})
	}
	if interrupted && !r.ended() {
		return ErrInterrupted
	}
	return nil
}

// before is how many steps the imitation took.
func (r *run) before() int {
	if r.cfg.Imitate == "" || len(r.rows) == 0 {
		return 0
	}
	return r.rows[0].Steps - r.cfg.Steps()/r.cfg.Updates()
}

// late reports whether the last checkpoint is as old as checkpoint_minutes allows.
func (r *run) late() bool {
	if r.opt.Clock == nil || r.cfg.CheckpointMinutes == 0 {
		return false
	}
	return (r.opt.Clock() - r.written).Minutes() >= r.cfg.CheckpointMinutes
}

// judge notes a validation and reports whether it is the best.
func (r *run) judge(got float64) bool {
	if math.IsNaN(r.best) || got > r.best {
		r.best, r.BestUpdate, r.Stale = got, r.Updates, 0
		return true
	}
	r.Stale++
	r.Stopped = r.cfg.Patience > 0 && r.Stale >= r.cfg.Patience
	return false
}

// keep writes the checkpoints that are due. The curves go before the state that they belong to.
func (r *run) keep(best, last bool) error {
	if !best && !last {
		return nil
	}
	data, err := r.bytes()
	if err != nil {
		return err
	}
	if best {
		if err := results.WriteFile(r.file(bestName), data); err != nil {
			return err
		}
	}
	if !last {
		return nil
	}
	if err := errors.Join(r.curves(), r.timing()); err != nil {
		return err
	}
	if r.opt.Clock != nil {
		r.written = r.opt.Clock()
	}
	return results.WriteFile(r.file(lastName), data)
}

func (r *run) bytes() ([]byte, error) {
	learner, err := r.learner.Save()
	if err != nil {
		return nil, err
	}
	return r.encode(r.head, learner)
}

// dump keeps the weights of a run that diverged; its checkpoints stay as they are.
func (r *run) dump() error {
	data, err := r.bytes()
	if err == nil {
		err = results.WriteFile(r.file(dumpName), data)
	}
	if err == nil {
		err = fmt.Errorf("the weights before it are in %s", r.file(dumpName))
	}
	return err
}

func (r *run) outcome() Outcome {
	o := Outcome{Updates: r.Updates, Stopped: r.Stopped, Best: r.best, BestUpdate: r.BestUpdate}
	if n := len(r.rows); n > 0 {
		o.Steps = r.rows[n-1].Steps
	}
	return o
}

// finish writes the manifest.
func (r *run) finish() error {
	return results.WriteManifest(context.Background(), r.opt.Out, r.meta,
		[]string{configName, windowsName, lastName, bestName, curvesName})
}
