package abi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/evaluate"
	"tarry/run/outdir"
	"tarry/run/parts"
	"tarry/run/pypolicy"
	"tarry/run/trial"
	"tarry/run/tune"
)

// Measurement states what to measure, as the flags of tarry eval do.
type Measurement struct {
	// Actors are the caller's policies.
	Actors []Asked `json:"actors"`
	// Checkpoints and Tuned are folders, Which is best or last; Baselines are NAME or
	// NAME:key=value,...
	Checkpoints []string `json:"checkpoints"`
	Tuned       []string `json:"tuned"`
	Which       string   `json:"which"`
	Baselines   []string `json:"baselines"`
	Bounds      bool     `json:"bounds"`
	// Untrained adds each checkpoint as it was before training.
	Untrained bool `json:"untrained"`
	// Part, Count, Options and Trace are --windows, --count, --set and --trace.
	Part    string   `json:"part"`
	Count   int      `json:"count"`
	Options []string `json:"options"`
	Trace   string   `json:"trace"`
	// Own are schedulers of the caller's that Baselines names.
	Own []ownPolicy `json:"own"`
	// Tables are the tables to hand out, of evals, trials and jobs.
	Tables []string `json:"tables"`
	// Workers run simulations at once; the caller's thread is one of them, and the only one that
	// asks it.
	Workers int `json:"workers"`
	// Out, unless "", gets the tables; Force replaces the results of another configuration there.
	Out   string `json:"out"`
	Force bool   `json:"force"`
}

// Asked is a policy of the caller's; several of one name are one policy trained with several seeds.
type Asked struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	// Env is ID:key=value,... of the environment that it acts in.
	Env string `json:"env"`
	// Obs, Mask and Action are how many numbers the caller's buffers have.
	Obs    int `json:"obs"`
	Mask   int `json:"mask"`
	Action int `json:"action"`
	// Seen are the environments that it was trained on.
	Seen []struct {
		Env        string `json:"env"`
		Validation bool   `json:"validation"`
	} `json:"seen"`
}

// Caller is who measures.
type Caller struct {
	// Ask has policy number actor answer: it reads obs and mask and writes action; false stops all.
	// It is called on the goroutine of Measure.
	Ask func(actor int, obs []float64, mask []bool, action []float64) bool
	// Decider decides for its schedulers, on the goroutine of the call; nil = it has none.
	Decider pypolicy.Asker
	// Wait returns when done is closed; false, at once, stops all.
	Wait func(done <-chan struct{}) bool
	// Clock gives the time since some start, for latencies.
	Clock func() time.Duration
	// Version is what results have as their version.
	Version string
}

// ErrStopped states that the caller stopped a measurement, for a reason of its own.
var ErrStopped = errors.New("stopped by the caller")

// measuredTables lists the tables of a Measured.
func measuredTables() []string { return []string{"evals", "trials", "jobs"} }

// Measured is what a measurement found. It is Tabled.
type Measured struct {
	setup  *evaluate.Setup
	rows   []evaluate.Row
	meta   results.Meta
	tables []string
}

// ParseMeasurement reads a Measurement from JSON, strictly.
func ParseMeasurement(text []byte) (Measurement, error) {
	var m Measurement
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, fmt.Errorf("request: %w", err)
	}
	var errs []error
	if p := schedenv.Part(m.Part); p != schedenv.Test && p != schedenv.Validation && p != schedenv.Train {
		errs = append(errs, fmt.Errorf("windows is %q, expected test, validation or train", m.Part))
	}
	for _, name := range m.Tables {
		if !slices.Contains(measuredTables(), name) {
			errs = append(errs, fmt.Errorf("tables has %q, expected some of %s", name,
				strings.Join(measuredTables(), ", ")))
		}
	}
	for _, o := range m.Options {
		if key, _, ok := strings.Cut(o, "="); !ok || key == "part" {
			errs = append(errs, fmt.Errorf("set has %q, expected an option, and windows for the part", o))
		}
	}
	return m, errors.Join(errs...)
}

// Measure runs a measurement. The status is Refused where nothing ran, and else what ended it.
func Measure(from *parts.Catalogues, m *Measurement, caller *Caller) (*Measured, Status, error) {
	from, err := withOwn(from, m.Own, caller)
	if err != nil {
		return nil, Refused, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s, err := m.build(ctx, from, caller, stop)
	if errors.Is(err, ErrStopped) {
		return nil, Stopped, err
	}
	if err != nil {
		return nil, statusOf(err, Refused), err
	}
	release, err := outdir.Claim(m.Out, s.JSON+"\n", m.Force)
	if err != nil {
		return nil, Refused, err
	}
	defer release()
	found, err := m.found(ctx, s, caller)
	if errors.Is(err, ErrStopped) {
		return nil, Stopped, err
	}
	return found, statusOf(err, Broken), err
}

// build makes the trials on a goroutine of its own, which may take long: the caller may stop to
// wait for it.
func (m *Measurement) build(ctx context.Context, from *parts.Catalogues, caller *Caller,
	stop func()) (*evaluate.Setup, error) {
	var s *evaluate.Setup
	var wrong error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		wrong = kept(func() (err error) {
			s, err = evaluate.BuildUntil(ctx, from, m.request(caller, stop))
			return err
		})
	}()
	if !caller.Wait(ended) {
		return nil, ErrStopped
	}
	return s, wrong
}

// found runs the trials, summarises and keeps them.
func (m *Measurement) found(ctx context.Context, s *evaluate.Setup, caller *Caller) (*Measured, error) {
	if s.Scored() {
		rows, err := s.Score(ctx, 1, nil) // actors are asked on this goroutine
		if err == nil && m.Out != "" {
			err = evaluate.Keep(ctx, m.Out, caller.Version, "", s, rows, nil)
		}
		return &Measured{s, rows, results.NewMeta(s.JSON, "", caller.Version), m.scoredTables()}, err
	}
	done, err := m.run(ctx, s, caller)
	if fault := s.Err(); fault != nil {
		return nil, fault
	}
	if err != nil {
		return nil, err
	}
	rows, err := s.Summarise(done)
	if err != nil {
		return nil, err
	}
	if m.Out != "" {
		if err := evaluate.Keep(ctx, m.Out, caller.Version, "", s, rows, done); err != nil {
			return nil, err
		}
	}
	return &Measured{s, rows, results.NewMeta(s.JSON, "", caller.Version), m.Tables}, nil
}

// scoredTables are the tables asked for that there are outside the simulator, which has no trials and
// no jobs.
func (m *Measurement) scoredTables() []string {
	if slices.Contains(m.Tables, "evals") {
		return []string{"evals"}
	}
	return nil
}

// run runs the trials of the caller's policies and schedulers on this goroutine.
func (m *Measurement) run(ctx context.Context, s *evaluate.Setup, caller *Caller) ([]*trial.Result, error) {
	actors := map[string]bool{}
	for i := range m.Actors {
		actors[s.Policies[len(m.Checkpoints)+i]] = true
	}
	options := trial.Options{Workers: m.Workers, Out: m.Out, Version: caller.Version, Keep: m.Tables}
	return caller.run(ctx, s.Trials, func(t *trial.Trial) bool {
		return actors[t.Keys.Policy] || isOwn(m.Own, t.Keys.Policy)
	}, options)
}

// request is the same for package evaluate.
func (m *Measurement) request(caller *Caller, stop func()) evaluate.Request {
	r := evaluate.Request{Checkpoints: m.Checkpoints, Which: m.Which, Tuned: m.Tuned, OpenTuned: tune.OpenWith,
		Baselines: m.Baselines, Bounds: m.Bounds, Untrained: m.Untrained,
		Part: schedenv.Part(m.Part), Windows: m.Count, Options: m.Options, Trace: m.Trace, Clock: caller.Clock,
		Stop: stop}
	for i := range m.Actors {
		a := &m.Actors[i]
		one := evaluate.Actor{Name: a.Name, What: evaluate.Python, Env: a.Env,
			Policy: func(_ string, spec *env.Spec) (agents.Policy, string, error) {
				return &asked{actor: i, ask: caller.Ask}, a.SHA256, a.fits(spec)
			}}
		for _, seen := range a.Seen {
			one.Seen = append(one.Seen, evaluate.Seen{Env: seen.Env, Validation: seen.Validation})
		}
		r.Actors = append(r.Actors, one)
	}
	evaluate.Seeds(r.Actors)
	return r
}

// fits refuses buffers of another environment.
func (a *Asked) fits(spec *env.Spec) error {
	mask := 0
	if spec.Masked {
		mask = env.MaskLen(spec.Action)
	}
	if a.Obs != spec.Observation.Len() || a.Mask != mask || a.Action != spec.Action.Len() {
		return fmt.Errorf("observation, mask and action have %d, %d and %d numbers where it is measured, and %d, %d "+
			"and %d where it acts: expected the same",
			spec.Observation.Len(), mask, spec.Action.Len(), a.Obs, a.Mask, a.Action)
	}
	return nil
}

// asked is a policy that asks the caller, until it stops.
type asked struct {
	actor   int
	ask     func(actor int, obs []float64, mask []bool, action []float64) bool
	stopped bool
}

func (a *asked) Act(dst, obs []float64, mask []bool, _ *rand.Rand) error {
	if a.stopped = a.stopped || !a.ask(a.actor, obs, mask, dst); a.stopped {
		return ErrStopped
	}
	return nil
}

func (a *asked) Fork() agents.Policy { return a }
