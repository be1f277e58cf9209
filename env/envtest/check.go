// Package envtest checks an environment against the contract of package env: everything that
// Gymnasium's check_env asks for, and what it leaves out.
//
// Reading guide. CheckEnv is the one line of a test; Check gives the same as a Report. The checks:
// spaces.go (spec, spaces, JSON), walk.go (a random agent, every step inspected), calls.go (order
// of calls, refused actions, masks, options), same.go (equal seeds, interleaving, vectors),
// state.go (snapshots), allocs.go. play.go records what they compare.
//
// Beyond Gymnasium: complete episodes are compared instead of one step, bit for bit; copies are
// interleaved; snapshots are restored here and in another copy, and damaged ones refused; a vector
// must equal its parts whatever the workers; every action that a mask forbids is tried; time,
// metrics and masks are inspected; steps may not allocate; the caller's identity for rewards holds.
package envtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tarry/env"
)

// Config states what to check and how long.
type Config struct {
	// New makes a copy; it is called several times. The copy must enforce the order of calls, with
	// wrap.OrderEnforcing or by itself.
	New func() (env.Env, error)
	// Episodes is how many the random agent plays; 0 = 3.
	Episodes int
	// Steps is how many steps of an episode are played at most; 0 = 200.
	Steps int
	// ResetOptions are tried in Reset beside "".
	ResetOptions []string
	// Identity, if any, is asked at the end of each complete episode of the random agent: does the
	// sum of rewards equal what the environment states it stands for?
	Identity func(e env.Env, sum env.Episode) error
	// MaxAllocs is how many allocations a step may make on average; 0 = none, < 0 = not checked.
	MaxAllocs float64
	// NoSnapshots: the environment has none, by intent.
	NoSnapshots bool
}

// Report is what Check found.
type Report struct {
	// Faults break the contract; each starts with the name of its check.
	Faults []string
	// Warnings are lawful, but make learning harder.
	Warnings []string
}

// Err joins the faults; nil without any.
func (r *Report) Err() error {
	var errs []error
	for _, f := range r.Faults {
		errs = append(errs, errors.New(f))
	}
	return errors.Join(errs...)
}

// CheckEnv reports every fault as an error of the test, and logs the warnings.
func CheckEnv(t testing.TB, cfg Config) {
	t.Helper()
	r := Check(cfg)
	for _, f := range r.Faults {
		t.Error(f)
	}
	for _, w := range r.Warnings {
		t.Log("warning: " + w)
	}
}

// Check runs all checks. A check whose environment cannot even be made or reset stops early.
func Check(cfg Config) *Report {
	c := &checker{cfg: cfg}
	if c.cfg.Episodes == 0 {
		c.cfg.Episodes = 3
	}
	if c.cfg.Steps == 0 {
		c.cfg.Steps = 200
	}
	for _, check := range []struct {
		name string
		run  func() error
	}{
		{"spaces", c.spaces}, {"words", c.words}, {"reset", c.resets},
		{"walk", c.walk}, {"order", c.order}, {"close", c.closing},
		{"refuse", c.refusals}, {"mask", c.masks}, {"options", c.options}, {"repeat", c.repeats},
		{"alone", c.interleaved},
		{"vector", c.vectors}, {"snapshot", c.snapshots}, {"damage", c.damage}, {"allocs", c.allocs},
	} {
		c.name = check.name
		if err := check.run(); err != nil {
			c.fault("%v", err)
		}
		if check.name == "spaces" && len(c.report.Faults) > 0 {
			break // without spaces nothing else has a meaning
		}
	}
	return &c.report
}

// checker is one run of the checks.
type checker struct {
	cfg    Config
	name   string // of the check under way
	report Report
}

// fault notes a fault, once.
func (c *checker) fault(format string, args ...any) {
	s := c.name + ": " + fmt.Sprintf(format, args...)
	if !slices.Contains(c.report.Faults, s) {
		c.report.Faults = append(c.report.Faults, s)
	}
}

func (c *checker) warn(format string, args ...any) {
	c.report.Warnings = append(c.report.Warnings, c.name+": "+fmt.Sprintf(format, args...))
}

// with lends a copy to use and closes it.
func (c *checker) with(use func(e env.Env) error) error {
	e, err := c.cfg.New()
	if err != nil {
		return fmt.Errorf("New: %w", err)
	}
	err = use(e)
	return errors.Join(err, e.Close())
}
