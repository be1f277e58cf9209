package speed

import (
	"context"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/network"
)

// forecast starts job 0 on a; 100 s later it asks about job 1 on b, starts it there, and asks again
// at once.
type forecast struct {
	a, b     []cluster.GPU
	ask, now func(v *sim.View)
}

func (*forecast) Knows() know.Set { return know.Speed }

func (f *forecast) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Run(0).State() == sim.Waiting {
		return append(out, sim.Decision{Kind: sim.Start, GPUs: f.a})
	}
	switch v.Run(1).State() {
	case sim.Waiting:
		f.ask(v)
		return append(out, sim.Decision{Kind: sim.Start, Job: 1, GPUs: f.b}, sim.Decision{Kind: sim.WakeAt, At: v.Now() + 1})
	case sim.Running:
		if v.Run(0).State() == sim.Running {
			f.now(v)
		}
	}
	return out
}

// run plays two jobs of two GPUs.
func (f *forecast) run(t *testing.T, m *Contended) {
	t.Helper()
	w, err := sim.NewWorkload("two", []sim.Job{
		{ID: "0", GPUs: 2, Work: 1000 * sim.Second, Model: "bert-large"},
		{ID: "1", Submit: 100 * sim.Second, GPUs: 2, Work: 1000 * sim.Second, Model: "bert-large"},
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: m.c.topo, Speed: m, Check: true}
	if _, err := sim.Run(context.Background(), cfg, f); err != nil {
		t.Fatal(err)
	}
}

// Two jobs over two machines meet on the uplinks of racks 0 and 1 alone. What a view predicts of
// the waiting job is its speed with the links to itself, however the placement is asked about;
// started it has half of them at once, which is what it would have alone where other traffic takes
// the other half. While both run, all but Idle have the share of now.
func TestPredictionsBeforeAndAfterAStart(t *testing.T) {
	a, b := []cluster.GPU{0, 8}, []cluster.GPU{4, 12} // machines 0 and 2, 1 and 3: two for each rack
	speed := func(congestion float64) sim.Speed {
		s, err := contended(t, Contention{Network: congestion}).Speed(job(1, b...))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	alone, half, rounds := speed(0), speed(0.5), 0
	if !(half.Rate < alone.Rate) {
		t.Fatalf("rate %v on half of the links, %v on all", half.Rate, alone.Rate)
	}
	expect := func(v *sim.View, when string, j sim.JobID, p sim.Placement, want sim.Speed) {
		t.Helper()
		if got := v.Predict(j, p); got != want {
			t.Errorf("%s: job %d on %+v: %+v, expected %+v", when, j, p, got, want)
		}
	}
	f := &forecast{a: a, b: b, ask: func(v *sim.View) {
		for _, p := range []sim.Placement{{GPUs: b}, {GPUs: b, Fresh: true}, {GPUs: b, Alone: true}, {GPUs: b, Idle: true}} {
			expect(v, "before the start", 1, p, alone)
		}
		expect(v, "before the start", 0, sim.Placement{GPUs: a}, alone)
	}}
	f.now = func(v *sim.View) {
		rounds++
		if got := v.Run(1).Speed(); got != half {
			t.Errorf("started: %+v, expected %+v", got, half)
		}
		for _, p := range []sim.Placement{{GPUs: b}, {GPUs: b, Fresh: true}, {GPUs: b, Alone: true}} {
			expect(v, "beside", 1, p, half)
		}
		expect(v, "beside", 1, sim.Placement{GPUs: b, Idle: true}, alone)
		expect(v, "beside, on links of racks 1 and 2", 0, sim.Placement{GPUs: []cluster.GPU{9, 16}}, half)
	}
	if f.run(t, contended(t, Contention{})); rounds == 0 {
		t.Error("nothing was asked while both ran")
	}
}

// In every way of sharing a job that waits is predicted as with Idle, and has less once it has
// started where links are what bounds it.
func TestPredictionsOfEveryShare(t *testing.T) {
	for name, cfg := range map[string]Contention{"fair": {}, "weight": {Share: ShareWeight},
		"count": {Share: ShareCount, Alpha: 0.5}, "turns": {Share: ShareTurns}, "level": {Share: ShareLevel},
		"phases": {Phase: true}} {
		cfg.Network = 0.9 // the links keep each job busy for more than half of the time
		var before, after sim.Speed
		f := &forecast{a: []cluster.GPU{0, 8}, b: []cluster.GPU{4, 12}}
		f.ask = func(v *sim.View) {
			before = v.Predict(1, sim.Placement{GPUs: f.b, Fresh: true})
			if idle := v.Predict(1, sim.Placement{GPUs: f.b, Idle: true}); before != idle {
				t.Errorf("%s: %+v, on idle links %+v", name, before, idle)
			}
		}
		f.now = func(v *sim.View) { after = v.Run(1).Speed() }
		if f.run(t, contended(t, cfg)); !(after.Rate > 0 && after.Rate < before.Rate) {
			t.Errorf("%s: rate %v once started, %v before", name, after.Rate, before.Rate)
		}
	}
}

// Idle asks as of no job, for which paths are drawn apart from the job's; a set of paths is the
// same.
func TestPathsOfNoJob(t *testing.T) {
	m := spined(t, network.Spines{Count: 2}, Contention{Network: 0.9})
	differ := 0
	for id := range sim.JobID(40) {
		for _, path := range []uint64{0, 1, 3} {
			own, idle := job(id, 0, 4, 8, 12), job(sim.NoJob, 0, 4, 8, 12)
			own.Path, idle.Path = path, path
			if a, b := speedOf(t, m, own), speedOf(t, m, idle); a != b && path != 0 {
				t.Errorf("job %d on paths %b: %v, of no job %v", id, path, a, b)
			} else if a != b {
				differ++
			}
		}
	}
	if differ == 0 || differ == 40 {
		t.Errorf("%d of 40 jobs draw other paths than no job", differ)
	}
}
