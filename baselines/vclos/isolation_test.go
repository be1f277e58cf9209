package vclos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

// watched is a policy before whose decisions the view is read.
type watched struct {
	sim.Policy
	look func(v *sim.View)
}

func (w watched) Knows() know.Set { return w.Policy.Knows() | know.Speed }

func (w watched) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	w.look(v)
	return w.Policy.Decide(v, out)
}

// drawn gives jobs of sizes 1 to most, powers of two or any.
func drawn(seed uint64, n, most int, any bool) []sim.Job {
	r := rand.New(rand.NewPCG(seed, 11))
	jobs := make([]sim.Job, n)
	for i := range jobs {
		size := 1 + r.IntN(most)
		for !any && size&(size-1) != 0 {
			size &= size - 1
		}
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i) * 2 * sim.Second, GPUs: int32(size), Work: sim.Time(size) *
			sim.Seconds(1+60*r.Float64()), Model: []string{"vgg16", "bert-large", "resnet50"}[r.IntN(3)]}
	}
	return jobs
}

// run plays jobs on racks x machines of one GPU each, so that no machine's uplink is shared, with
// links that jobs share.
func run(t *testing.T, spines network.Spines, shape [2]int, jobs []sim.Job, p sim.Policy,
	look func(v *sim.View)) error {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(shape[0], shape[1], 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	f := preset.NVLinkFabric()
	f.Spines = spines
	m, err := speed.NewContended(top, f, models.NewSet(models.Catalogue()...), "", speed.Contention{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := simtest.NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true},
		watched{p, look}, a)
	if err == nil {
		err = a.Close(e)
	}
	return err
}

// TestIsolation: no link between racks carries two jobs, and each job has the speed that it has
// alone, on leaf-spines with as many spines as GPUs of a leaf, fewer and more, and on a tree. In
// order of arrival on any GPUs jobs do share links.
func TestIsolation(t *testing.T) {
	for _, c := range []struct {
		spines network.Spines
		any    bool
	}{{network.Spines{Count: 4}, false}, {network.Spines{Count: 4}, true}, {network.Spines{Count: 2}, true},
		{network.Spines{Count: 7}, true}, {network.Spines{}, true}} {
		across, shared, isolated := 0, 0, true
		look := func(v *sim.View) {
			links := v.Links()
			for l := v.Topology().Machines(); l < links.Count(); l++ {
				jobs := links.Jobs(int32(l))
				across += len(jobs)
				if len(jobs) > 1 {
					shared++
				}
			}
			for _, j := range v.Running() {
				r := v.Run(j)
				k := sim.Knobs{Path: r.Knobs().Path}
				alone := v.Predict(j, sim.Placement{GPUs: r.Held(), Knobs: k, Idle: true})
				if isolated && r.Speed() != alone {
					t.Errorf("%+v: job %d runs at %v, alone at %v", c, j, r.Speed(), alone)
				}
			}
		}
		for seed := range uint64(8) {
			if err := run(t, c.spines, [2]int{4, 4}, drawn(seed, 50, 16, c.any), policy(t), look); err != nil {
				t.Fatal(err)
			}
		}
		if across == 0 || shared > 0 {
			t.Errorf("%+v: %d jobs on links between racks, %d links with two", c, across, shared)
		}
		isolated = false
		for seed := range uint64(8) {
			fifo := simtest.Build(t, "fifo", queueing.NewFitFirst, "")()
			if err := run(t, c.spines, [2]int{4, 4}, drawn(seed, 50, 16, c.any), fifo, look); err != nil {
				t.Fatal(err)
			}
		}
		if c.any && shared == 0 {
			t.Errorf("%+v: jobs share no links in order of arrival either", c)
		}
	}
}

func policy(t *testing.T) sim.Policy { return simtest.Build(t, "vclos", New, "")() }

// TestFatTreeIsRefused: paths of a fat tree share links, which the booking does not follow.
func TestFatTreeIsRefused(t *testing.T) {
	err := run(t, network.Spines{Count: 2, PodRacks: 2, Cores: 2}, [2]int{4, 4}, drawn(1, 5, 8, false), policy(t),
		func(*sim.View) {})
	if err == nil || !strings.Contains(err.Error(), errNoLeafSpine.Error()) {
		t.Errorf("error %v, expected %v", err, errNoLeafSpine)
	}
}
