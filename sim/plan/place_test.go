package plan_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/simtest"
)

// chooser is a policy that places what it is given.
type chooser func(v *sim.View, out []sim.Decision) []sim.Decision

func (chooser) Knows() know.Set { return know.Nothing }
func (c chooser) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	return c(v, out)
}

// drawHosted is a cluster with types and host limits, and jobs that all arrive at once; shares
// and host demands are drawn freely, so some can never be placed.
func drawHosted(t *testing.T, r *rand.Rand) (*sim.Workload, *cluster.Topology) {
	spec := cluster.Spec{}
	for range 1 + r.IntN(3) {
		var rack []cluster.Machines
		for range 1 + r.IntN(3) {
			g := 1 + r.IntN(4)
			rack = append(rack, cluster.Machines{Count: 1, GPUs: 2 * g, Slots: 1 + r.IntN(2),
				Type: []string{"p", "q"}[r.IntN(2)], CPUMilli: int64(r.IntN(12)) * 1000, MemMiB: int64(r.IntN(12)) *
					100})
		}
		spec.Racks = append(spec.Racks, rack)
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	js := make([]sim.Job, 25)
	for i := range js {
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(min(6, top.GPUs()))), Work: sim.Time(1+r.IntN(9)) *
			sim.Second, Submit: sim.Time(r.IntN(6)) * sim.Second}
		if js[i].GPUs == 1 {
			js[i].ShareMilli = int32(r.IntN(10)) * 100
		}
		if r.IntN(3) == 0 {
			js[i].GPUType = top.Types()[r.IntN(len(top.Types()))]
		}
		if r.IntN(2) == 0 {
			js[i].CPUMilli, js[i].MemMiB = int32(r.IntN(4000)), int32(r.IntN(300))
		}
	}
	w, err := sim.NewWorkload("hosted", js)
	if err != nil {
		t.Fatal(err)
	}
	return w, top
}

// A demand is placed exactly when some GPUs can carry it, at the finest level at which one
// machine, one rack or the cluster can, and the kernel accepts what was chosen.
func TestPlaceFindsWhatThereIs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		w, top := drawHosted(t, r)
		rule := cluster.Rule(r.IntN(2))
		p, q := plan.NewPlacer(rule), &plan.Queue{}
		c := chooser(func(v *sim.View, out []sim.Decision) []sim.Decision {
			q.Follow(v, func(*sim.View, sim.JobID) float64 { return 0 }, nil)
			p.Begin(v)
			for range 3 { // one decision at a time, so that the view shows what is in use
				for j := range sim.JobID(v.NumJobs()) {
					if !q.Has(j) || len(out) > 0 {
						continue
					}
					want, can := finest(v, q.Demand(j))
					gpus, ok := p.Place(v, q.Demand(j))
					if ok != can || ok && top.LevelOf(gpus) > want || ok && !v.Fits(j, gpus) {
						t.Fatalf("seed %d: %+v placed on %v (%v), expected level %v (%v)", seed, *q.Demand(j), gpus,
							ok, want, can)
					}
					if ok {
						q.Remove(j)
						out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus},
							sim.Decision{Kind: sim.WakeAt, At: v.Now() + 1})
					}
				}
			}
			return out
		})
		if _, err := sim.Run(t.Context(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, c); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// finest is the level at which a demand can be placed, by looking at every GPU.
func finest(v *sim.View, d *plan.Demand) (cluster.Level, bool) {
	t := v.Topology()
	level, total := cluster.LevelCluster, 0
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		rack := 0
		for m := lo; m < hi; m++ {
			n := carries(v, t, m, d)
			if n >= int(d.GPUs) {
				level = min(level, cluster.LevelMachine)
			}
			rack += n
		}
		if rack >= int(d.GPUs) {
			level = min(level, cluster.LevelRack)
		}
		total += rack
	}
	return level, total >= int(d.GPUs)
}

func carries(v *sim.View, t *cluster.Topology, m int, d *plan.Demand) int {
	if d.Type != "" && len(t.Types()) > 1 && t.Type(m) != d.Type {
		return 0
	}
	n := 0
	lo, hi := t.MachineGPUs(m)
	for g := lo; g < hi; g++ {
		if v.Share(g)+int(d.ShareMilli) <= 1000 {
			n++
		}
	}
	cpu, mem := v.HostUsed(m)
	for ; n > 0; n-- {
		if (t.CPUMilli(m) == 0 || cpu+int64(n)*int64(d.CPUMilli) <= t.CPUMilli(m)) &&
			(t.MemMiB(m) == 0 || mem+int64(n)*int64(d.MemMiB) <= t.MemMiB(m)) {
			break
		}
	}
	return n
}

// ExampleFill starts what fits, in order of arrival: the job of three GPUs is passed over.
func ExampleFill() {
	top, _ := cluster.New(cluster.Uniform(1, 2, 2, 1))
	w, _ := sim.NewWorkload("", []sim.Job{{ID: "a", GPUs: 2, Work: 1}, {ID: "b", GPUs: 3, Work: 1},
		{ID: "c", GPUs: 1, Work: 1}})
	e, _ := sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}})
	v, _, _ := e.Next()

	var q plan.Queue
	q.Follow(v, func(*sim.View, sim.JobID) float64 { return 0 }, nil)
	for _, d := range plan.Fill(v, &q, plan.NewPlacer(cluster.BestFit), nil, nil) {
		fmt.Println(w.Jobs[d.Job].ID, d.GPUs)
	}
	fmt.Println(q.Len(), "still waits")
	// Output:
	// a [0 1]
	// c [2]
	// 1 still waits
}
