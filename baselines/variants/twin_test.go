package variants

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/simtest/hand"
)

// scan is Dally written down plainly: it sorts all jobs without GPUs at every event and tries
// each in turn. The indexed policy must give the same runs.
type scan struct {
	cfg     dally.Config
	timers  plan.TimerSource
	since   map[sim.JobID]sim.Time
	waiting []sim.JobID
}

func (s *scan) Knows() know.Set { return know.Work }

func (s *scan) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Expire:
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: ev.Job})
			for _, g := range v.Run(ev.Job).Held() {
				v.Free().Release(g)
			}
			fallthrough
		case sim.Arrive:
			s.since[ev.Job] = v.Now()
			s.waiting = append(s.waiting, ev.Job)
		}
	}
	return s.wake(v, s.choose(v, out))
}

// choose tries each in turn.
func (s *scan) choose(v *sim.View, out []sim.Decision) []sim.Decision {
	key := s.cfg.Order.Key
	slices.SortFunc(s.waiting, func(a, b sim.JobID) int {
		return cmp.Or(cmp.Compare(key(v, a), key(v, b)), cmp.Compare(s.since[a], s.since[b]), cmp.Compare(a, b))
	})
	var left []sim.JobID
	for _, j := range s.waiting {
		gpus, ok := s.place(v, j)
		if !ok {
			left = append(left, j)
			continue
		}
		for _, g := range gpus {
			v.Free().Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Lease: s.lease()})
	}
	s.waiting = left
	return out
}

// wake asks for the ends of the timers.
func (s *scan) wake(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Never
	for _, j := range s.waiting {
		rack, net, until := s.timers.Timers(v.Job(j).GPUs(), v.Now())
		for _, t := range []sim.Time{rack, net} {
			if t != sim.Never && s.since[j]+t > v.Now() {
				at = min(at, s.since[j]+t)
			}
		}
		at = min(at, until)
	}
	if at != sim.Never {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: at})
	}
	return out
}

func (s *scan) lease() sim.Time {
	if s.cfg.NoLease {
		return 0
	}
	return sim.Seconds(s.cfg.LeaseS)
}

func (s *scan) place(v *sim.View, j sim.JobID) ([]cluster.GPU, bool) {
	f, g, top := v.Free(), v.Job(j).GPUs(), v.Topology()
	wait := v.Now() - s.since[j]
	take := func(l cluster.Level) ([]cluster.GPU, bool) {
		gpus, ok := f.At(nil, g, l, s.cfg.Rule)
		if ok {
			s.timers.Accepted(g, l, wait, v.Now())
		}
		return gpus, ok
	}
	for _, l := range []cluster.Level{cluster.LevelSlot, cluster.LevelMachine} {
		if gpus, ok := take(l); ok {
			return gpus, true
		}
	}
	rack, net, _ := s.timers.Timers(g, v.Now())
	if wait >= rack || g > top.Capacity(cluster.LevelMachine) {
		if gpus, ok := take(cluster.LevelRack); ok {
			return gpus, true
		}
	}
	if wait >= net || g > top.Capacity(cluster.LevelRack) {
		return take(cluster.LevelCluster)
	}
	return nil, false
}

func drawn(t testing.TB, r *rand.Rand, n, maxGPUs int) *sim.Workload {
	t.Helper()
	jobs := make([]sim.Job, n)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(maxGPUs)), Submit: sim.Time(r.IntN(60)) *
			sim.Second, Work: sim.Time(1+r.IntN(90)) * sim.Second}
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestIndexedContestEqualsScan(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		top := hand.Topology(t, 2, 2, 4, 1+r.IntN(2))
		c := dally.Default()
		c.LeaseS = float64(2 + r.IntN(6))
		c.Return = true
		c.Order = dally.Orders()[r.IntN(5)]
		c.Auto = r.IntN(2) == 0
		c.History, c.MinRack, c.MinNet = float64(2+r.IntN(8)), float64(r.IntN(3)), float64(r.IntN(5))
		c.RackLeases, c.NetLeases = float64(r.IntN(4)), float64(r.IntN(7))
		if r.IntN(8) == 0 {
			c.NetLeases = math.Inf(1)
		}
		p := dally.NewPolicy(c, nil)
		cfg := sim.Config{Workload: drawn(t, r, 14, 10), Topology: top, Speed: hand.ByLevel{Top: top}, Check: true}
		want := hand.Records(t, cfg, &scan{cfg: c, timers: c.Timers(), since: map[sim.JobID]sim.Time{}})
		if got := hand.Records(t, cfg, p); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %+v:\nindexed %+v\nscan    %+v", seed, c, got, want)
		}
	}
}

// The named variants are settings of one algorithm.
func TestVariants(t *testing.T) {
	top := hand.Topology(t, 2, 2, 4, 2)
	for seed := range uint64(40) {
		w := drawn(t, rand.New(rand.NewPCG(seed, 3)), 20, 10)
		run := func(make maker, text string) []sim.Record {
			p, err := make(param.Parse("policy dally", text), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			return hand.Records(t, sim.Config{Workload: w, Topology: top, Speed: hand.ByLevel{Top: top}}, p)
		}
		noWait, never := run(makeNoWait, "lease=5"), run(makeConsolidated, "lease=5")
		for _, same := range []struct {
			name      string
			got, want []sim.Record
		}{
			{"no wait = zero timers", run(makeAuto, "lease=5,t_rack=0,t_net=0"), noWait},
			{"no wait = timers switched off", run(makeAuto, "lease=5,delay=false"), noWait},
			{"consolidated = infinite timers", run(makeAuto, "lease=5,t_rack=inf,t_net=inf"), never},
			{"manual = its defaults", run(makeManual, "lease=5"), run(makeAuto, "lease=5,t_rack=6,t_net=12")},
			{"timers longer than the run = infinite ones", run(makeAuto, "lease=5,t_rack=1e6,t_net=1e6,preempt=false"),
				run(makeConsolidated, "lease=5,preempt=false")},
		} {
			if !reflect.DeepEqual(same.got, same.want) {
				t.Fatalf("seed %d: %s does not hold", seed, same.name)
			}
		}
	}
}
