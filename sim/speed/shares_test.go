package speed

import (
	"math"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
)

// spined is the lab with spines between its racks.
func spined(t *testing.T, s network.Spines, cfg Contention) *Contended {
	t.Helper()
	_, f := lab(t)
	f.Spines = s
	topo, err := cluster.New(cluster.Uniform(3, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewContended(topo, f, catalogue(), "", cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// with is a job with a weight, a level and paths.
func with(q *sim.Query, weight float64, level int8, path uint64) *sim.Query {
	q.LinkWeight, q.LinkLevel, q.Path = weight, level, path
	return q
}

func TestSharesByHand(t *testing.T) {
	pair := func(w0, w1 float64, l0, l1 int8) []*sim.Query {
		return []*sim.Query{with(job(0, 0, 4), w0, l0, 0), with(job(1, 1, 5), w1, l1, 0)}
	}
	for _, c := range []struct {
		why  string
		cfg  Contention
		jobs []*sim.Query
		want []int32 // sixty-fourths
	}{
		{"fair reads no weight", Contention{}, pair(1, 3, 0, 1), []int32{32, 32}},
		{"by weight", Contention{Share: ShareWeight}, pair(1, 3, 0, 0), []int32{16, 48}},
		{"weight reads no level", Contention{Share: ShareWeight}, pair(1, 1, 0, 1), []int32{32, 32}},
		{"count: 1/(2 + .5)", Contention{Share: ShareCount, Alpha: 0.5}, pair(1, 1, 0, 0), []int32{25, 25}},
		{"count is of the busiest link", Contention{Share: ShareCount},
			[]*sim.Query{job(0, 0, 4), job(1, 5, 8), job(2, 9, 12), job(3, 10, 13)}, []int32{32, 21, 21, 21}},
	} {
		m := contended(t, c.cfg)
		place(t, m, c.jobs...)
		m.settle()
		for i, want := range c.want {
			if got := m.jobs[i].share; got != want {
				t.Errorf("%s: job %d has %d/64, expected %d", c.why, i, got, want)
			}
		}
	}
}

// A level sees what higher levels leave; the top one runs as if alone; equal levels divide by weight.
func TestLevels(t *testing.T) {
	turns := contended(t, Contention{Share: ShareTurns, Rack: 0.93})
	level := contended(t, Contention{Share: ShareLevel, Rack: 0.93})
	three := func(m *Contended, levels ...int8) (got []int32) {
		m.Reset()
		for i, l := range levels {
			place(t, m, with(job(sim.JobID(i), cluster.GPU(i), cluster.GPU(4+i)), 1, l, 0))
		}
		m.settle()
		for i := range levels {
			got = append(got, m.jobs[i].share)
		}
		return got
	}
	if a, b := three(turns, 0, 0, 0), three(level, 5, 5, 5); !slices.Equal(a, b) || a[0] == whole {
		t.Errorf("equal levels %v, turns %v", b, a)
	}
	got := three(level, 0, 2, 1)
	demand := level.jobs[1].demand
	left := 1 - demand
	if demand <= 0.5 || demand >= 1 || got[1] != whole || got[2] != part(left, demand) || got[0] != 0 {
		t.Errorf("shares %v at a demand of %v", got, demand)
	}
	s, err := level.Speed(job(0, 0, 4))
	if err != nil || s.Rate != 0 || !(s.ComputeFrac > 0) {
		t.Errorf("with nothing left %+v, %v", s, err)
	}
	top, err := level.Speed(job(1, 1, 5))
	alone, _ := contended(t, Contention{Rack: 0.93}).Speed(job(1, 1, 5))
	if err != nil || top != alone {
		t.Errorf("the top level has %+v, alone %+v", top, alone)
	}
}

// Jobs on different spines do not meet; on one spine they do; a narrow spine slows one alone, and
// the model states which links are used.
func TestSpines(t *testing.T) {
	m := spined(t, network.Spines{Count: 2}, Contention{})
	a, b := with(job(0, 0, 8), 1, 0, 1), with(job(1, 5, 13), 1, 0, 2) // racks 0 and 1, other machines
	place(t, m, a, b)
	m.settle()
	if m.jobs[0].share != whole || m.jobs[1].share != whole {
		t.Errorf("on two spines %d and %d", m.jobs[0].share, m.jobs[1].share)
	}
	links := m.Crosses(nil, 1, b.GPUs, 1)
	if want := []int32{1, 3, 6, 8}; !slices.Equal(links, want) || m.Links() != 6+6 || m.Paths() != 2 {
		t.Errorf("links %v of %d, %d paths, expected %v", links, m.Links(), m.Paths(), want)
	}
	place(t, m, with(b, 1, 0, 1))
	m.settle()
	if m.jobs[0].share != whole/2 || m.jobs[1].share != whole/2 {
		t.Errorf("on one spine %d and %d", m.jobs[0].share, m.jobs[1].share)
	}
	if got := m.LinkJobs(6); !slices.Equal(got, []sim.JobID{0, 1}) || m.LinkUse(6) != 1 || m.LinkUse(7) != 0 ||
		m.LinkUse(0) != .5 {
		t.Errorf("link 6 carries %v, %v; link 7 %v, 0 %v", got, m.LinkUse(6), m.LinkUse(7), m.LinkUse(0))
	}
	if got, want := m.LinkUtil(), (4*.5+2*1.)/12; math.Abs(got-want) > 1e-12 {
		t.Errorf("links are used %v, expected %v", got, want)
	}
	narrow := spined(t, network.Spines{Count: 2, GBps: m.c.fabric.Links[network.AcrossRack].GBps / 4}, Contention{})
	before := speedOf(t, narrow, a)
	place(t, narrow, a)
	narrow.settle()
	got, wide := speedOf(t, narrow, a), speedOf(t, m, job(9, 0, 8))
	if narrow.jobs[0].share != whole/4 || got != before || got >= wide {
		t.Errorf("a spine of a quarter: share %d, speed %v, before %v", narrow.jobs[0].share, got, before)
	}
}

// A job alone on a narrow path is as fast when jobs take turns as when they divide the bandwidth, and
// uses all of the path while it transfers; two take turns on it.
func TestTurnsOnNarrowPaths(t *testing.T) {
	_, f := lab(t)
	s := network.Spines{Count: 2, GBps: f.Links[network.AcrossRack].GBps / 4}
	fair, turns := spined(t, s, Contention{}), spined(t, s, Contention{Share: ShareTurns})
	a, b := with(job(0, 0, 8), 1, 0, 1), with(job(1, 5, 13), 1, 0, 1)
	place(t, fair, a)
	place(t, turns, a)
	if x, y := speedOf(t, fair, a), speedOf(t, turns, a); x != y {
		t.Errorf("alone %v, by turns %v", x, y)
	}
	id, err := turns.c.model(a.Job)
	if err != nil {
		t.Fatal(err)
	}
	_, busy, _ := turns.alone(a, id, whole/4)
	if got := turns.LinkUse(6); math.Abs(got-busy) > 1e-12 {
		t.Errorf("the link is used %v, the job transfers %v of the time", got, busy)
	}
	place(t, turns, b)
	turns.settle()
	if want := part(1, 2*busy); turns.jobs[0].share != want || turns.jobs[1].share != want {
		t.Errorf("two have %d and %d, expected %d", turns.jobs[0].share, turns.jobs[1].share, want)
	}
}

// The parts of an iteration make up its length, whatever the placement.
func TestPeriods(t *testing.T) {
	m := contended(t, Contention{})
	for _, gpus := range [][]cluster.GPU{{0}, {0, 1}, {0, 4}, {0, 8}, {0, 1, 4, 5, 8, 9}} {
		q := job(sim.NoJob, gpus...)
		s, err := m.Speed(q)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Period(q)
		if err != nil {
			t.Fatal(err)
		}
		solo := p.SoloS()
		id, _ := m.c.model(q.Job)
		compute := m.c.iteration(costKey{id, whole, layoutOf(m.c.topo, gpus)}).ComputeNS / 1e9
		if want := compute * float64(len(gpus)) / s.Rate; math.Abs(solo/want-1) > 1e-12 || p.ComputeS < compute-1e-12 ||
			(p.TransferS > 0) != (len(m.Crosses(nil, 0, gpus, 0)) > 0) {
			t.Errorf("%v: %+v lasts %v, expected %v", gpus, p, solo, want)
		}
	}
}
