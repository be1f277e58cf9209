package linked

import (
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/plan"
	"tarry/sim/preset"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

// cluster of two racks of two machines of four GPUs, and jobs that fill machines and spread.
func lab(t *testing.T) (*cluster.Topology, *sim.Workload) {
	t.Helper()
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i := range 40 {
		jobs = append(jobs, sim.Job{ID: string(rune('A' + i)), GPUs: 1 + int32(i*7%6),
			Submit: sim.Time(i*61%900) * sim.Second,
			Work:   sim.Time(200+i*131%4000) * sim.Second, Model: []string{"vgg16", "resnet50", "bert-large"}[i%3]})
	}
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return topo, w
}

func model(t *testing.T, topo *cluster.Topology, coupled bool) sim.SpeedModel {
	t.Helper()
	set, f := models.NewSet(models.Catalogue()...), preset.EthernetFabric()
	var m sim.SpeedModel
	var err error
	if m, err = speed.NewCollective(topo, f, set, "", nil); coupled {
		m, err = speed.NewContended(topo, f, set, "", speed.Contention{}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// under is Dally under rules, as package variants makes it.
func under(r Rules) *Policy {
	c := config()
	c.Order = r.Ordered(c.Order, dally.Resolution)
	return New(c.Timers(), r, func(t plan.TimerSource) *contest.Policy { return dally.NewPolicy(c, t) })
}

func config() dally.Config {
	c := dally.Default()
	c.LeaseS, c.MinRack, c.MinNet = 60, 2, 4
	return c
}

// With no rule, and on a speed model without links, it is Dally, decision for decision; with links
// the rules change what it decides.
func TestItIsDally(t *testing.T) {
	topo, w := lab(t)
	run := func(p sim.Policy, coupled bool) string {
		cfg := sim.Config{Workload: w, Topology: topo, Speed: model(t, topo, coupled), Check: true}
		text, err := simtest.Transcript(cfg, p)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, coupled := range []bool{false, true} {
		plain := run(dally.NewPolicy(config(), nil), coupled)
		for _, c := range []struct {
			r    Rules
			same bool
		}{{Rules{}, true}, {Rules{Timers: 1}, !coupled}, {Rules{Timers: -2}, !coupled}, {Rules{Order: 1}, !coupled}} {
			if got := run(under(c.r), coupled); (got == plain) != c.same {
				t.Errorf("coupled %v, %+v: as Dally %v, expected %v", coupled, c.r, got == plain, c.same)
			}
		}
	}
}

// Factors by hand: half of two machines' uplinks of four in use, and none between racks.
func TestTimersByHand(t *testing.T) {
	topo, w := lab(t)
	for _, c := range []struct{ gain, rack, net float64 }{
		{1, 2, 1}, {-1, .5, 1}, {0, 1, 1}, {2, 4, 1}} {
		p := under(Rules{Timers: c.gain})
		e, err := sim.New(sim.Config{Workload: w, Topology: topo, Speed: model(t, topo, true), Check: true})
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(p.Knows())
		v, _, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		j := v.Events()[0].Job
		gpus := []cluster.GPU{0, 4}[:min(2, v.Job(j).GPUs())]
		if v.Job(j).GPUs() == 1 { // job A: then the first of several GPUs
			for v.Job(j).GPUs() != 2 {
				if err := e.Apply(nil); err != nil {
					t.Fatal(err)
				}
				if v, _, err = e.Next(); err != nil {
					t.Fatal(err)
				}
				j = v.Events()[0].Job
			}
			gpus = []cluster.GPU{0, 4}
		}
		if err := e.Apply([]sim.Decision{{Kind: sim.Start, Job: j, GPUs: gpus}}); err != nil {
			t.Fatal(err)
		}
		if v, _, err = e.Next(); err != nil {
			t.Fatal(err)
		}
		p.timers.see(v)
		rack, net, _ := p.timers.Timers(4, v.Now())
		wantRack, wantNet, _ := config().Timers().Timers(4, v.Now())
		if p.timers.rack != c.rack || p.timers.net != c.net || rack != scaled(wantRack, c.rack) || net != wantNet {
			t.Errorf("gain %v: factors %v and %v, timers %v and %v, of %v and %v", c.gain, p.timers.rack, p.timers.net, rack,
				net, wantRack, wantNet)
		}
	}
	if got := scaled(sim.Never, 2); got != sim.Never {
		t.Errorf("a timer without end becomes %v", got)
	}
	f := &timers{below: contest.NewFixed(1, 2, 60), rack: 1, net: 1}
	if c := f.Copied(nil).(*timers); c == f || c.below != f.below {
		t.Errorf("a copy is %+v of %+v", c, f)
	}
}
