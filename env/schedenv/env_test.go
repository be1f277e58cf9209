package schedenv

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/sim"
	"tarry/sim/outage"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// timid is Dally with a question at every instant; the answer 1 keeps the contest from being held.
type timid struct {
	*contest.Policy
	asked, skip bool
	waiting     []plan.Wanted
}

func (s *timid) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.asked, s.skip = false, false
	return s.Policy.Begin(v, out)
}
func (s *timid) Ask(*sim.View) bool { return !s.asked }
func (s *timid) Answer(v *sim.View, a []float64) {
	s.asked = true
	// No job is skipped while the cluster could fall idle.
	s.skip = a != nil && a[0] == 1 && !lastRuns(v)
}
func (s *timid) Observe(v *sim.View, obs []float64, mask []bool) {
	s.waiting = s.Waiting(s.waiting[:0])
	n := Cluster(v, s.waiting, 3600*sim.Second, obs)
	obs[n] = Squash(v.Now().Seconds() / 3600)
	mask[0], mask[1] = true, !lastRuns(v)
}
func (s *timid) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	if !s.skip {
		s.Contest(v)
	}
	return s.Policy.Finish(v, out)
}
func (s *timid) Clone() Scheduler {
	c := &timid{Policy: new(contest.Policy)}
	c.CopyFrom(s)
	return c
}
func (s *timid) CopyFrom(o Scheduler) {
	from := o.(*timid)
	s.asked, s.skip = from.asked, from.skip
	s.Policy.CopyFrom(from.Policy, contest.CopyTimers(s.Timers(), from.Timers()))
}

// lastRuns reports whether nothing might run any more if no job were placed now.
func lastRuns(v *sim.View) bool {
	n := len(v.Running())
	for _, ev := range v.Events() {
		if ev.Kind == sim.Expire {
			n--
		}
	}
	return n < 1
}

func timidEnv(t testing.TB, options string) *Env {
	t.Helper()
	s := param.Parse("test", options)
	c := Read(s, simulation.All())
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if c.Reward.Kind == "energy" {
		c.Power = testPower(c.Topology.Machines())
	}
	e, err := New(c, timidSpec(options), func() Scheduler { return &timid{Policy: dally.NewPolicy(c.Dally, nil)} })
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func timidSpec(options string) env.Spec {
	return env.Spec{ID: "test/Timid-v0", Options: options, Masked: true, Action: env.Discrete{N: 2},
		Observation: env.NewBox(0, 1, len(ClusterFeatures())+1)}
}

// some skips now and then, where it may.
func some() Actor {
	n := 0
	return func(_ []float64, mask []bool, a []float64) {
		a[0] = 0
		if n++; n%3 == 0 && mask[1] {
			a[0] = 1
		}
	}
}

const brief = "cluster=2x2x4,windows=5,load=0.9,"

// The rewards sum to minus the jobs' time in the system: against the kernel's exact area, with
// truncation, and against the records when the episode ends with the last job.
func TestRewardIdentity(t *testing.T) {
	for _, text := range []string{brief + "warm=12,horizon=48", brief + "warm=0,horizon=30",
		"cluster=4x4x8,warm=6,horizon=24,workload=philly,checkpoint_s=60,restore_s=30"} {
		for window := range 4 {
			e := timidEnv(t, text)
			seed := uint64(window)
			_, _, err := e.Reset(&seed, fmt.Sprint("window=", window))
			if err != nil {
				t.Fatal(err)
			}
			from, _, _ := e.Engine().Areas()
			sum, act, action := 0.0, some(), []float64{0}
			for done := false; !done; {
				act(nil, e.mask, action)
				s, err := e.Step(action)
				if err != nil {
					t.Fatal(err)
				}
				sum += s.Reward
				done = s.Done()
			}
			if err := e.Identity(sum); err != nil {
				t.Error(err)
			}
			if e.Identity(sum*(1+1e-8)-1e-8) == nil {
				t.Error("a wrong sum passes for the right one")
			}
			to, _, _ := e.Engine().Areas()
			want := -float64(to[1]-from[1]) / 1e6 / 3600 / float64(e.cfg.Topology.GPUs())
			if to[0] != 0 || math.Abs(sum-want) > 1e-9*math.Abs(want) || want == 0 {
				t.Errorf("%s, window %d: rewards sum to %v, the area says %v", text, window, sum, want)
			}
		}
	}
}

// gained is the reward gain by its definition.
func gained(theirs, own float64) float64 { return (theirs - own) / max(theirs, own, 1) }

// Each kind of reward sums to the values of the records of the whole run.
func TestRewardsAgainstRecords(t *testing.T) {
	for _, kind := range kinds() {
		e := timidEnv(t, brief+"warm=0,horizon=30,over_weight=0,reward="+kind)
		e.cfg.Horizon = 0
		sum, err := Play(e, 1, "window=2", some())
		if err != nil {
			t.Fatal(err)
		}
		want, tol := 0.0, 1e-9
		scale := 3600 * float64(e.cfg.Topology.GPUs())
		end := sim.Time(0)
		for j := range e.Workload() {
			job, rec := &e.Workload()[j], e.Engine().Record(sim.JobID(j))
			jct, g := (rec.End - job.Submit).Seconds(), float64(job.GPUs)
			switch kind {
			case "jct", "relative":
				want -= jct / scale
			case "energy":
				busy := (rec.Run - rec.Comm).Seconds() * g * e.cfg.Power.Specs[0].BusyW(1)
				want, tol = want-jct/scale-busy/mostJ(e), 1e-5 // records hold whole microseconds
			case "slowdown":
				want -= jct / max(10, job.Work.Seconds()/g) / (scale / 3600)
			case "bsld", "gain":
				want -= max(1, jct/max(10, job.Work.Seconds()/g)) / float64(len(e.Workload()))
			case "weighted":
				want -= jct * g / scale
			case "comm":
				want, tol = want-rec.Comm.Seconds()*g/scale, 1e-5 // records hold whole microseconds
			case "makespan":
				want -= max(0, rec.End-max(end, job.Submit)).Seconds() / 3600
			}
			end = max(end, rec.End)
		}
		if kind == "energy" {
			want -= idleJ(e) / mostJ(e)
		}
		if kind == "relative" || kind == "gain" {
			base, _, err := e.cfg.Run(t.Context(), 2, dally.NewPolicy(e.cfg.Dally, nil))
			if err != nil {
				t.Fatal(err)
			}
			theirs := 0.0
			for j := range e.Workload() {
				job := &e.Workload()[j]
				jct := (base.Record(sim.JobID(j)).End - job.Submit).Seconds()
				theirs += max(1, jct/max(10, job.Work.Seconds()/float64(job.GPUs))) / float64(len(e.Workload()))
				if kind == "relative" {
					want += jct / scale
				}
			}
			if kind == "gain" {
				want = gained(theirs, -want)
			}
		}
		if math.Abs(sum.Return-want) > tol*math.Abs(want) {
			t.Errorf("%s: rewards sum to %v, the records say %v", kind, sum.Return, want)
		}
	}
}

// A discount within steps and between them is the integral of the discounted cost.
func TestDiscountDoesNotDependOnTheSteps(t *testing.T) {
	e := timidEnv(t, brief+"warm=6,horizon=30,gamma=0.9")
	seed := uint64(1)
	if _, _, err := e.Reset(&seed, ""); err != nil {
		t.Fatal(err)
	}
	// Against a sum over the steps' constant number of jobs.
	got, want, at := 0.0, 0.0, 0.0
	for done := false; !done; {
		in := float64(e.meter.in)
		s, err := e.Step([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		got += math.Pow(0.9, at) * s.Reward
		to := at + s.Info.Elapsed
		want -= in * (math.Pow(0.9, at) - math.Pow(0.9, to)) / -math.Log(0.9) / 16
		at, done = to, s.Done()
	}
	if math.Abs(got-want) > 1e-9*math.Abs(want) || want == 0 {
		t.Errorf("discounted return %v, expected %v", got, want)
	}
}

// With the average-reward correction rewards are about zero in the long run.
func TestAverageReward(t *testing.T) {
	plain, err := Play(timidEnv(t, brief+"warm=0,horizon=300"), 1, "", some())
	if err != nil {
		t.Fatal(err)
	}
	fair, err := Play(timidEnv(t, brief+"warm=0,horizon=300,average=20"), 1, "", some())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(fair.Return) > 0.2*math.Abs(plain.Return) {
		t.Errorf("corrected return %v, plain %v: expected a small part of it", fair.Return, plain.Return)
	}
}

// A snapshot in the middle continues as the episode does, in another environment too.
func TestSnapshot(t *testing.T) {
	for _, text := range []string{brief + "warm=6,horizon=40", brief +
		"warm=0,horizon=40,reward=relative,average=10,checkpoint_s=5"} {
		e, f := timidEnv(t, text), timidEnv(t, text)
		if _, err := Play(e, 3, "", some()); err != nil { // not the first episode
			t.Fatal(err)
		}
		if _, _, err := e.Reset(nil, ""); err != nil {
			t.Fatal(err)
		}
		act, action := some(), []float64{0}
		for range 20 {
			act(nil, e.mask, action)
			if _, err := e.Step(action); err != nil {
				t.Fatal(err)
			}
		}
		last := e.last
		data, err := e.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Restore(data)
		if err != nil {
			t.Fatal(err)
		}
		if got.Reward != last.Reward || !slices.Equal(got.Obs, last.Obs) ||
			!slices.Equal(got.Info.Mask, last.Info.Mask) {
			t.Fatalf("restored %+v, expected %+v", got, last)
		}
		for done := false; !done; {
			act(nil, e.mask, action)
			a, err1 := e.Step(action)
			b, err2 := f.Step(action)
			if err1 != nil || err2 != nil || a.Reward != b.Reward || !slices.Equal(a.Obs, b.Obs) ||
				a.Done() != b.Done() {
				t.Fatalf("%+v %v, restored %+v %v", a, err1, b, err2)
			}
			done = a.Done()
		}
		x, _, _ := e.Reset(nil, "")
		y, _, _ := f.Reset(nil, "")
		if !slices.Equal(x, y) {
			t.Error("the episodes after the snapshot differ")
		}
		for _, broken := range [][]byte{nil, data[:50], append([]byte{data[0] ^ 1}, data[1:]...)} {
			if _, err := f.Restore(broken); !errors.Is(err, env.ErrSnapshot) {
				t.Errorf("a broken snapshot gives %v", err)
			}
			if _, err := f.Step(action); !errors.Is(err, env.ErrResetNeeded) {
				t.Errorf("a step after a broken snapshot gives %v", err)
			}
		}
		if _, err := timidEnv(t, brief+"warm=7,horizon=40").Restore(data); !errors.Is(err, env.ErrSnapshot) {
			t.Errorf("a snapshot of other options gives %v", err)
		}
	}
}

// Once warm a step allocates nothing.
func TestStepAllocatesNothing(t *testing.T) {
	e := timidEnv(t, "cluster=4x4x8,warm=24,horizon=2000,windows=1,load=0.8")
	seed := uint64(1)
	for range 2 {
		if _, _, err := e.Reset(&seed, ""); err != nil {
			t.Fatal(err)
		}
		for range 6000 {
			if _, err := e.Step([]float64{0}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, _, err := e.Reset(&seed, ""); err != nil {
		t.Fatal(err)
	}
	action := []float64{0}
	for range 3000 {
		if _, err := e.Step(action); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(2000, func() { _, _ = e.Step(action) }); n >= 1 {
		t.Errorf("%v allocations per step, expected none", n)
	}
}

// Failures reach episodes too, and the identity of the rewards holds with them.
func TestOutages(t *testing.T) {
	e := timidEnv(t, brief+"warm=0,horizon=30")
	e.cfg.Horizon = 0
	var faults outage.Schedule
	for i := range 20 {
		at := sim.Time(i+1) * 3600 * sim.Second
		faults = append(faults, sim.Outage{At: at, Machine: int32(i % 4), GPU: -1},
			sim.Outage{At: at + 900*sim.Second, Machine: int32(i % 4), GPU: -1, Up: true})
	}
	e.cfg.Outages = func(Part, int) sim.Outages { return faults.Source() }
	sum, err := Play(e, 1, "window=1", some())
	if err != nil {
		t.Fatal(err)
	}
	want, hit := 0.0, int32(0)
	for j := range e.Workload() {
		rec := e.Engine().Record(sim.JobID(j))
		want -= (rec.End - e.Workload()[j].Submit).Seconds() / 3600 / 16
		hit += rec.Faults
	}
	if math.Abs(sum.Return-want) > 1e-9*math.Abs(want) || hit == 0 {
		t.Errorf("rewards sum to %v, the records say %v; %d faults", sum.Return, want, hit)
	}
}

// When what is left can never be placed the episode is cut, not ended.
func TestStuckIsTruncated(t *testing.T) {
	e := timidEnv(t, brief+"warm=0,horizon=30")
	e.cfg.Horizon = 0
	var faults outage.Schedule
	for m := range int32(4) {
		faults = append(faults, sim.Outage{At: 36000 * sim.Second, Machine: m, GPU: -1})
	}
	e.cfg.Outages = func(Part, int) sim.Outages { return faults.Source() }
	seed := uint64(1)
	if _, _, err := e.Reset(&seed, "window=1"); err != nil {
		t.Fatal(err)
	}
	for {
		s, err := e.Step([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		if s.Done() {
			if s.Terminated || !s.Truncated {
				t.Errorf("terminated %v, truncated %v; expected a truncation", s.Terminated, s.Truncated)
			}
			return
		}
	}
}

// Calls out of order, and actions that are not legal, are refused and change nothing.
func TestRefusals(t *testing.T) {
	e := timidEnv(t, brief+"warm=0,horizon=30")
	if _, err := e.Step([]float64{0}); !errors.Is(err, env.ErrResetNeeded) {
		t.Errorf("a step before the first reset gives %v", err)
	}
	if e.Engine() != nil || e.Workload() != nil {
		t.Error("there is a run before the first reset")
	}
	seed := uint64(1)
	if _, _, err := e.Reset(&seed, ""); err != nil {
		t.Fatal(err)
	}
	before := e.Engine().Now()
	for _, a := range [][]float64{nil, {2}, {-1}, {0.5}, {math.NaN()}, {0, 0}, {1}} {
		if len(a) == 1 && a[0] == 1 && e.mask[1] {
			continue
		}
		if _, err := e.Step(a); !errors.Is(err, env.ErrInvalidAction) {
			t.Errorf("action %v gives %v", a, err)
		}
	}
	if e.Engine().Now() != before {
		t.Error("a refused action moved the clock")
	}
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	_, _, err := e.Reset(nil, "")
	_, err2 := e.Snapshot()
	if !errors.Is(err, env.ErrClosed) || !errors.Is(err2, env.ErrClosed) {
		t.Errorf("after Close: reset gives %v, snapshot %v", err, err2)
	}
}
