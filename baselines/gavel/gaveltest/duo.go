package gaveltest

import (
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// Pace is a speed model by type.
type Pace struct {
	Top *cluster.Topology
	// Rate is the rate per GPU of each type.
	Rate map[string]float64
}

// Speed implements sim.SpeedModel.
func (p Pace) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: p.Rate[p.Top.Type(p.Top.Machine(q.GPUs[0]))] * float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// Duo is a cluster of machines of one GPU: fast ones of rate 2, slow ones of rate 1.
func Duo(t *testing.T, fast, slow int, jobs ...sim.Job) sim.Config {
	t.Helper()
	var rack []cluster.Machines
	for _, m := range []cluster.Machines{{Count: fast, Type: "fast"}, {Count: slow, Type: "slow"}} {
		if m.GPUs, m.Slots = 1, 1; m.Count > 0 {
			rack = append(rack, m)
		}
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
		if jobs[i].GPUs == 0 {
			jobs[i].GPUs = 1
		}
		if jobs[i].IterS == 0 {
			jobs[i].IterS = 1
		}
		jobs[i].Work = sim.Time(float64(jobs[i].Iterations) * jobs[i].IterS * 1e6)
	}
	w, err := sim.NewWorkload("duo", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: Pace{top, map[string]float64{"fast": 2, "slow": 1}}}
}
