package baselines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed"
)

// byPosition are the schedulers whose runs may change with the order in which a cluster names its
// types, and why.
func byPosition() map[string]string {
	of := map[string]string{}
	for why, names := range map[string]string{
		"chooses machines by a rule of its own, equals by their number": "ffdl philly gandiva scatter " +
			"sjf-bsbf sjf-ffs sjf-bco hived synergy lucid horus antman schedtune iadeep nonintrusive-like similarity-like " +
			"network-like lwf pwr ones optimus pollux deepboot shockwave themis cassini slaq",
		"counts GPUs of all types as one pool and places what it sized by number": "elasticflow powerflow voda " +
			"afs-l afs-p edl dl2 decima-like",
		"gives jobs to racks by number":                                     "marl-like",
		"numbers the types in the problem that it solves, equals by number": "allox sia gandiva-fair gadget-like",
	} {
		for _, name := range strings.Fields(names) {
			of[name] = why
		}
	}
	return of
}

// typedRun runs a policy on three racks of types that differ in speed, named in the given order.
// Jobs are of one to nine GPUs, some ask for a type, some for CPU.
func typedRun(t *testing.T, spec string, seed uint64, order [3]int) ([]sim.Record, error) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0x7e5))
	speeds := map[string]float64{"a": 1, "b": 4, "c": 2}
	var jobs []sim.Job
	for i := range 14 {
		j := sim.Job{ID: fmt.Sprint(i), Submit: sim.Seconds(float64(r.IntN(40))), GPUs: int32(1 + r.IntN(9)),
			User: string(rune('u' + r.IntN(2)))}
		if r.IntN(3) == 0 {
			j.CPUMilli = int32(1000 * (1 + r.IntN(2)))
		}
		if r.IntN(4) == 0 {
			j.GPUType, j.GPUs = string(rune('a'+r.IntN(3))), 1+j.GPUs%4
		}
		j.Work = sim.Seconds(float64(int(j.GPUs) * (5 + r.IntN(60))))
		jobs = append(jobs, j)
	}
	w, err := sim.NewWorkload("typed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	s := cluster.Spec{Speeds: speeds}
	for _, i := range order {
		s.Racks = append(s.Racks, []cluster.Machines{{Count: 2, GPUs: 4, Slots: 2, Type: []string{"a", "b", "c"}[i],
			CPUMilli: 6000}})
	}
	top, err := cluster.New(s)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := speed.NewTiers(top, speed.DefaultSlowdowns(), nil, speeds)
	if err != nil {
		t.Fatal(err)
	}
	_, build, err := schedulers.All().Parse(spec, cluster.BestFit) // first-found is an order of positions
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	res, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: slow, Check: true,
		Until: sim.Seconds(2000), Estimate: func(j sim.JobID) sim.Time { return w.Jobs[j].Work }}, p)
	if err != nil {
		return nil, err
	}
	var out []sim.Record
	for id := range w.Jobs {
		out = append(out, res.Record(sim.JobID(id)))
	}
	return out, nil
}

// The order in which a cluster names its types changes nothing: jobs go to the fastest type that
// has room for them at the level.
func TestOrderOfTypesDoesNotCount(t *testing.T) {
	for _, e := range schedulers.All() {
		t.Run(e.Name, func(t *testing.T) {
			seed, differ := uint64(0), ""
			for ; seed < 16 && differ == ""; seed++ {
				want, err := typedRun(t, e.Name, seed, [3]int{1, 2, 0})
				if err != nil {
					t.Skip(err)
				}
				for _, order := range [][3]int{{0, 1, 2}, {2, 0, 1}} {
					got, err := typedRun(t, e.Name, seed, order)
					if err != nil {
						t.Fatal(err)
					}
					for i := range got {
						if !reflect.DeepEqual(got[i], want[i]) {
							differ = fmt.Sprintf("seed %d, order %v, job %d: %+v\nfastest first %+v", seed, order, i,
								got[i], want[i])
							break
						}
					}
				}
			}
			why, may := byPosition()[e.Name]
			switch {
			case differ != "" && !may:
				t.Error(differ)
			case differ == "" && may:
				t.Errorf("no run depends on the order of types, expected %q", why)
			}
		})
	}
}
