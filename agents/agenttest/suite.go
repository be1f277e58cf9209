package agenttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"tarry/agents/learn"
	"tarry/env"
)

// Policy acts, and can be forked; P is itself.
type Policy[P any] interface {
	Actor
	Fork() P
}

// Trainer is the part of a learner that makes updates.
type Trainer interface {
	Update() (learn.Row, error)
	Done() bool
}

// Learner is a run between two updates, P its policy.
type Learner[P any] interface {
	Trainer
	Save() ([]byte, error)
	Policy() P
	Close() error
}

// Suite is what every learner has to keep, whatever it learns: C are its settings (a struct that is
// written as JSON, with a field Seed), P its policy, L its learner. Fill it in and call Test.
type Suite[C any, P Policy[P], L Learner[P]] struct {
	// Name is the agent's; its errors begin with it.
	Name string
	// New starts a run, Resume continues a saved one, Load takes the frozen policy out of what was
	// saved.
	New    func(cfg C, workers int, make func(int) (env.Env, error)) (L, error)
	Resume func(cfg C, workers int, make func(int) (env.Env, error), saved []byte) (L, error)
	Load   func(saved []byte, spec *env.Spec) (P, error)
	// Value returns a policy's estimate of an observation's value; nil = it has none.
	Value func(p P, obs []float64, mask []bool) float64
	// Runs are short runs by name, one for each sort of network, optimiser and environment: a dozen
	// updates of a few milliseconds, since they are repeated.
	Runs map[string]Run[C, L]
	// Plain names the run among them that is tampered with. It has two environments or more that
	// are stepped, a network that takes the whole observation, and no Begin.
	Plain string
	// Wide is a run with networks and batches so large that products of matrices are split over
	// processors.
	Wide Run[C, L]
	// Refused are spaces of actions that the agent does not serve, by what its error states of
	// them.
	Refused map[string]env.Space
	// Where is how errors name the second environment; "" = "environment 1".
	Where string
	// Stateless: environments have no state between two updates, so that they need no snapshots.
	Stateless bool
}

// Run is a configuration in an environment.
type Run[C, L any] struct {
	Config C
	// Env makes environment number i.
	Env func(i int) (env.Env, error)
	// Begin is what comes before the first update, such as a warm start; nil = nothing does.
	Begin func(l L, spec *env.Spec) error
}

// Test makes all checks. Each run, interrupted after every update and resumed from what it saved,
// ends in the bytes of the run that was left alone; its settings are read back from what was
// written; its frozen policy acts as its own does, without allocating; a checkpoint that lacks any
// of its sections is refused. Processors, workers and other learners do not change a run's bytes.
// What is damaged, or is of another agent, configuration or environment, is refused with nothing
// left open. A fault of an environment is reported, changes no weight, and ends the run.
func (s Suite[C, P, L]) Test(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	plain, ok := s.Runs[s.Plain]
	if !ok || len(s.Refused) == 0 || s.Wide.Env == nil {
		t.Fatalf("suite of %s: expected a run called %q, a wide run, and spaces that are refused", s.Name, s.Plain)
	}
	seen := map[string]bool{} // sections of checkpoints
	for _, name := range slices.Sorted(maps.Keys(s.Runs)) {
		r := s.Runs[name]
		t.Run(name, func(t *testing.T) {
			t.Run("settings", func(t *testing.T) { readBack(t, r.Config) })
			whole, rows := s.trained(t, r)
			defer func() { s.close(t, whole) }()
			saved := s.save(t, whole)
			t.Run("resumed", func(t *testing.T) { s.resumed(t, r, rows, saved) })
			t.Run("sections", func(t *testing.T) { s.sections(t, r, saved, seen) })
			t.Run("frozen", func(t *testing.T) { s.frozen(t, r, whole, saved) })
			t.Run("misused", func(t *testing.T) { s.misused(t, r, whole) })
		})
	}
	t.Run("parallel", s.parallel)
	t.Run("damaged", func(t *testing.T) { s.damaged(t, plain) })
	t.Run("foreign", func(t *testing.T) { s.foreign(t, plain) })
	t.Run("faults", func(t *testing.T) { s.faults(t, plain) })
	t.Run("unmade", func(t *testing.T) { s.unmade(t, plain) })
	t.Run("no snapshots", func(t *testing.T) { s.withoutSnapshots(t, plain) })
}

// begun is a new run before its first update.
func (s Suite[C, P, L]) begun(t *testing.T, r Run[C, L], workers int) L {
	t.Helper()
	l, err := s.New(r.Config, workers, r.Env)
	if err == nil && r.Begin != nil {
		e := opened(t, r.Env)
		err = errors.Join(r.Begin(l, e.Spec()), e.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// trained is a run to its end, with what it reported.
func (s Suite[C, P, L]) trained(t *testing.T, r Run[C, L]) (L, []learn.Row) {
	t.Helper()
	l := s.begun(t, r, 1)
	rows, err := finish(l)
	if err != nil {
		t.Fatal(err)
	}
	return l, rows
}

// finish makes the updates that are left.
func finish(l Trainer) (rows []learn.Row, err error) {
	for err == nil && !l.Done() {
		var row learn.Row
		if row, err = l.Update(); err == nil {
			rows = append(rows, row)
		}
	}
	return rows, err
}

func (s Suite[C, P, L]) save(t *testing.T, l L) []byte {
	t.Helper()
	b, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (s Suite[C, P, L]) close(t *testing.T, l L) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func opened(t *testing.T, make func(int) (env.Env, error)) env.Env {
	t.Helper()
	e, err := make(0)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// readBack writes settings and reads them again.
func readBack[C any](t *testing.T, cfg C) {
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var got C
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, cfg) {
		t.Errorf("%s is read back as %+v, expected %+v, error %v", text, got, cfg, err)
	}
}

// same compares rows, NaN equal to itself; numbers are printed with all their digits.
func same(a, b []learn.Row) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }
