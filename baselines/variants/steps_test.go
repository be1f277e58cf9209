package variants

import (
	"slices"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// apart takes Dally's decisions apart and puts them together again.
type apart struct{ *contest.Policy }

func (a apart) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = a.Begin(v, out)
	for o, ok := a.Next(v); ok; o, ok = a.Next(v) {
		if o.Wait < 0 || o.Level > cluster.LevelCluster || o.Fits > cluster.LevelCluster {
			panic("a wrong offer")
		}
		a.Accept(v, o)
	}
	return a.Finish(v, out)
}

func (a apart) Clone() sim.Policy { return apart{a.Policy.Clone().(*contest.Policy)} }

// Taking every offer is Decide.
func TestStepsAreDecide(t *testing.T) {
	const n = 300
	minute := contest.Config{LeaseS: 60}
	for _, c := range []dally.Config{dally.Default(), {Config: minute, RackLeases: 1, NetLeases: 3},
		{Config: contest.Config{LeaseS: 60, NoLease: true}, RackLeases: 1, NetLeases: 3},
		{Config: contest.Config{LeaseS: 60, Return: true}}} {
		var seen [2][]sim.Record
		for i, p := range []sim.Policy{dally.NewPolicy(c, nil), apart{dally.NewPolicy(c, nil)}} {
			js := make([]sim.Job, n)
			for k := range js {
				g := int32(1 + k*7%13)
				js[k] = sim.Job{ID: string(rune('a'+k%26)) + string(rune('a'+k/26)), GPUs: g, Submit: sim.Time(k*3) *
					sim.Second, Work: sim.Time(g) * sim.Time(1+k*31%97) * sim.Second}
			}
			w, err := sim.NewWorkload("steps", js)
			if err != nil {
				t.Fatal(err)
			}
			top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
			if err != nil {
				t.Fatal(err)
			}
			e, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
				Check: true}, p)
			if err != nil {
				t.Fatal(err)
			}
			for j := range sim.JobID(n) {
				seen[i] = append(seen[i], e.Record(j))
			}
		}
		if !slices.Equal(seen[0], seen[1]) {
			t.Errorf("%+v: the records differ", c)
		}
	}
}

// evictor evicts the jobs that run when a job is blocked, with offers taken or, at times, declined.
type evictor struct{ *contest.Policy }

func (p evictor) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.Begin(v, out)
	for o, ok := p.Next(v); ok; o, ok = p.Next(v) {
		if o.Level == cluster.LevelCluster && o.Fits < cluster.LevelCluster && len(v.Running()) > 2 &&
			o.Wait < 20*sim.Second {
			p.Decline(o)
		} else {
			p.Accept(v, o)
		}
	}
	if b, ok := p.Blocked(); ok && v.Run(b).State() == sim.Waiting {
		for _, j := range v.Running() {
			if v.Now()-v.Run(j).Since() > 15*sim.Second && p.Evictable(v, j) {
				p.Evict(v, j)
				p.Contest(v)
				break
			}
		}
	}
	out = p.Finish(v, out)
	return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + 25*sim.Second, Key: 1})
}

func (p evictor) Clone() sim.Policy { return evictor{p.Policy.Clone().(*contest.Policy)} }

// Evicting and declining keep the kernel's rules, with and without leases, with and without costs.
func TestEvictionsConform(t *testing.T) {
	minute := contest.Config{LeaseS: 60}
	for _, c := range []dally.Config{{Config: contest.Config{LeaseS: 60, NoLease: true}}, {Config: minute},
		{Config: minute, Auto: true, History: 12, MinRack: 6, MinNet: 12},
		{Config: contest.Config{LeaseS: 60, Return: true}}} {
		simtest.Policy(t, func() sim.Policy { return evictor{dally.NewPolicy(c, nil)} },
			simtest.Options{Seeds: 60})
	}
}

// What waits is reported per demand.
func TestWaiting(t *testing.T) {
	job := func(id string, g int32, at sim.Time) sim.Job {
		return sim.Job{ID: id, GPUs: g, Submit: at * sim.Second, Work: 1000 * sim.Second}
	}
	w, err := sim.NewWorkload("w", []sim.Job{job("a", 8, 0), job("b", 2, 1), job("c", 4, 2), job("d", 2, 3),
		job("e", 6, 4)})
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
	if err != nil {
		t.Fatal(err)
	}
	p := dally.NewPolicy(dally.Default(), nil)
	e.Permit(p.Knows())
	for range 5 {
		v, _, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	got := p.Waiting(nil)
	want := []plan.Wanted{{GPUs: 8, Waiting: 0, Oldest: sim.Never, Fits: cluster.LevelRack},
		{GPUs: 2, Waiting: 2, Oldest: sim.Second, Fits: cluster.LevelSlot},
		{GPUs: 4, Waiting: 1, Oldest: 2 * sim.Second, Fits: cluster.LevelSlot},
		{GPUs: 6, Waiting: 1, Oldest: 4 * sim.Second, Fits: cluster.LevelRack}}
	if !slices.Equal(got, want) {
		t.Errorf("waiting %+v, expected %+v", got, want)
	}
	if j, ok := p.Blocked(); !ok || j != 1 {
		t.Errorf("the first that is blocked is job number %d, expected 1", j)
	}
}
