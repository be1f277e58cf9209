package variants

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// Two GPUs that nothing slows (three jobs of one GPU, or of two), by hand.
func TestShortestTimeAndService(t *testing.T) {
	// Job 1 has 12 s left on two GPUs, job 2 has 20 s on one: 24 GPU-seconds against 20.
	w := hand.Numbered(t, sim.Job{GPUs: 2, Work: 2 * 10 * s}, sim.Job{GPUs: 2, Work: 2 * 12 * s, Submit: 1 * s},
		sim.Job{GPUs: 1, Work: 20 * s, Submit: 1 * s})
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 2, 1), Speed: simtest.Counting{}, Workload: w}
	for order, want := range map[string]string{
		"srpt": "0s job 0 on [0 1]\n10s job 1 on [0 1]\n22s job 2 on [0]",
		"srsf": "0s job 0 on [0 1]\n10s job 2 on [0]\n30s job 1 on [0 1]",
	} {
		if got := play(t, cfg, makeAuto, "preempt=false,order="+order); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", order, got, want)
		}
	}
	// At the end of a lease of 6 s the holder's key is what it has left by then: 4 s, and so it
	// continues before the job of 5 s, which its whole 10 s would not.
	cfg.Workload = hand.Numbered(t, sim.Job{GPUs: 2, Work: 2 * 10 * s}, sim.Job{GPUs: 2, Work: 2 * 5 * s,
		Submit: 1 * s})
	if got, want := play(t, cfg, makeAuto, "lease=6,order=srpt"),
		"0s job 0 on [0 1]\n6s renew job 0\n10s job 1 on [0 1]"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := play(t, cfg, makeAuto, "lease=3,order=srpt"),
		"0s job 0 on [0 1]\n3s preempt job 0\n3s job 1 on [0 "+
			"1]\n6s renew job 1\n8s job 0 on [0 1]\n11s renew job 0\n14s renew job 0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Evictions by hand, on four GPUs that nothing slows. Leases of 100 s are the unit of min_run.
func TestEvictLater(t *testing.T) {
	job := func(gpus int32, runS, submitS sim.Time) sim.Job {
		return sim.Job{GPUs: gpus, Work: sim.Time(gpus) * runS * s, Submit: submitS * s}
	}
	for _, c := range []struct {
		name, text string
		checkpoint float64
		jobs       []sim.Job
		want       string
	}{
		{"the last in order goes, and no more than needed", "order=srpt", 0,
			[]sim.Job{job(2, 60, 0), job(2, 90, 0), job(2, 10, 30)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n30s preempt job 1\n30s job 2 on [2 3]\n40s job 1 on [2 3]"},
		{"the GPUs change hands when the checkpoint is written", "order=srpt", 5,
			[]sim.Job{job(2, 60, 0), job(2, 90, 0), job(2, 10, 30)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n30s preempt job 1\n35s job 2 on [2 3]\n45s job 1 on [2 3]"},
		{"what comes free anyway evicts nobody more", "order=srpt", 5,
			[]sim.Job{job(2, 60, 0), job(2, 90, 0), job(2, 10, 30), job(4, 300, 32)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n30s preempt job 1\n35s job 2 on [2 3]\n45s job 1 on [2 3]\n105s " +
				"job 3 on [0 1 2 3]"},
		{"several go at one instant, the last first", "order=srpt", 5,
			[]sim.Job{job(1, 99, 0), job(1, 80, 0), job(2, 90, 0), job(3, 10, 30)},
			"0s job 1 on [0]\n0s job 2 on [1 2]\n0s job 0 on [3]\n30s preempt job 0\n30s preempt job 2\n35s job 3 " +
				"on [1 2 3]\n45s job 2 on [1 2]\n45s job 0 on [3]"},
		{"of equals the first submitted goes", "order=srpt", 0, []sim.Job{job(2, 90, 0), job(2, 90, 0), job(2, 10, 30)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n30s preempt job 0\n30s job 2 on [0 1]\n40s job 0 on [0 1]"},
		{"too few come later", "order=srpt", 0, []sim.Job{job(2, 40, 0), job(2, 90, 0), job(4, 20, 30)},
			"0s job 0 on [0 1]\n0s job 1 on [2 3]\n40s preempt job 1\n40s job 2 on [0 1 2 3]\n60s job 1 on [0 1]"},
		{"an equal is not later", "order=srpt", 0, []sim.Job{job(4, 40, 0), job(4, 10, 30)},
			"0s job 0 on [0 1 2 3]\n40s job 1 on [0 1 2 3]"},
		{"a job is spared at first", "order=srpt,min_run=0.5", 0,
			[]sim.Job{job(4, 90, 0), job(4, 10, 30), job(4, 12, 50)},
			"0s job 0 on [0 1 2 3]\n50s preempt job 0\n50s job 1 on [0 1 2 3]\n60s job 2 on [0 1 2 3]\n72s job 0 on " +
				"[0 1 2 3]"},
		{"not twice within every", "order=srpt,every=0.3", 0,
			[]sim.Job{job(4, 200, 0), job(4, 50, 30), job(4, 10, 40), job(1, 500, 60)},
			"0s job 0 on [0 1 2 3]\n30s preempt job 0\n30s job 1 on [0 1 2 3]\n60s preempt job 1\n60s job 2 on [0 " +
				"1 2 3]\n" +
				"70s job 1 on [0 1 2 3]\n90s job 0 on [0 1 2 3]\n260s job 3 on [0]"},
		{"the order of arrival evicts who overtook", "order=fifo", 0,
			[]sim.Job{job(2, 50, 0), job(4, 10, 5), job(2, 90, 10)},
			"0s job 0 on [0 1]\n10s job 2 on [2 3]\n50s preempt job 2\n50s job 1 on [0 1 2 3]\n60s job 2 on [0 1]"},
		{"least service", "order=las", 0, []sim.Job{job(4, 60, 0), job(4, 30, 40)},
			"0s job 0 on [0 1 2 3]\n40s preempt job 0\n40s job 1 on [0 1 2 3]\n70s job 0 on [0 1 2 3]"},
		{"nobody goes without the setting", "order=srpt,evict=none", 0, []sim.Job{job(4, 60, 0), job(4, 10, 30)},
			"0s job 0 on [0 1 2 3]\n60s job 1 on [0 1 2 3]"},
	} {
		text := "lease=100,preempt=false," + c.text
		if !strings.Contains(text, "evict") {
			text += ",evict=later"
		}
		if !strings.Contains(text, "min_run") {
			text += ",min_run=0"
		}
		cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 4, 1), Speed: simtest.Counting{},
			Workload: hand.Numbered(t, c.jobs...)}
		cfg.Costs.Checkpoint.FixedS = c.checkpoint
		if got := play(t, cfg, makeAuto, text); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// evictScan is evict=later written down plainly, beside the contest that is (with renew=return).
type evictScan struct {
	scan
	minRun sim.Time
	gone   []sim.JobID
}

func (s *evictScan) Knows() know.Set { return know.Work }

func (s *evictScan) enter(v *sim.View, j sim.JobID) {
	s.since[j] = v.Now()
	s.waiting = append(s.waiting, j)
}

func (s *evictScan) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s.gone = s.gone[:0]
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Expire:
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: ev.Job})
			s.gone = append(s.gone, ev.Job)
			if v.Run(ev.Job).CheckpointTime() > 0 {
				continue
			}
			for _, g := range v.Run(ev.Job).Held() {
				v.Free().Release(g)
			}
			s.enter(v, ev.Job)
		case sim.Arrive, sim.Drained:
			s.enter(v, ev.Job)
		}
	}
	starts := s.choose(v, nil)
	var victims []sim.JobID
	for j := s.next(v); j != sim.NoJob; j = s.next(v) {
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
		s.gone = append(s.gone, j)
		if v.Run(j).CheckpointTime() == 0 {
			victims = append(victims, j)
			for _, g := range v.Run(j).Held() {
				v.Free().Release(g)
			}
		}
		starts = s.choose(v, starts)
	}
	for _, j := range victims {
		s.enter(v, j)
	}
	return s.wake(v, append(out, s.choose(v, starts)...))
}

// next is the next victim: it lists every GPU that could help, and counts.
func (s *evictScan) next(v *sim.View) sim.JobID {
	if len(s.waiting) == 0 {
		return sim.NoJob
	}
	key := s.cfg.Order.Key
	blocked := s.waiting[0] // choose has sorted them
	have, help := 0, 0
	var later []sim.JobID
	for g := range v.Topology().GPUs() {
		j := v.Owner(cluster.GPU(g))
		switch {
		case v.Free().Has(cluster.GPU(g)):
			have++
		case j == sim.NoJob:
		case v.Run(j).State() == sim.Draining || slices.Contains(s.gone, j) && v.Run(j).CheckpointTime() > 0:
			have++
		case v.Run(j).State() == sim.Running && !slices.Contains(s.gone, j) && v.Now()-v.Run(j).Since() >= s.minRun &&
			key(v, j) > key(v, blocked):
			help++
			later = append(later, j)
		}
	}
	if want := v.Job(blocked).GPUs(); have >= want || have+help < want {
		return sim.NoJob
	}
	return slices.MinFunc(later, func(a, b sim.JobID) int {
		return cmp.Or(cmp.Compare(key(v, b), key(v, a)),
			cmp.Compare(a, b))
	})
}

func TestEvictionsEqualScan(t *testing.T) {
	evicted := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		top := hand.Topology(t, 2, 2, 4, 1+r.IntN(2))
		c := dally.Default()
		c.Return, c.Evict = true, true
		c.LeaseS, c.NoLease = float64(4+r.IntN(12)), r.IntN(2) == 0
		c.MinRun = float64(r.IntN(5)) / 4
		c.Order = dally.Orders()[r.IntN(5)]
		never := math.Inf(1) // timers that end are moments to look, and the two do not wake alike
		c.Auto, c.RackLeases, c.NetLeases = false, []float64{0, never}[r.IntN(2)], []float64{0, never}[r.IntN(2)]
		cfg := sim.Config{Workload: drawn(t, r, 14, 10), Topology: top, Speed: hand.ByLevel{Top: top}, Check: true}
		cfg.Costs.Checkpoint.FixedS = float64(r.IntN(2) * r.IntN(3))
		want := hand.Records(t, cfg, &evictScan{scan: scan{cfg: c, timers: c.Timers(),
			since: map[sim.JobID]sim.Time{}},
			minRun: contest.Leases(c.MinRun, c.LeaseS)})
		if got := hand.Records(t, cfg, dally.NewPolicy(c, nil)); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %+v:\nindexed %+v\nscan    %+v", seed, c, got, want)
		}
		for _, rec := range want {
			if c.NoLease {
				evicted += int(rec.Preemptions)
			}
		}
	}
	if evicted < 100 {
		t.Errorf("%d evictions, expected a test of them", evicted)
	}
}

// On a cluster of two types a job that insists on one takes nothing from a job on the other.
func TestEvictionsMindTypes(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "a"},
		{Count: 1, GPUs: 2, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Topology: top, Speed: simtest.Counting{}, Workload: hand.Numbered(t,
		sim.Job{GPUs: 2, Work: 2 * 60 * s, GPUType: "a"}, sim.Job{GPUs: 2, Work: 2 * 90 * s, GPUType: "b"},
		sim.Job{GPUs: 2, Work: 2 * 10 * s, Submit: 30 * s, GPUType: "a"},
		sim.Job{GPUs: 2, Work: 2 * 5 * s, Submit: 50 * s})}
	want := "0s job 0 on [0 1]\n0s job 1 on [2 3]\n30s preempt job 0\n30s job 2 on [0 1]\n40s job 0 on [0 1]\n" +
		"50s preempt job 1\n50s job 3 on [2 3]\n55s job 1 on [2 3]"
	if got := play(t, cfg, makeAuto, "lease=100,preempt=false,order=srpt,evict=later,min_run=0"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// evict=none is Dally as it was, whatever else is set, and bounds that never bind are no bounds.
func TestEvictionSettings(t *testing.T) {
	top := hand.Topology(t, 2, 2, 4, 2)
	for seed := range uint64(40) {
		w := drawn(t, rand.New(rand.NewPCG(seed, 3)), 20, 10)
		run := func(text string) []sim.Record {
			p, err := makeAuto(param.Parse("policy dally", text), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			return hand.Records(t, sim.Config{Workload: w, Topology: top, Speed: hand.ByLevel{Top: top}}, p)
		}
		for _, order := range []string{"network", "fifo", "las", "srpt", "srsf"} {
			base := run("lease=5,order=" + order)
			for _, text := range []string{"evict=none,min_run=3,every=2", "evict=later,min_run=1e4"} {
				if got := run("lease=5,order=" + order + "," + text); !reflect.DeepEqual(got, base) {
					t.Fatalf("seed %d, %s: %s changes something", seed, order, text)
				}
			}
		}
	}
}

// Once warm, Decide allocates nothing: neither the contest nor evictions, with leases or without.
func TestNoAllocationOnceWarm(t *testing.T) {
	for _, text := range []string{"lease=600", "lease=600,order=srpt,evict=later",
		"lease=600,preempt=false,order=srsf,evict=later,every=0.5", "lease=600,features=rank:1+wait:-0.1",
		"lease=600,timers_by=vc,fair=user"} {
		r := rand.New(rand.NewPCG(4, 4))
		js := make([]sim.Job, 6000)
		for i := range js {
			g := int32(1 + r.IntN(8))
			js[i] = sim.Job{GPUs: g, Work: sim.Time(g) * sim.Time(1+r.IntN(1200)) * s, Submit: sim.Time(i) * 11 * s,
				VC: fmt.Sprint(i % 3), User: fmt.Sprint(i % 7)}
		}
		e, err := sim.New(sim.Config{Workload: hand.Numbered(t, js...), Topology: hand.Topology(t, 4, 8, 8, 2),
			Speed: simtest.Counting{}})
		if err != nil {
			t.Fatal(err)
		}
		of := makeAuto
		if strings.Contains(text, "features") {
			of = makeRanked
		}
		p := build(t, of, text)()
		e.Permit(p.Knows())
		var out []sim.Decision
		step := func() {
			v, ok, err := e.Next()
			if !ok || err != nil {
				t.Fatalf("%s: ended early: %v", text, err)
			}
			out = p.Decide(v, out[:0])
			if err := e.Apply(out); err != nil {
				t.Fatal(err)
			}
		}
		for range 5000 {
			step()
		}
		if n := testing.AllocsPerRun(4000, step); n != 0 {
			t.Errorf("%s: %v allocations per instant, want none", text, n)
		}
	}
}
