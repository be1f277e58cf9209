package antman

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/interference"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/simtest"
	"tarry/sim/stack"
	owner "tarry/sim/tenant"
)

const gib = 1024

// shares writes down every allocation with its share, and with its limit of memory where it has
// one.
type shares struct {
	simtest.Tape
	lines []string
}

func (s *shares) Interval(i *sim.Interval) {
	mib := ""
	if i.GPUMiB > 0 {
		mib = fmt.Sprintf(" %d MiB", i.GPUMiB)
	}
	s.lines = append(s.lines, fmt.Sprintf("%d on %v %d%s: %v-%v %v", i.Job, i.GPUs, i.ShareMilli, mib, i.Start, i.End,
		i.Reason))
}

// play runs a policy on one rack of machines whose GPUs have 24 GiB, with every invariant checked;
// speed nil = a share is a part of the time.
func play(t *testing.T, p sim.Policy, speed sim.SpeedModel, jobs []sim.Job, machines, gpus int) ([]string,
	*sim.Engine) {
	t.Helper()
	w, top := simtest.OneRack(t, jobs, machines, gpus, 24*gib)
	if speed == nil {
		speed = simtest.Counting{}
	}
	var tape shares
	a := simtest.NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: speed, Check: true}, p,
		&tape, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	for j := range jobs { // kill-free: no job is stopped, and nothing is lost
		if r := e.Record(sim.JobID(j)); r.State != sim.Done || r.OutOfMemory > 0 || r.Preemptions > 0 ||
			r.Migrations > 0 || r.Lost > 0 {
			t.Fatalf("job %d: %+v", j, r)
		}
	}
	return tape.lines, e
}

func task(submit, work sim.Time, priority, gib32 int32, util float64) sim.Job {
	return sim.Job{GPUs: 1, Submit: submit * sim.Second, Work: work * sim.Second, Priority: priority, GPUMiB: gib32 *
		gib, GPUUtilFrac: util}
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A guaranteed job comes to the GPU of an opportunistic one, which is cut to a thousandth. It grows
// by 50, which is too much: it is halved and stays, as nothing changes. When the guaranteed job has
// ended it has the GPU again.
func TestCutAndGrow(t *testing.T) {
	got, _ := play(t, policy(t, "guaranteed=priority")(), nil,
		[]sim.Job{task(0, 40, 0, 0, 0.3), task(10, 100, 1, 0, 0.3)}, 1, 1)
	// Job 1 does 9.99 s of work until 20 s, 9.49 until 30 s, and the other 80.52 at 0.975. Job 0
	// has 30 s left at 10 s; it does 0.01 + 0.51 + 2.064615 until then.
	same(t, got, "0 on [0] 1000: 0s-10s tune", "1 on [0] 999: 10s-20s tune", "0 on [0] 1: 10s-20s tune",
		"0 on [0] 51: 20s-30s tune", "1 on [0] 949: 20s-30s tune",
		"1 on [0] 975: 30s-112.584616s finish", "0 on [0] 25: 30s-112.584616s tune",
		"0 on [0] 1000: 112.584616s-140.000001s finish")
}

// An opportunistic job does not go to a GPU that is busy for 80 %, and goes to the least busy of
// others.
func TestUtilisation(t *testing.T) {
	got, _ := play(t, policy(t, "guaranteed=priority")(), nil,
		[]sim.Job{task(0, 30, 1, 0, 0.6), task(0, 50, 1, 0, 0.85), task(0, 30, 1, 0, 0.5), task(1, 1, 0, 0, 0.1)}, 1, 3)
	if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "3 on [2] 1: 1s") }) {
		t.Errorf("job 3 is not on GPU 2: %q", got)
	}
	got, _ = play(t, policy(t, "guaranteed=priority")(), nil,
		[]sim.Job{task(0, 30, 1, 0, 0.85), task(1, 1, 0, 0, 0.1)}, 1, 1)
	same(t, got, "0 on [0] 1000: 0s-30s finish", "1 on [0] 1000: 30s-31s finish")
}

// A guaranteed job of 20 GiB comes to the GPU of opportunistic ones of 9 and 6: what is left is
// divided in proportion, a MiB for each first, and given back at its end.
func TestMemoryShrinks(t *testing.T) {
	got, _ := play(t, policy(t, "guaranteed=priority,period=1000")(), nil,
		[]sim.Job{task(0, 100, 0, 9, 0.1), task(1, 100, 0, 6, 0.1), task(5, 10, 1, 20, 0.1)}, 1, 1)
	a, b := 1+(4*gib-2)*9/15, 1+(4*gib-2)*6/15
	for _, want := range []string{fmt.Sprintf("0 on [0] 1 %d MiB: 5s-", a), fmt.Sprintf("1 on [0] 1 %d MiB: 5s-", b),
		"2 on [0] 998 20480 MiB: 5s-", "0 on [0] 500 9216 MiB: 15.02", "1 on [0] 500 6144 MiB: 15.02"} {
		if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no line begins with %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// Two tenants have two of four GPUs each. The third job of one starts opportunistically after the
// wait, its fourth as soon as one has ended within the quota.
func TestQuota(t *testing.T) {
	of := func(vc string, submit, work sim.Time) sim.Job {
		j := task(submit, work, 0, 0, 0.5)
		j.VC = vc
		return j
	}
	got, _ := play(t, policy(t, "wait=20")(), nil, []sim.Job{of("b", 0, 60), of("a", 0, 40), of("a", 0, 15),
		of("a", 1, 30), of("a", 2, 5), of("a", 10, 5)}, 1, 4)
	for _, want := range []string{"1 on [1] 1000: 0s", "2 on [2] 1000: 0s-15s", "3 on [2] 1000: 15s-45s",
		"4 on [3] 1000: 22s-27s", "5 on [3] 1000: 30s-35s"} {
		if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no line begins with %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// With quotas of the run a may hold three of four GPUs and b one: with the policy's equal parts a's
// third job would wait.
func TestQuotasOfTheRun(t *testing.T) {
	owners, err := owner.New([]owner.Tenant{{VC: "a", GPUs: 3}, {VC: "b", GPUs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var js []sim.Job
	for _, vc := range []string{"b", "a", "a", "a", "b"} {
		js = append(js, sim.Job{GPUs: 1, VC: vc, Work: 10 * sim.Second})
	}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Tenants: owners, Jobs: js}.Expect(t, policy(t, "wait=inf")(),
		"0 on [0] 0s-10s finish", "1 on [1] 0s-10s finish", "2 on [2] 0s-10s finish", "3 on [3] 0s-10s finish",
		"4 on [0] 10s-20s finish")
}

// drawn are jobs of both classes for GPUs of 24 GiB.
func drawn(seed uint64) []sim.Job {
	r := rng.Source{Seed: seed}.Stream("drawn")
	js := make([]sim.Job, 20+r.IntN(30))
	at := sim.Time(0)
	for i := range js {
		at += sim.Time(r.IntN(8)) * sim.Second
		n := int32(1 + r.IntN(4)*r.IntN(2))
		js[i] = sim.Job{Submit: at, GPUs: n, Work: sim.Time(n) * sim.Time(1+r.IntN(90)) * sim.Second,
			Priority: int32(r.IntN(2)), GPUMiB: int32(1 + r.IntN(24*gib)), GPUUtilFrac: 0.1 + 0.4*r.Float64(),
			VC: []string{"a", "b"}[r.IntN(2)]}
	}
	return js
}

// books holds the policy to its promises at every instant.
type books struct {
	*Policy
	t    *testing.T
	both int // looks at GPUs with jobs of both classes
}

func (b *books) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for g := range cluster.GPU(v.Topology().GPUs()) {
		first, others := 0, 0
		for _, j := range v.On(g) {
			if !b.jobs[j].first {
				others++
				continue
			}
			first++
			if k := v.Run(j).Knobs(); k.ShareMilli < b.cfg.keep {
				b.t.Fatalf("at %v: guaranteed job %d has %d thousandths", v.Now(), j, k.ShareMilli)
			}
		}
		if first > 1 || others > b.cfg.most {
			b.t.Fatalf("at %v: GPU %d has %d guaranteed and %d opportunistic jobs", v.Now(), g, first, others)
		}
		if first > 0 && others > 0 {
			b.both++
		}
	}
	return b.Policy.Decide(v, out)
}

// In crowds no job runs out of memory or is stopped, no GPU has two guaranteed jobs, and these are
// slowed down little: by a law of priorities as much as that states; where a share is a part of the
// time by no more than what two opportunistic jobs can grow to before a look finds out.
func TestGuaranteedJobsAreProtected(t *testing.T) {
	rule, err := interference.Parse("priority:class=ticket,spill=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range []struct {
		name string
		keep float64
	}{{"priority", 0.98}, {"none", 0.85}} {
		both := 0
		for seed := range uint64(60) {
			jobs := drawn(seed)
			var speed sim.SpeedModel
			if law.name == "priority" {
				speed = stack.New(simtest.Counting{}, interference.NewLayer(rule, nil, nil))
			}
			b := &books{Policy: policy(t, "guaranteed=priority,period=3")().(*Policy), t: t}
			_, e := play(t, b, speed, jobs, 2, 4)
			both += b.both
			for j := range jobs {
				r := e.Record(sim.JobID(j))
				if ideal := jobs[j].Work.Seconds() / float64(jobs[j].GPUs); jobs[j].Priority > 0 &&
					r.Run.Seconds() > ideal/law.keep+1e-3 {
					t.Fatalf("%s, seed %d: guaranteed job %d ran for %v s, %v alone", law.name, seed, j,
						r.Run.Seconds(), ideal)
				}
			}
		}
		if both < 1000 {
			t.Errorf("%s: jobs of both classes were seen on a GPU %d times: the cases are too easy", law.name, both)
		}
	}
}

// Where all jobs are guaranteed and no tenant has a quota it is the queue in order of arrival that
// passes over what does not fit.
func TestGuaranteedAloneIsFIFO(t *testing.T) {
	for seed := range uint64(60) {
		fifo, err := queueing.NewFitFirst(param.Parse("policy", ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := play(t, fifo, nil, drawn(seed), 3, 4)
		got, _ := play(t, policy(t, "guaranteed=all")(), nil, drawn(seed), 3, 4)
		same(t, got, want...)
	}
}

// The growth of shares does not stop for lack of a look: with a law that puts guaranteed jobs first
// an opportunistic one gets all that it may have.
func TestShareGrowsToTheEnd(t *testing.T) {
	rule, err := interference.Parse("priority:class=ticket", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := play(t, policy(t, "guaranteed=priority")(), stack.New(simtest.Counting{},
		interference.NewLayer(rule, nil, nil)), []sim.Job{task(0, 300, 1, 0, 0.5), task(1, 150, 0, 0, 0.5)}, 1, 1)
	if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "1 on [0] 499: ") }) {
		t.Errorf("the share does not grow to 499:\n%s", strings.Join(got, "\n"))
	}
}
