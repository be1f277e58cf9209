package gandivafair

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// byUser is a speed model: the speed-up of a user's jobs on each type of GPU; a gang runs at its
// slowest member.
type byUser struct {
	top   *cluster.Topology
	speed map[string]map[string]float64
}

func (s byUser) Speed(q *sim.Query) (sim.Speed, error) {
	least := 1e9
	for _, g := range q.GPUs {
		least = min(least, s.speed[q.Job.User][s.top.Type(s.top.Machine(g))])
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * least, ComputeFrac: 1}, nil
}

// byType adds up the GPU-time and the work of users by type.
type byType struct {
	w    *sim.Workload
	top  *cluster.Topology
	gpu  map[string]float64 // "user type": GPU-seconds
	work map[string]float64 // user: work done, s
}

func (b *byType) Interval(i *sim.Interval) {
	u := b.w.Jobs[i.Job].User
	b.gpu[u+" "+b.top.Type(b.top.Machine(i.GPUs[0]))] += float64(len(i.GPUs)) * (i.End - i.Start).Seconds()
	b.work[u] += i.Work / 1e6
}
func (b *byType) Job(*sim.Record)    {}
func (b *byType) Instant(*sim.Gauge) {}

// typedRun runs users with 12 jobs of one GPU each on 4 fast and 4 slow GPUs for 1000 quanta of 10
// s.
func typedRun(t *testing.T, ups []float64, settings string) *byType {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Type: "fast"},
		{Count: 2, GPUs: 2, Type: "slow"}}}})
	if err != nil {
		t.Fatal(err)
	}
	m := byUser{top, map[string]map[string]float64{}}
	var jobs []sim.Job
	for u, x := range ups {
		name := fmt.Sprintf("u%d", u)
		m.speed[name] = map[string]float64{"slow": 1, "fast": x}
		for range 12 {
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(len(jobs)), GPUs: 1, User: name, Work: 1e9 * sim.Second})
		}
	}
	w, err := sim.NewWorkload("typed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	b, a := &byType{w, top, map[string]float64{}, map[string]float64{}}, simtest.NewAudit(w, top)
	cfg := sim.Config{Workload: w, Topology: top, Speed: m, Until: 10000 * sim.Second, Check: true}
	e, err := sim.Run(context.Background(), cfg, policy(t, "quantum=10,balance=20"+settings)(), b, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	return b
}

// The trade of TestTradeByHand in a run: of 4 fast and 4 slow GPUs each user owns 2 and 2. The one
// with speed-up 5 buys 1.6 fast GPUs for its 2 slow ones from the one with 1.25. Without trade each
// has 2 and 2.
func TestTradeInARun(t *testing.T) {
	for settings, want := range map[string][4]float64{"": {0.4, 4, 3.6, 0}, ",trade=false": {2, 2, 2, 2}} {
		b := typedRun(t, []float64{1.25, 5}, settings)
		for i, key := range []string{"u0 fast", "u0 slow", "u1 fast", "u1 slow"} {
			if got := b.gpu[key] / 10000; got < want[i]-0.03 || got > want[i]+0.03 {
				t.Errorf("%q: %s has %.3f GPUs in the mean, want %v", settings, key, got, want[i])
			}
		}
	}
}

// In runs of random speed-ups no user does less work with trades than without, but for what changes
// at the start.
func TestTradesHurtNobodyInARun(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var ups []float64
		for range 2 + r.IntN(4) {
			ups = append(ups, 1+4*r.Float64())
		}
		with, without := typedRun(t, ups, ""), typedRun(t, ups, ",trade=false")
		sum, gain := 0.0, 0.0
		for u := range ups {
			name := fmt.Sprintf("u%d", u)
			sum += without.work[name] / ups[u]
			if gain += (with.work[name] - without.work[name]) / ups[u]; with.work[name] < without.work[name]*0.99 {
				t.Errorf("seed %d, speed-ups %v: user %d did %v with trades, %v without", seed, ups, u,
					with.work[name], without.work[name])
			}
		}
		if gain < 0 {
			t.Errorf("seed %d, speed-ups %v: %v less work in all", seed, ups, -gain)
		}
	}
}

// A job is not put on a type on which it gets nowhere, however idle, and the speed of a type is
// asked as if it were idle.
func TestTypesWithoutASpeedAreLeft(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1, Type: "slow"},
		{Count: 1, GPUs: 1, Type: "fast"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range 4 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 1, User: "u0", Work: 100 * sim.Second})
	}
	w, err := sim.NewWorkload("left", jobs)
	if err != nil {
		t.Fatal(err)
	}
	b := &byType{w, top, map[string]float64{}, map[string]float64{}}
	m := alone{byUser{top, map[string]map[string]float64{"u0": {"slow": 0, "fast": 1}}}}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
		policy(t, "quantum=10,balance=20")(), b); err != nil {
		t.Fatal(err)
	}
	if b.gpu["u0 slow"] != 0 || b.gpu["u0 fast"] != 400 {
		t.Errorf("GPU-seconds by type: %v, expected 400 on fast alone", b.gpu)
	}
}

// alone has an answer only for a job that has its GPUs to itself.
type alone struct{ byUser }

func (a alone) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.Peers) > 0 {
		return sim.Speed{}, fmt.Errorf("no answer for %d peers", len(q.Peers))
	}
	return a.byUser.Speed(q)
}

// Two jobs of 1 000 s have a GPU each, one four times as fast. The fast one ends at 250 s, and no
// job waits: at the next balancing the other takes its GPU, with 730 to 750 s of work left, and
// ends before 470 s, not at 1 000 s.
func TestAFasterTypeThatFallsIdleIsUsed(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1, Type: "fast"},
		{Count: 1, GPUs: 1, Type: "slow"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range 2 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: 1, User: "u", Work: 1000 * sim.Second})
	}
	w, err := sim.NewWorkload("idle", jobs)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: byUser{top,
		map[string]map[string]float64{"u": {"slow": 1, "fast": 4}}}, Check: true}
	e, err := sim.Run(context.Background(), cfg, policy(t, "quantum=10,balance=20")())
	if err != nil {
		t.Fatal(err)
	}
	a, b := e.Record(0).End, e.Record(1).End
	if first, last := min(a, b), max(a, b); first != 250*sim.Second || last <= first || last > 470*sim.Second {
		t.Errorf("the jobs end at %v and %v, want 250 s and before 470 s", first, last)
	}
}
