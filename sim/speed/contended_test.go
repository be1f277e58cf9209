package speed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/preset"
)

// contended is a 3-rack cluster of 2 machines x 4 GPUs.
func contended(t testing.TB, cfg Contention) *Contended {
	t.Helper()
	_, f := lab(t)
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

func job(id sim.JobID, gpus ...cluster.GPU) *sim.Query {
	q := query("bert-large", gpus...)
	q.ID = id
	return q
}

func speedOf(t testing.TB, m sim.SpeedModel, q *sim.Query) float64 {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s.ComputeFrac
}

func place(t testing.TB, m *Contended, qs ...*sim.Query) {
	t.Helper()
	for _, q := range qs {
		if err := m.Place(q); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAloneIsCollective(t *testing.T) {
	m := contended(t, Contention{})
	c, err := NewCollective(m.c.topo, m.c.fabric, catalogue(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []*sim.Query{job(0, 3), job(0, 0, 1), job(0, 0, 4), job(0, 0, 9), job(0, 0, 9, 17)} {
		before := speedOf(t, m, q)
		place(t, m, q)
		if a, b := speedOf(t, m, q), speedOf(t, c, q); a != b || before != b {
			t.Errorf("%v: %v placed, %v before, %v without contention", q.GPUs, a, before, b)
		}
	}
}

func TestNeighboursShareUplinks(t *testing.T) {
	m := contended(t, Contention{})
	a, b := job(0, 0, 4), job(1, 1, 5)         // both across machines 0 and 1
	inside, far := job(2, 2, 3), job(3, 8, 12) // inside machine 0; across machines 2 and 3
	place(t, m, a, inside, far)
	alone, calm := speedOf(t, m, a), speedOf(t, m, far)
	if got := m.Touched(nil); len(got) != 0 {
		t.Errorf("jobs that do not meet touch %v", got)
	}
	place(t, m, b)
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{0, 1}) {
		t.Errorf("touched %v, want 0 and 1", got)
	}
	if got := m.Touched(nil); len(got) != 0 {
		t.Errorf("told twice: %v", got)
	}
	if got := speedOf(t, m, a); got >= alone || got != speedOf(t, m, b) {
		t.Errorf("shared %v, alone %v, neighbour %v", got, alone, speedOf(t, m, b))
	}
	if got := m.jobs[0].share; got != whole/2 {
		t.Errorf("share %d/64, want half", got)
	}
	if got := speedOf(t, m, far); got != calm {
		t.Errorf("a stranger slows from %v to %v", calm, got)
	}
	m.Remove(1)
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{0}) {
		t.Errorf("touched %v, want 0", got)
	}
	if got := speedOf(t, m, a); got != alone {
		t.Errorf("after the neighbour left %v, before it came %v", got, alone)
	}
}

// Job 1 takes half of machine 1's uplink from job 0, but machine 2's uplink, which it
// shares with jobs 2 and 3, gives it a third; so job 0 gets two thirds.
func TestSharesAreMaxMin(t *testing.T) {
	m := contended(t, Contention{})
	place(t, m, job(0, 0, 4), job(1, 5, 8), job(2, 9, 12), job(3, 10, 13))
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{0, 1, 2, 3}) {
		t.Errorf("touched %v", got)
	}
	for id, want := range []int32{whole * 2 / 3, whole / 3, whole / 3, whole / 3} {
		if got := m.jobs[id].share; got != want {
			t.Errorf("job %d: share %d/64, want %d", id, got, want)
		}
	}
}

func TestBackgroundCongestion(t *testing.T) {
	calm, busy := contended(t, Contention{}), contended(t, Contention{Network: 0.5})
	inRack, across := job(0, 0, 4), job(0, 0, 8)
	if a, b := speedOf(t, calm, inRack), speedOf(t, busy, inRack); a != b {
		t.Errorf("traffic between racks slows a job in one: %v and %v", a, b)
	}
	if a, b := speedOf(t, calm, across), speedOf(t, busy, across); b >= a {
		t.Errorf("traffic between racks does not slow a job across them: %v and %v", a, b)
	}
}

// Jobs that communicate little fit on one link when they ask only for what they use.
func TestDutyAsksForLess(t *testing.T) {
	m := contended(t, Contention{Share: ShareTurns})
	a, b := query("resnet18", 0, 4), query("resnet18", 1, 5)
	b.ID = 1
	place(t, m, a)
	alone := speedOf(t, m, a)
	place(t, m, b)
	if d := m.jobs[0].demand; d <= 0 || d >= 0.5 {
		t.Fatalf("demand %v, expected below a half for this test", d)
	}
	if got := speedOf(t, m, a); got != alone || len(m.Touched(nil)) != 0 {
		t.Errorf("%v beside a modest neighbour, %v alone", got, alone)
	}
}

// Whatever the order of starts and stops, the shares depend on who runs where; and whose share
// did not move is not reported.
func TestSharesDoNotDependOnHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := contended(t, Contention{})
	running := map[sim.JobID]*sim.Query{}
	for range 300 {
		id := sim.JobID(r.IntN(12))
		before := make([]int32, 12)
		for j := range running {
			before[j] = m.jobs[j].share
		}
		if _, ok := running[id]; ok {
			m.Remove(id)
			delete(running, id)
		} else {
			var g []cluster.GPU
			for i := range 24 {
				if r.IntN(8) == 0 {
					g = append(g, cluster.GPU(i))
				}
			}
			if len(g) == 0 {
				continue
			}
			running[id] = job(id, g...)
			place(t, m, running[id])
			before[id] = whole
		}
		touched := m.Touched(nil)
		if !slices.IsSorted(touched) {
			t.Fatalf("touched %v is not ascending", touched)
		}
		fresh := contended(t, Contention{})
		for j := sim.JobID(11); j >= 0; j-- {
			if q, ok := running[j]; ok {
				place(t, fresh, q)
			}
		}
		fresh.Touched(nil)
		for j := range running {
			if m.jobs[j].share != fresh.jobs[j].share {
				t.Fatalf("job %d has share %d, built anew %d", j, m.jobs[j].share, fresh.jobs[j].share)
			}
			if moved := m.jobs[j].share != before[j]; moved != slices.Contains(touched, j) {
				t.Fatalf("job %d: moved %v, told %v", j, moved, touched)
			}
		}
	}
	m.Reset()
	if got := m.Touched(nil); len(got) != 0 {
		t.Errorf("after Reset %v are reported", got)
	}
	for l, ids := range m.onLink {
		if len(ids) != 0 {
			t.Errorf("after Reset link %d carries %v", l, ids)
		}
	}
}

func TestPlaceErrors(t *testing.T) {
	m := contended(t, Contention{})
	q := query("nothing like it", 0, 4)
	if err := m.Place(q); err == nil {
		t.Error("an unknown model is placed")
	}
	if err := m.Place(job(-1, 0)); err == nil {
		t.Error("a negative id is placed")
	}
	m.Remove(99) // not placed: ignored
}

// Two jobs over the same two machines of a rack share both uplinks: those are full, all others
// idle.
func TestLinkUtil(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewContended(top, preset.NVLinkFabric(), catalogue(), "", Contention{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	job := &sim.Job{ID: "j", Model: "vgg16"}
	for i, want := range []float64{2. / 6, 2. / 6, 1} {
		gpus := [][]cluster.GPU{{0, 4}, {1, 5}, {2, 3, 6, 8, 12}}[i]
		if err := m.Place(&sim.Query{Job: job, ID: sim.JobID(i), GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}); err != nil {
			t.Fatal(err)
		}
		m.Touched(nil)
		if got := m.LinkUtil(); i < 2 && math.Abs(got-want) > 1e-9 || i == 2 && (got <= 2./6 || got > 1) {
			t.Errorf("after job %d: links used %v, want %v", i, got, want)
		}
	}
	for i := range sim.JobID(3) {
		m.Remove(i)
	}
	m.Touched(nil)
	if got := m.LinkUtil(); got != 0 {
		t.Errorf("with nobody placed: %v", got)
	}
}
