package speed

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/network/phased"
	"tarry/sim/stack"
)

// slowLinks leaves links on which transfers take about as long as computing.
func slowLinks(share Share) Contention { return Contention{Share: share, Phase: true, Rack: 0.9} }

// exposed is contended where transfers come after the compute and take a third of its time.
func exposed(t *testing.T, share Share) *Contended {
	t.Helper()
	m := contended(t, Contention{Share: share, Phase: true, Rack: 0.8})
	m.c.fabric.Schedule.Exposed = 1
	p, err := m.Period(job(0, 0, 4))
	if err != nil || math.Abs(p.ReleaseFrac-1) > 1e-9 || p.TransferS > p.ComputeS*.6 || p.TransferS < p.ComputeS*.2 {
		t.Fatalf("%+v, expected a transfer after the compute and shorter than that; %v", p, err)
	}
	return m
}

// beginning is a job that works from a time on.
func beginning(q *sim.Query, at sim.Time) *sim.Query {
	q.Now = at
	return q
}

// lasts is the length of an iteration of a placed job.
func lasts(t testing.TB, m *Contended, q *sim.Query) float64 {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return m.jobs[q.ID].fastS * alone(t, m, q).Rate / s.Rate
}

// alone is a job's speed where it has its links to itself.
func alone(t testing.TB, m *Contended, q *sim.Query) sim.Speed {
	t.Helper()
	only := *q
	only.ID = sim.NoJob
	s, err := m.Speed(&only)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Two equal jobs on the same links: c + 2v - min(offset, c, v); with weights or levels they drift
// apart; and one of them alone again is as before.
func TestTwoEqualJobsInPhase(t *testing.T) {
	for _, part := range []float64{0, 0.1, 0.3, 0.5, 0.9} {
		m := exposed(t, ShareFair)
		a, b := job(0, 0, 4), job(1, 1, 5)
		p, err := m.Period(a)
		if err != nil {
			t.Fatal(err)
		}
		c, v := p.ComputeS, p.TransferS
		d := part * (c + v)
		place(t, m, beginning(a, 10*sim.Second), beginning(b, 10*sim.Second+sim.Seconds(d)))
		want := c + 2*v - min(d, c+v-d, v)
		// The offset is rounded to a sixty-fourth of c + v, and half of that is the most it moves.
		for _, q := range []*sim.Query{a, b} {
			if got := lasts(t, m, q); math.Abs(got-want) > (c+v)/128+1e-6 {
				t.Errorf("%v apart: %v, want %v", part, got, want)
			}
		}
		m.Remove(1)
		if got := lasts(t, m, a); math.Abs(got-c-v) > 1e-9 || m.jobs[0].turn != 1 {
			t.Errorf("alone again %v, want %v", got, c+v)
		}
	}
	for _, share := range []Share{ShareWeight, ShareLevel} {
		m := exposed(t, share)
		place(t, m, with(job(0, 0, 4), 3, 0, 0), with(job(1, 1, 5), 1, -1, 0))
		m.settle()
		if a, b := m.jobs[0].turn, m.jobs[1].turn; a < .999 || b < .999 {
			t.Errorf("share %d: %v and %v of the speed alone, expected all", share, a, b)
		}
	}
}

// A job that shares no link, and one that is not placed, have what collective gives, to the bit; so
// have jobs on one machine.
func TestAloneInPhaseIsCollective(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	m := contended(t, Contention{Phase: true})
	c, err := NewCollective(m.c.topo, m.c.fabric, catalogue(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		m.Reset()
		q := query([]string{"resnet50", "bert-large", "vgg16"}[r.IntN(3)], some(r, 1+r.IntN(6))...)
		want, err := c.Speed(q)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := m.Speed(q)
		place(t, m, q)
		if after, _ := m.Speed(q); before != want || after != want {
			t.Fatalf("%v: %+v placed, %+v before, collective %+v", q.GPUs, after, before, want)
		}
	}
}

// some draws GPUs of the 24 of contended, ascending.
func some(r *rand.Rand, n int) []cluster.GPU {
	var gpus []cluster.GPU
	for _, g := range r.Perm(24)[:n] {
		gpus = append(gpus, cluster.GPU(g))
	}
	slices.Sort(gpus)
	return gpus
}

// history places and removes jobs at random, and gives the speeds of those placed after each change.
func history(t *testing.T, m *Contended, seed uint64, shift sim.Time) (all []sim.Speed) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	running := map[sim.JobID]*sim.Query{}
	now := shift
	for step := range 600 {
		now += sim.Time(r.IntN(1e8))
		id, models := sim.JobID(r.IntN(10)), 3
		if step == 200 {
			for id := range running {
				m.Remove(id)
			}
			clear(running)
		}
		if step >= 200 { // few jobs, that meet as before
			id, models = id%2, 1
		}
		if _, ok := running[id]; ok {
			m.Remove(id)
			delete(running, id)
		} else {
			q := query([]string{"bert-large", "resnet50", "vgg16"}[r.IntN(models)], some(r, 2+r.IntN(3))...)
			q.ID, q.LinkWeight, q.LinkLevel = id, float64(1+r.IntN(2)), int8(r.IntN(2))
			if models == 1 {
				q.GPUs = []cluster.GPU{cluster.GPU(id), 4 + cluster.GPU(id)}
			}
			running[id] = beginning(q, now+sim.Time(r.IntN(1e6)))
			place(t, m, running[id])
		}
		m.Touched(nil)
		for id := range sim.JobID(10) {
			if q := running[id]; q != nil {
				s, err := m.Speed(q)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// The cache changes no speed, to the bit; nor does a common shift of all times.
func TestHistoriesInPhase(t *testing.T) {
	for _, share := range []Share{ShareFair, ShareWeight, ShareLevel} {
		m, plain := contended(t, slowLinks(share)), contended(t, slowLinks(share))
		plain.phases.cache.Off = true
		want := history(t, m, uint64(share), 0)
		if got := history(t, plain, uint64(share), 0); !slices.Equal(got, want) {
			t.Errorf("share %d: speeds differ without the cache", share)
		}
		if m.phases.cache.Hits < 10 || m.phases.groups < 100 {
			t.Errorf("share %d: %d hits in %d groups", share, m.phases.cache.Hits, m.phases.groups)
		}
		m.Reset()
		if got := history(t, m, uint64(share), 1000*sim.Second); !slices.Equal(got, want) {
			t.Errorf("share %d: speeds differ with a shift", share)
		}
	}
}

// The settled group has the mean iterations of package phased for its periods, each link is busy for
// no more time than there is, and a job is at most as fast as alone.
func TestGroupsInPhase(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	tried := 0
	for range 150 {
		m := contended(t, slowLinks(ShareFair))
		var running []*sim.Query
		for id := range sim.JobID(2 + r.IntN(4)) {
			q := query([]string{"resnet50", "bert-large", "vgg16"}[r.IntN(3)], some(r, 2+r.IntN(3))...)
			q.ID = id
			running = append(running, beginning(q, sim.Time(r.IntN(2e6))))
			place(t, m, q)
			m.Touched(nil)
		}
		for l, used := range carried(t, m, running) {
			if used > 1+1e-3 {
				t.Fatalf("link %d carries %v of its time", l, used)
			}
		}
		for _, q := range running {
			f := &m.jobs[q.ID]
			crowd := 1
			for _, l := range f.links {
				crowd = max(crowd, len(m.onLink[l]))
			}
			got := lasts(t, m, q)
			if most := f.ComputeS + f.TransferS*float64(crowd); got < f.SoloS()*(1-1e-6) || got > most*(1+1e-3) {
				t.Fatalf("job %d lasts %v, expected %v to %v", q.ID, got, f.SoloS(), most)
			}
			if got > f.SoloS()*1.01 {
				tried++
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d jobs were slowed: the law was hardly tried", tried)
	}
}

// More jobs on a link than are played take turns, and are counted.
func TestManyInTurns(t *testing.T) {
	m, turns := contended(t, slowLinks(ShareFair)), contended(t, Contention{Share: ShareTurns, Rack: 0.9})
	for id := range sim.JobID(phased.MaxJobs + 1) {
		q := with(job(id, 0, 4), 1, 0, 0)
		place(t, m, q)
		place(t, turns, q)
	}
	a, err := m.Speed(job(3, 0, 4))
	b, err2 := turns.Speed(job(3, 0, 4))
	got := map[string]float64{}
	m.Measures(func(name, _, _ string, value float64) { got[name] = value })
	if err != nil || err2 != nil || a != b || got["link_groups_in_turns"] != 1 || got["link_groups"] != 1 {
		t.Errorf("%+v with phases, %+v with turns; %v", a, b, got)
	}
	m.Remove(5)
	if c, _ := m.Speed(job(3, 0, 4)); c == a || m.phases.inTurns != 1 {
		t.Errorf("%+v with one job less, as before", c)
	}
}

// Slots of equal length that do not meet leave both jobs their speed, where free jobs that begin
// together keep in each other's way; slots that meet cost a slot.
func TestPaceInPhase(t *testing.T) {
	m := exposed(t, ShareFair)
	p, err := m.Period(job(0, 0, 4))
	if err != nil {
		t.Fatal(err)
	}
	slot := sim.Seconds(p.SoloS()) + 1
	for shift, want := range map[sim.Time]float64{sim.Seconds(p.TransferS) + 1: 1, 0: 0.5} {
		m.Reset()
		for id := range sim.JobID(2) {
			q := beginning(job(id, cluster.GPU(id), cluster.GPU(4+id)), 5*slot+sim.Time(id)*shift)
			q.Pace = slot
			place(t, m, q)
		}
		m.settle()
		for id := range 2 {
			if got := m.jobs[id].turn; math.Abs(got-want) > 1e-4 {
				t.Errorf("shift %v: job %d has %v of its speed, want %v", shift, id, got, want)
			}
		}
	}
}

func TestPhasesNeedARuleOfTheMoment(t *testing.T) {
	for _, share := range []Share{ShareCount, ShareTurns} {
		if cfg := (Contention{Share: share, Phase: true}); cfg.validate() == nil {
			t.Errorf("share %s with phases is taken", Shares()[share])
		}
	}
}

// tuner starts jobs at once and tunes one of them at a time.
type tuner struct {
	script
	at  map[sim.Time][]sim.Decision
	see func(*sim.View)
}

func (p *tuner) Knows() know.Set { return know.Nothing }

func (p *tuner) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = p.script.Decide(v, out)
	if v.Now() == 0 {
		for key, at := range []sim.Time{10 * sim.Second, 20 * sim.Second, 30 * sim.Second} {
			out = append(out, sim.Decision{Kind: sim.WakeAt, Key: int32(key), At: at})
		}
	}
	if p.see != nil {
		p.see(v)
	}
	return append(out, p.at[v.Now()]...)
}

// A delay moves a job's phase against the others for good, where another knob leaves it; and a run
// that is restored in the middle ends as the run itself.
func TestDelaysAndSnapshotsInPhase(t *testing.T) {
	for name, over := range map[string][]stack.Layer{"bare": nil, "under a layer": {plain{}}} {
		t.Run(name, func(t *testing.T) { delaysAndSnapshots(t, over) })
	}
}

// plain is a layer that changes nothing.
type plain struct{}

func (plain) Answer(*sim.Query, *sim.Speed) float64 { return 1 }

func delaysAndSnapshots(t *testing.T, over []stack.Layer) {
	m := exposed(t, ShareFair)
	p, err := m.Period(job(0, 0, 4))
	if err != nil {
		t.Fatal(err)
	}
	works := make([]sim.Job, 3)
	for i := range works {
		works[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 2, Work: sim.Time(100+i) * sim.Second, Model: "bert-large"}
	}
	w, err := sim.NewWorkload("three", works)
	if err != nil {
		t.Fatal(err)
	}
	pol := &tuner{script: script{0: {0, 4}, 1: {1, 5}, 2: {8, 12}}, at: map[sim.Time][]sim.Decision{
		10 * sim.Second: {{Kind: sim.Tune, Job: 1, Knobs: sim.Knobs{LinkWeight: 2}}},
		20 * sim.Second: {{Kind: sim.Tune, Job: 1, Knobs: sim.Knobs{Delay: sim.Seconds(p.TransferS)}}}}}
	turns := map[sim.Time]float64{}
	pol.see = func(v *sim.View) {
		if v.Now() > 0 {
			turns[v.Now()] = m.jobs[1].turn
		}
	}
	cfg := sim.Config{Workload: w, Topology: m.c.topo, Speed: stack.New(m, over...), Check: true}
	e, err := sim.New(cfg)
	var shots []*sim.Snapshot
	for err == nil {
		var v *sim.View
		var ok bool
		if v, ok, err = e.Next(); !ok || err != nil {
			break
		}
		err = e.Apply(pol.Decide(v, nil))
		shots = append(shots, e.Snapshot())
	}
	if err != nil {
		t.Fatal(err)
	}
	want := ends(e)
	together := p.SoloS() / (p.SoloS() + p.TransferS)
	if a, b, c := turns[10*sim.Second], turns[20*sim.Second], turns[30*sim.Second]; math.Abs(a-b) > 1e-9 ||
		math.Abs(a-together) > .01 || c < .99 {
		t.Errorf("parts of the speed %v, with a weight %v, with a shift %v; expected %v twice, then 1", a, b, c,
			together)
	}
	pol.see = nil
	if got := groups(cfg.Speed); got != float64(m.phases.groups) {
		t.Errorf("%v groups are measured, expected %d", got, m.phases.groups)
	}
	for i, s := range shots {
		other := exposed(t, ShareFair)
		cfg.Speed = stack.New(other, over...)
		again, err := sim.New(cfg)
		if err == nil {
			err = again.Restore(s)
		}
		if err == nil {
			err = again.Drive(context.Background(), pol, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := ends(again); !slices.Equal(got, want) || other.phases.groups != m.phases.groups {
			t.Errorf("restored after instant %d: ends %v, groups %d; expected %v, %d", i, got, other.phases.groups, want,
				m.phases.groups)
		}
	}
}

// ends are the ends of the three jobs of a run.
func ends(e *sim.Engine) (at []sim.Time) {
	for i := range sim.JobID(3) {
		at = append(at, e.Record(i).End)
	}
	return at
}

// groups is the measure link_groups of a model.
func groups(m sim.SpeedModel) (n float64) {
	m.(interface {
		Measures(yield func(name, of, unit string, value float64))
	}).Measures(func(name, _, _ string, value float64) {
		if name == "link_groups" {
			n = value
		}
	})
	return n
}

// Iterations are counted from the first: by the pace, from the last slot without it, and by the
// length that they have beside others. A Place that does not keep the phase begins anew.
func TestBegan(t *testing.T) {
	m := contended(t, Contention{Phase: true})
	at := func(now sim.Time, pace sim.Time) *sim.Query {
		q := job(0, 0, 8)
		q.Now, q.Pace = now, pace
		return q
	}
	solo, err := m.Period(at(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	every := sim.Seconds(solo.SoloS())
	expect := func(now, want sim.Time) {
		t.Helper()
		if got := m.Began(0, now); got < want-2 || got > want+2 {
			t.Errorf("at %v an iteration began at %v, expected %v", now, got, want)
		}
	}
	place(t, m, at(1000, 0))
	expect(0, 1000)
	expect(1000+2*every+every/2, 1000+2*every)
	m.Keep(0)
	m.Remove(0)
	pace := every + every/10
	place(t, m, at(5*every, pace))
	expect(1000+3*pace+7, 1000+3*pace)
	m.Keep(0)
	m.Remove(0)
	place(t, m, at(1000+4*pace+9, sim.Microsecond)) // ends the pace
	expect(1000+4*pace+every+5, 1000+4*pace+every)
	m.Remove(0)
	place(t, m, at(9*pace, 0))
	expect(9*pace, 9*pace)
}
