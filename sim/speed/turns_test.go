package speed

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
)

// carried is the part of the time for which the jobs keep each link busy: machines' uplinks carry
// what a job sends between the machines of a rack, racks' uplinks what it sends between racks. With
// turns a transfer takes the whole link; without, its share of the link.
func carried(t *testing.T, m *Contended, running []*sim.Query) []float64 {
	t.Helper()
	used := make([]float64, len(m.onLink))
	for _, q := range running {
		s, err := m.Speed(q)
		if err != nil {
			t.Fatal(err)
		}
		id, err := m.c.model(q.Job)
		if err != nil {
			t.Fatal(err)
		}
		share, width := int32(whole), 1.0
		if !m.cfg.turns() {
			share = m.jobs[q.ID].share
			width = float64(share) / whole
		}
		it := m.c.iteration(costKey{id, share, layoutOf(m.c.topo, q.GPUs)})
		period := it.ComputeNS * q.Batch * float64(len(q.GPUs)) / s.Rate
		for _, l := range m.jobs[q.ID].links {
			level := network.InRack
			if int(l) >= m.c.topo.Machines() {
				level = network.AcrossRack
			}
			used[l] += width * it.BusyNS[level] / period
		}
	}
	return used
}

// On no link does the busy time of all jobs exceed the time that there is, with turns or without.
func TestNoLinkIsBusyForLongerThanThereIs(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	_, f := lab(t)
	names := []string{"resnet50", "bert-large", "vgg16", "resnet18"}
	full := 0
	for range 800 {
		spec := cluster.Uniform(1+r.IntN(3), 2+r.IntN(2), 4, 1+r.IntN(2))
		types := Types{}
		if r.IntN(2) == 0 {
			spec.Racks[0][0].Type = "other"
			types["other"] = []float64{0.5, 4}[r.IntN(2)]
		}
		topo, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Contention{Share: []Share{ShareFair, ShareWeight, ShareCount, ShareTurns, ShareTurns, ShareTurns,
			ShareLevel, ShareLevel}[r.IntN(8)], Alpha: r.Float64(), Rack: 0.5 * r.Float64() * float64(r.IntN(2))}
		m, err := NewContended(topo, f, catalogue(), "", cfg, types)
		if err != nil {
			t.Fatal(err)
		}
		var running []*sim.Query
		order := r.Perm(topo.GPUs())
		for id := range 1 + r.IntN(8) {
			n := min(len(order), 1+r.IntN(6))
			var gpus []cluster.GPU
			for g := range topo.GPUs() {
				for _, x := range order[:n] {
					if x == g {
						gpus = append(gpus, cluster.GPU(g))
					}
				}
			}
			if order = order[n:]; n == 0 {
				break
			}
			q := query(names[r.IntN(len(names))], gpus...)
			q.ID, q.Batch = sim.JobID(id), []float64{1, 1, 2}[r.IntN(3)]
			if r.IntN(4) == 0 {
				q.FreqFrac = 0.5 + r.Float64()
			}
			q.LinkWeight, q.LinkLevel = 0.5+r.Float64(), int8(r.IntN(3))
			running = append(running, q)
			place(t, m, q)
		}
		for l, used := range carried(t, m, running) {
			if used > 1+1e-9 {
				t.Fatalf("link %d of %d carries %v of its time (%+v, %d jobs)", l, len(m.onLink), used, cfg,
					len(running))
			}
			if used > 0.9 {
				full++
			}
		}
		if util := m.LinkUtil(); util > 1+1e-9 || math.IsNaN(util) {
			t.Fatalf("links are used %v", util)
		}
	}
	if full < 5 {
		t.Errorf("%d links were nearly full: the law was hardly tried", full)
	}
}
