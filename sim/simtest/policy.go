package simtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
)

// Options states what may be asked of a policy. The zero value asks for everything but the laws.
type Options struct {
	// Seeds is the number of drawn cases in the long form of tests, 30 at most in the normal one;
	// half as many more have types, elastic jobs, jobs larger than the cluster and faults, all of
	// them in each. 0 = 200.
	Seeds int
	// Without are the traits that the policy is not made for.
	Without Trait
	// MayStarve accepts that a run ends with jobs that were never placed though they could be.
	MayStarve bool
	// Allocates skips the check that instants allocate nothing once warm.
	Allocates bool
	// Alone states that the policy takes the GPUs of its jobs to be the GPUs that it gave them: no
	// other caller resizes elastic jobs beside it.
	Alone bool
	// Progress runs one case in five once more with speeds that depend on how far jobs are.
	Progress bool
	// Laws are the metamorphic laws that are theorems for this policy.
	Laws Law
	// Predict gives a predictor of run times for a run of Foresees in place of the drawn estimates;
	// nil = these. It has no use for the workload, which is there for tests of this test. Try and
	// Policy run each case once more with it.
	Predict func(*sim.Workload) sim.Predictor
	// OwnHistory has the history of Foresees be the work of each run's own jobs; else it is the
	// same for both runs.
	OwnHistory bool
	// History is the sample of earlier work of Try and Policy in place of a sample of a case's own
	// jobs; nil = these, empty = none.
	History []sim.Time
	// Serve gives a drawn case services and an operator, in place of its own; nil = it stays as it is.
	Serve func(cfg *sim.Config, seed uint64)
	// Scaled gives the policy with its time parameters multiplied by k; nil = it has none.
	Scaled func(k int64) sim.Policy
}

// Policy runs the conformance suite. make gives a fresh policy for one run. Every drawn case is run
// with the kernel's invariants and an Audit, and run again to see that it is reproducible; a policy
// with a method Clone() sim.Policy is also resumed from a snapshot in the middle, and in one case
// of two held apart from its clone: what one of them does changes no memory of the other. Cases
// with elastic jobs are run once more while another caller resizes these at random (but see
// Options.Alone), one case in four with rigid jobs as elastic ones of one count, and with
// Options.Progress one in five with speeds that depend on how far jobs are.
func Policy(t *testing.T, make func() sim.Policy, o Options) {
	t.Helper()
	if o.Seeds == 0 {
		o.Seeds = 200
	}
	o.Seeds = effort.Of(t, min(o.Seeds, 30), o.Seeds)
	for _, c := range []struct {
		name  string
		seeds int
		with  Trait
	}{{"cases", o.Seeds, 0}, {"hard cases", o.Seeds / 2, hard}} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(c.seeds) {
				if err := tryCase(make, seed, o, c.with); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
	if !o.Allocates {
		t.Run("allocations", func(t *testing.T) { allocations(t, make()) })
	}
	laws(t, make, o)
}

// Try runs a policy on the case of one seed, as Policy does on many. Odd seeds give hard cases. The
// error holds the case.
func Try(make func() sim.Policy, seed uint64, o Options) error {
	return tryCase(make, seed, o, hardTraits(seed))
}

// hardTraits are the traits that the case of a seed has for certain.
func hardTraits(seed uint64) Trait {
	if seed%2 == 1 {
		return hard
	}
	return 0
}

func tryCase(make func() sim.Policy, seed uint64, o Options, with Trait) error {
	cfg, err := drawCase(seed, o.Without, with)
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	if o.History != nil {
		cfg.History = o.History
	}
	if o.Serve != nil {
		o.Serve(&cfg, seed)
	}
	first, e, err := tapeOf(cfg, make())
	if err != nil {
		return fmt.Errorf("%w\n%s", err, describe(cfg))
	}
	if again, _, err := tapeOf(cfg, make()); err != nil || again != first {
		return fmt.Errorf("the second run differs (error %v)\nfirst:\n%s\nsecond:\n%s", err, first, again)
	}
	if err := alive(cfg, e, o.MayStarve); err != nil {
		return fmt.Errorf("%w\n%s", err, describe(cfg))
	}
	if p, ok := make().(cloner); ok {
		if err := resume(cfg, p, first, seed%4 <= 1); err != nil {
			return err
		}
	}
	if o.Predict != nil {
		if err := predicted(cfg, make, o); err != nil {
			return err
		}
	}
	if seed%4 == 1 {
		if err := oneCount(cfg, make, first); err != nil {
			return err
		}
	}
	if seed%5 == 4 && o.Progress {
		if err := progressed(cfg, make, o, seed); err != nil {
			return err
		}
	}
	if elastic(&cfg) && !o.Alone {
		return resized(cfg, make, o, seed%4 == 2)
	}
	return nil
}

// predicted runs a case with a predictor in place of estimates: twice, and from a snapshot in the
// middle.
func predicted(cfg sim.Config, make func() sim.Policy, o Options) error {
	cfg.Estimate, cfg.Predictor = nil, o.Predict(cfg.Workload)
	first, e, err := tapeOf(cfg, make())
	if err != nil {
		return fmt.Errorf("with a predictor: %w\n%s", err, describe(cfg))
	}
	if again, _, err := tapeOf(cfg, make()); err != nil || again != first {
		return fmt.Errorf("with a predictor the second run differs (error %v)\nfirst:\n%s\nsecond:\n%s", err, first,
			again)
	}
	if err := alive(cfg, e, o.MayStarve); err != nil {
		return fmt.Errorf("with a predictor: %w\n%s", err, describe(cfg))
	}
	if p, ok := make().(cloner); ok {
		if err := resume(cfg, p, first, true); err != nil {
			return fmt.Errorf("with a predictor: %w", err)
		}
	}
	return nil
}

// alive checks that refused jobs are jobs that the cluster could never hold, and that at the end of
// a run that was not cut short all others are done, or rejected by the policy.
func alive(cfg sim.Config, e *sim.Engine, mayStarve bool) error {
	for id := range cfg.Workload.Jobs {
		j, s := &cfg.Workload.Jobs[id], e.Record(sim.JobID(id)).State
		least, _ := j.Range()
		switch fits := least <= room(cfg.Topology, j); {
		case s == sim.Refused && fits:
			return fmt.Errorf("job %q is refused, and %d GPUs would do", j.ID, least)
		case s != sim.Refused && s != sim.Pending && !fits:
			return fmt.Errorf("job %q is %v, and %d GPUs are more than there are", j.ID, s, least)
		case s != sim.Done && s != sim.Refused && s != sim.Rejected && !mayStarve && cfg.Until == 0:
			return fmt.Errorf("job %q is still %v when nothing can happen any more", j.ID, s)
		}
	}
	return nil
}

// room counts the GPUs that a job may use at once on an idle cluster.
func room(top *cluster.Topology, j *sim.Job) int32 {
	n := int32(0)
	for m := range top.Machines() {
		if j.GPUType != "" && !(len(top.Types()) == 1 && top.Types()[0] == "") && top.Type(m) != j.GPUType {
			continue
		}
		lo, hi := top.MachineGPUs(m)
		here := int32(hi - lo)
		for here > 0 && (top.CPUMilli(m) > 0 && int64(here)*int64(j.CPUMilli) > top.CPUMilli(m) || top.MemMiB(m) > 0 &&
			int64(here)*int64(j.MemMiB) > top.MemMiB(m)) {
			here--
		}
		n += here
	}
	return n
}

type cloner interface {
	sim.Policy
	Clone() sim.Policy
}

// tape writes down everything that observers receive.
type tape struct{ b strings.Builder }

func (t *tape) Interval(i *sim.Interval) { fmt.Fprintf(&t.b, "interval %+v\n", *i) }
func (t *tape) Job(r *sim.Record)        { fmt.Fprintf(&t.b, "job %+v\n", *r) }
func (t *tape) Instant(g *sim.Gauge)     { fmt.Fprintf(&t.b, "instant %+v\n", *g) }

// tapeOf runs a policy, audits it and gives all that was reported.
func tapeOf(cfg sim.Config, p sim.Policy) (string, *sim.Engine, error) {
	var tp tape
	a := NewAudit(cfg.Workload, cfg.Topology).Kills(cfg.Costs.Kill).Serves(cfg.Services)
	e, err := runBounded(cfg, p, &tp, a)
	if err != nil {
		return "", e, err
	}
	return tp.b.String(), e, a.Close(e)
}

// runBounded is sim.Run, with an error for a policy that keeps itself busy for ever.
func runBounded(cfg sim.Config, p sim.Policy, obs ...sim.Observer) (*sim.Engine, error) {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	e, err := sim.Run(ctx, cfg, &bounded{Policy: p, stop: stop, left: 100000}, obs...)
	if cause := context.Cause(ctx); errors.Is(cause, errEndless) {
		err = cause
	}
	return e, err
}

var errEndless = errors.New("100000 instants and no end: the policy keeps itself busy")

// bounded stops a run that does not end by itself.
type bounded struct {
	sim.Policy
	stop func(error)
	left int
}

func (b *bounded) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if b.left--; b.left == 0 {
		b.stop(errEndless)
	}
	return b.Policy.Decide(v, out)
}

// resume runs half, takes a snapshot, continues in another engine, and expects the same records.
// With apart it also holds the policy, its clone and the snapshot apart: what one of them does
// changes nothing that the others lead to.
func resume(cfg sim.Config, p cloner, full string, apart bool) error {
	half := strings.Count(full, "\ninstant") / 2
	var whole, rest tape
	e, err := sim.New(cfg, &whole)
	if err != nil {
		return err
	}
	e.Permit(p.Knows())
	if err := steps(e, p, half); err != nil {
		return err
	}
	snap, twin, before := e.Snapshot(), p.Clone(), whole.b.Len()
	var kept copies
	if apart {
		if err := kept.cloned(p, twin, snap); err != nil {
			return err
		}
	}
	if err := steps(e, p, -1); err != nil {
		return err
	}
	if err := kept.ran(p, twin); err != nil {
		return err
	}
	f, err := sim.New(cfg, &rest)
	if err != nil {
		return err
	}
	f.Permit(p.Knows())
	if err := f.Restore(snap); err != nil {
		return err
	}
	if err := steps(f, twin, -1); err != nil {
		return fmt.Errorf("resumed: %w", err)
	}
	if want := whole.b.String()[before:]; want != rest.b.String() {
		return fmt.Errorf("resumed after %d instants it differs\nwant:\n%s\ngot:\n%s", half, want, rest.b.String())
	}
	return kept.resumed(p, snap)
}

// steps drives an engine for n instants, to the end when n is negative.
func steps(e *sim.Engine, p sim.Policy, n int) error {
	var out []sim.Decision
	for ; n != 0; n-- {
		v, ok, err := e.Next()
		if err != nil || !ok {
			return err
		}
		out = p.Decide(v, out[:0])
		if err := e.Apply(out); err != nil {
			return err
		}
	}
	return nil
}

// allocations lets a policy get warm on a congested cluster and counts what it allocates then: in the
// second half of 12000 instants, and in the normal form of tests in the first 2000 in a row that are
// few enough, as most policies are warm long before.
func allocations(t *testing.T, p sim.Policy) {
	const n = 12000
	counted := effort.Of(t, 2000, 6000)
	js := make([]sim.Job, n)
	for i := range js {
		g := int32(1 + i*7%13%8)
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Model: "a", User: "u", VC: "x", Submit: sim.Time(i) * sim.Second,
			Work: sim.Time(g) * sim.Time(1+i*31%17) * sim.Second}
	}
	w, err := sim.NewWorkload("steady", js)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 2, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: Counting{}})
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	if err := steps(e, p, counted); err != nil {
		t.Fatal(err)
	}
	got := uint64(0)
	for range n/counted - 1 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = steps(e, p, counted)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		// Buffers may still grow now and then; an allocation per instant would be counted.
		if got = after.Mallocs - before.Mallocs; got <= uint64(counted/50) {
			return
		}
	}
	t.Errorf("%d allocations in %d instants once warm", got, counted)
}

func describe(cfg sim.Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d racks, %d machines, %d GPUs, types %q, until %v, costs %+v\n", cfg.Topology.Racks(),
		cfg.Topology.Machines(), cfg.Topology.GPUs(), cfg.Topology.Types(), cfg.Until, cfg.Costs)
	for i, j := range cfg.Workload.Jobs {
		fmt.Fprintf(&b, "%d: %+v\n", i, j)
	}
	return b.String()
}
