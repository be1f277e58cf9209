package interference

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/mig"
)

// Each law by hand, on one GPU with jobs of model "vgg16" and "bert".
func TestByHand(t *testing.T) {
	file := put(t, "pairs.csv", head+"VGG-16,BERT,0,0.9,0.6\nvgg-16,bert,2,0.7,0.5\nbert,bert,,0.55,0.55\n")
	v, b, other := job("vgg16"), job("bert"), job("gpt2")
	first := *v
	first.Priority = 3
	for _, c := range []struct {
		spec string
		q    *sim.Query
		want float64
	}{
		{"slices", beside(on(v, 500, 0), peer(b, 500, 0)), (1 - 0.1/60) / 2},
		{"slices:switch_s=0", beside(on(v, 100, 0), peer(b, 100, 0), peer(b, 100, 0)), 1. / 3},
		{"slices:by=ticket,switch_s=6", beside(on(v, 250, 0), peer(b, 700, 0), peer(b, 50, 0)), 0.9 / 4},
		{"mps:util=0.8,bandwidth=0", beside(on(v, 500, 0), peer(b, 500, 0)), 0.5 / 0.8},
		{"mps:util=0.4,bandwidth=0", beside(on(v, 500, 0), peer(b, 500, 0)), 1},
		{"mps:util=0.8,bandwidth=0.2", beside(on(v, 600, 0), peer(b, 400, 0)), 0.6 / 0.8 / (1 + 0.2*0.4)},
		{"mps:util=0.2,bandwidth=0.2", beside(on(v, 600, 0), peer(b, 300, 0), peer(b, 100, 0)), 1 /
			(1 + 0.2*(0.2+0.1))},
		{"mps:util=0.8,limit=always", on(v, 600, 0), 0.6 / 0.8},
		{"mps:util=0.8", on(v, 600, 0), 1},
		{"mig:util=0.9", within(on(v, 428, 0), 16), 3. / 7 / 0.9},
		{"mig:util=0.9", beside(within(on(v, 428, 0), 16), inside(peer(b, 571, 0), 17)), 3. / 7 / 0.9},
		{"mig:util=0.4", beside(within(on(v, 428, 0), 16), inside(peer(b, 571, 0), 17)), 1},
		{"mig:util=0.4,bandwidth=0.2", beside(within(on(v, 200, 0), 16), inside(peer(b, 228, 0), 16),
			inside(peer(b, 571, 0), 17)), 0.2 / 0.4 / (1 + 0.2*0.228*7/3)},
		{"mig:util=0.1,bandwidth=0.2", beside(within(on(v, 200, 0), 16), inside(peer(b, 228, 0), 16)), 1 /
			(1 + 0.2*0.1*7/3)},
		{"mig:util=0.8", on(v, 600, 0), 1},
		{"mig:util=0.8,bandwidth=0.2", beside(on(v, 600, 0), peer(b, 400, 0)), 0.6 / 0.8 / (1 + 0.2*0.4)},
		{"nway:a=0.2,util=0.3", beside(on(v, 1, 0), peer(b, 1, 0), peer(b, 1, 0)), 1 / 1.4},
		{"nway:a=0.2,util=0.6", beside(on(v, 1, 0), peer(b, 1, 0)), 1 / 1.2 / 1.2},
		{"nway", beside(on(v, 1, 0), peer(b, 1, 0)), 1 / 1.1},
		{"horus", beside(on(v, 1, 0), peer(b, 1, 0), peer(b, 1, 0)), 1 / 1.2},
		{"horus:each=true,factor=0.5", beside(on(v, 1, 0), peer(b, 1, 0), peer(b, 1, 0)), 1. / 2},
		{"priority", beside(on(&first, 500, 0), peer(b, 500, 0)), 0.98},
		{"priority:util=0.6", beside(on(b, 500, 0), peer(&first, 500, 0)), 0.4 / 0.6},
		{"priority:util=0.6", beside(on(b, 500, 0), peer(&first, 300, 0), peer(v, 200, 0)), 0.4 / 1.2},
		{"priority:util=0.6", beside(on(b, 500, 0), peer(v, 200, 0)), 1 / 1.2},
		{"priority:util=0.6,eps=0.1", beside(on(&first, 500, 0), peer(&first, 500, 0)), 0.9 / 1.2},
		{"priority:util=1", beside(on(b, 500, 0), peer(&first, 500, 0)), 0.01},
		{"priority:util=0.6,class=ticket", beside(on(b, 501, 0), peer(&first, 499, 0)), 0.98},
		{"priority:util=0.6,class=ticket", beside(on(&first, 499, 0), peer(b, 501, 0)), 0.4 / 0.6},
		{"pairs:" + file, beside(on(v, 500, 0), peer(b, 500, 0)), 0.9},
		{"pairs:" + file, beside(on(b, 500, 0), peer(v, 500, 0)), 0.6},
		{"pairs:" + file, beside(on(b, 500, 0, 1), peer(v, 500, 0, 1)), 0.5},
		{"pairs:" + file, beside(on(b, 500, 0, 1), peer(b, 500, 0, 1)), 0.55},
		{"pairs:" + file, beside(on(b, 500, 0), peer(other, 500, 0)), 0.5},
		{"pairs:" + file + ",default=0.25", beside(on(v, 500, 0), peer(v, 500, 0)), 0.25},
		{"pairs:" + file, beside(on(b, 1, 0), peer(v, 1, 0), peer(b, 1, 0)), 0.6 * 0.55},
		{"pairs:" + file + ",beyond=least", beside(on(b, 1, 0), peer(v, 1, 0), peer(b, 1, 0)), 0.55},
	} {
		if got := keeps(t, over(common{}, rule(t, c.spec)), c.q); !near(got, c.want) {
			t.Errorf("%s, share %d beside %d: keeps %v, expected %v", c.spec, c.q.ShareMilli, len(c.q.Peers), got,
				c.want)
		}
	}
}

// within and inside put a job, or a peer, into an instance: 16 is 3g at 4:4, 17 is 4g.
func within(q *sim.Query, instance uint8) *sim.Query { q.Instance = instance; return q }
func inside(p sim.Peer, instance uint8) sim.Peer     { p.Instance = instance; return p }

// The devices of package mig number their placements alike, which the law mig relies on: a part is
// the same in all of them.
func TestInstancesAreNumberedAlike(t *testing.T) {
	for _, d := range mig.Devices() {
		got := parts()
		if len(got) != 1+len(d.Placements) {
			t.Fatalf("%s has %d placements, the law %d", d.Name, len(d.Placements), len(got)-1)
		}
		for p := range d.Placements {
			if want := float64(d.Of(p).Compute) / 7; got[p+1] != want {
				t.Errorf("%s: %s is %v of the GPU, expected %v", d.Name, d.String(p), got[p+1], want)
			}
		}
	}
}

// A job's own busy part goes before the option util, for itself and for those beside it.
func TestBusyParts(t *testing.T) {
	a, b := job("vgg16"), job("bert")
	a.GPUUtilFrac, b.GPUUtilFrac = 0.9, 0.3
	b.Priority = 1
	for spec, want := range map[string][2]float64{
		"nway:a=0,util=0.01":       {1 / 1.2, 1 / 1.2},
		"mps:bandwidth=0.5":        {0.5 / 0.9 / (1 + 0.5*0.3), 1 / (1 + 0.5*0.5)},
		"priority:eps=0,util=0.01": {0.7 / 0.9, 1},
	} {
		m := over(common{}, rule(t, spec))
		if got := keeps(t, m, beside(on(a, 500, 0), peer(b, 500, 0))); !near(got, want[0]) {
			t.Errorf("%s: keeps %v, expected %v", spec, got, want[0])
		}
		if got := keeps(t, m, beside(on(b, 500, 0), peer(a, 500, 0))); !near(got, want[1]) {
			t.Errorf("%s: the other keeps %v, expected %v", spec, got, want[1])
		}
	}
}

// Memory below the need is in host memory, alone and beside others, under every law; more than the
// need changes nothing.
func TestSpill(t *testing.T) {
	for _, c := range []struct {
		spec      string
		need, has int32
		want      float64
	}{{"nway:a=0.25", 1000, 500, 1 / 1.5}, {"nway:a=0.25", 1000, 2000, 1}, {"nway:a=0.25", 1000, 0, 1},
		{"nway:a=0.25", 0, 500, 1}, {"priority:spill=4", 1000, 750, 1. / 2}, {"slices:spill=0", 1000, 1, 1}} {
		m := over(common{}, rule(t, c.spec))
		j := job("bert")
		j.GPUMiB = c.need
		q := on(j, 500, 0)
		q.GPUMiB = c.has
		if got := keeps(t, m, q); !near(got, c.want) {
			t.Errorf("%+v: alone keeps %v", c, got)
		}
		before := *q
		before.GPUMiB = 0
		if got, all := keeps(t, m, beside(q, peer(j, 500, 0))),
			keeps(t, m, beside(&before, peer(j, 500, 0))); !near(got, all*c.want) {
			t.Errorf("%+v: beside another keeps %v of %v", c, got, all)
		}
	}
}

// Two jobs of crossover: one iteration of each in max(c1+c2, c1+m1, c2+m2), with the times of each
// alone.
func TestCrossover(t *testing.T) {
	m := over(common{}, rule(t, "crossover"))
	for _, c := range []struct {
		iterA, iterB float64
		gpus         int
	}{{1, 1, 4}, {1, 1.5, 4}, {1, 9, 2}, {2, 1, 1}, {0, 0, 4}, {1, 1, 8}, {1, 1, 16}} {
		a, b := job("vgg16"), job("bert")
		a.IterS, b.IterS = c.iterA, c.iterB
		q := on(a, 500)
		p := peer(b, 500)
		for g := range c.gpus {
			q.GPUs, p.GPUs = append(q.GPUs, cluster.GPU(g)), append(p.GPUs, cluster.GPU(g))
		}
		exposed := 0.1 * float64(c.gpus-1) // of communication for 1 of computing
		ca, cb := c.iterA/float64(c.gpus), c.iterB/float64(c.gpus)
		if c.iterA == 0 {
			ca, cb = 1, 1
		}
		ma, mb := ca*exposed, cb*exposed
		period := max(ca+cb, ca+ma, cb+mb)
		if got := keeps(t, m, beside(q, p)); !near(got, (ca+ma)/period) {
			t.Errorf("%+v: keeps %v, expected %v", c, got, (ca+ma)/period)
		}
	}
	// where both communicate as long as they compute, pairing is free
	a := job("vgg16")
	q, p := on(a, 500), peer(a, 500)
	for g := range 11 {
		q.GPUs, p.GPUs = append(q.GPUs, cluster.GPU(g)), append(p.GPUs, cluster.GPU(g))
	}
	if got := keeps(t, m, beside(q, p)); !near(got, 1) {
		t.Errorf("equal halves: keeps %v", got)
	}
}
