package envtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env"
)

// checkToy checks a toy with a fault; steps of all copies share one counter, if the fault uses it.
func checkToy(fault string) *Report {
	shared := new(int)
	return Check(Config{Steps: 60, ResetOptions: []string{"place=5"},
		New: func() (env.Env, error) { return newToy(fault, shared), nil }})
}

func TestTheGoodToyPasses(t *testing.T) {
	r := checkToy("")
	if err := r.Err(); err != nil {
		t.Errorf("faults found in an environment without any:\n%v", err)
	}
	if len(r.Warnings) > 0 {
		t.Errorf("warnings %q, want none", r.Warnings)
	}
}

// TestEachFaultIsFound breaks the toy in one respect at a time; the check that looks for it must
// report it.
func TestEachFaultIsFound(t *testing.T) {
	for _, c := range []struct{ fault, want string }{
		{"bad id", "spaces: environment id"},
		{"no action space", "spaces: action: there is no space"},
		{"crossed box", "spaces: observation: Box: bounds of element 0"},
		{"empty dict", "spaces: observation: env.Dict: no parts"},
		{"box masked", "spaces: Masked is set, but Box (1 real number) has nothing to mask"},
		{"unmasked spec", "there is a mask, but Spec().Masked is false"},
		{"tight bounds", "walk: the observation is not in its space: number 0"},
		{"wrong length", "reset: the observation is not in its space: 2 numbers, expected 3"},
		{"late limit", "walk: 30 steps without an end, expected at most 29"},
		{"close twice", "close: the second Close gives closed already"},
		{"opens again", "close: Reset after Close gives <nil>, expected ErrClosed"},
		{"any option", `options: Reset accepts the option "no-such-option=1"`},
		{"reseeds", "reset: a reset without a seed starts the streams anew"},
		{"ignores seeds", "reset: seeds 123 and 456 lead to the same state"},
		{"odd first seed", "reset: the first reset without a seed against seed 0"},
		{"keeps its stream", "reset: seed 123 twice"},
		{"time at reset", "walk: Info.Elapsed is 1 after a reset"},
		{"nothing legal", "walk: the mask allows nothing"},
		{"no mask", "the mask has 0 entries, expected 3"},
		{"short mask", "the mask has 2 entries, expected 3"},
		{"many metrics", "Info.Metrics has 2 numbers, expected 1"},
		{"time runs back", "walk: Info.Elapsed is -1"},
		{"accepts anything", "refuse: Step of [] gives <nil>, expected ErrInvalidAction"},
		{"untyped error", "refuse: Step of [] gives no, expected ErrInvalidAction"},
		{"ignores mask", "mask: Step of [0], which the mask forbids, gives <nil>"},
		{"refuses legal", "walk: Step of the legal action"},
		{"refusal moves", "refuse: the episode continues otherwise after refused actions"},
		{"steps on", "order: Step after the end of an episode gives <nil>"},
		{"untyped order", "order: Step before Reset gives not now"},
		{"ends at once", "walk: truncated after the first step"},
		{"own draws", "repeat: the same seed and actions again: call 4: observation"},
		{"shared state", "alone: copy 0 of two that take turns differs from itself alone"},
		{"reward NaN", "walk: the reward is NaN"},
		{"reward infinite", "walk: the reward is -Inf"},
		{"obs NaN", "walk: the observation is not in its space: number 1 is NaN"},
		{"writes action", "walk: Step changed the caller's action"},
		{"allocates", "allocs: 1.00 allocations per step"},
		{"no snapshots", "snapshot: there are no snapshots"},
		{"forgets its stream", "snapshot: at step 0: restored in"},
		{"forgets its count", "snapshot: at step 0: restored in"},
		{"forgets its mask", "snapshot: at step"},
		{"forgets its reward", "Restore gives another step than the last one: reward"},
		{"believes anything", "damage: Restore of damaged bytes (case 0) gives <nil>, expected ErrSnapshot"},
		{"runs after bad snapshot", "damage: Step after a failed Restore gives <nil>"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			r := checkToy(c.fault)
			if !slices.ContainsFunc(r.Faults, func(f string) bool { return strings.Contains(f, c.want) }) {
				t.Errorf("no fault with %q, got:\n%v", c.want, r.Err())
			}
		})
	}
}

func TestVectorFindsWhatTurnsDoNot(t *testing.T) {
	// The toy behaves for the first six copies, the copies that earlier checks make; a fault that
	// only shows between copies of one vector must still be found.
	copies, shared := 0, new(int)
	r := &checker{cfg: Config{Steps: 60, New: func() (env.Env, error) {
		copies++
		if copies <= 3 {
			return newToy("", shared), nil
		}
		return newToy("shared state", shared), nil
	}}}
	if err := r.vectors(); err == nil || !strings.Contains(err.Error(),
		"part 0 of a vector differs from a single copy: reward") {
		t.Errorf("got %v, want a vector that differs", err)
	}
}

func TestIdentityAndNew(t *testing.T) {
	calls := 0
	r := Check(Config{Steps: 60, New: func() (env.Env, error) { return newToy("", new(int)), nil },
		Identity: func(e env.Env, sum env.Episode) error {
			if calls++; sum.Steps != walkLen || sum.Elapsed != walkLen {
				return fmt.Errorf("%+v", sum)
			}
			if calls == 2 {
				return errors.New("rewards do not add up")
			}
			return nil
		}})
	if want := []string{"walk: identity of rewards: rewards do not add up"}; calls != 3 ||
		!slices.Equal(r.Faults, want) {
		t.Errorf("%d calls, faults %q, want 3 and %q", calls, r.Faults, want)
	}
	r = Check(Config{New: func() (env.Env, error) { return nil, errors.New("no cluster") }})
	if want := []string{"spaces: New: no cluster"}; !slices.Equal(r.Faults, want) {
		t.Errorf("faults %q, want %q", r.Faults, want)
	}
}

func TestWarnings(t *testing.T) {
	e := newToy("", new(int))
	e.spec.Masked = false
	c := &checker{name: "spaces"}
	c.taste(&env.Spec{Observation: env.Box{Low: []float64{0, math.Inf(-1)}, High: []float64{0, 1}},
		Action: env.NewBox(-2, 2, 1)})
	c.taste(&env.Spec{Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 2, Start: 1}})
	if len(c.report.Warnings) != 4 {
		t.Errorf("warnings %q, want four", c.report.Warnings)
	}
}

// fake stands for a test, to see what CheckEnv reports to it.
type fake struct {
	testing.TB
	errors, logs int
}

func (f *fake) Helper()      {}
func (f *fake) Error(...any) { f.errors++ }
func (f *fake) Log(...any)   { f.logs++ }

func TestCheckEnvTellsTheTest(t *testing.T) {
	f := &fake{TB: t}
	CheckEnv(f, Config{Steps: 60, New: func() (env.Env, error) {
		e := newToy("close twice", new(int))
		e.spec.Action = env.Discrete{N: 3}
		return e, nil
	}})
	if f.errors == 0 {
		t.Error("a fault was not told")
	}
}
