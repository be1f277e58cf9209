package plan_test

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Hosts shows as many GPUs of a machine as it has room for: after the plan has released some and
// given others. Machines of 4 GPUs, 4000 of CPU and 100 MiB: job 0 has GPUs 0 and 1 and 1500 of CPU
// with each, job 1 has GPU 4 and 60 MiB.
func TestHostsShowsRoom(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 3, GPUs: 4, Slots: 2, CPUMilli: 4000, MemMiB: 100}}}}
	jobs := []sim.Job{{GPUs: 2, CPUMilli: 1500}, {GPUs: 1, MemMiB: 60}}
	s := set(t, sim.Config{}, spec, jobs[0], jobs[1])
	s.do(start(0, 0, 1), start(1, 4))
	h := plan.Hosts{Of: func(j sim.JobID) cluster.PerGPU {
		return cluster.PerGPU{CPUMilli: jobs[j].CPUMilli, MemMiB: jobs[j].MemMiB}
	}}
	check := func(why string, p cluster.PerGPU, want ...int) {
		t.Helper()
		f := h.Free(s.v, p, cluster.BestFit)
		for m, n := range want {
			if got := f.InMachine(m); got != n {
				t.Errorf("%s: machine %d shows %d GPUs, expected %d", why, m, got, n)
			}
		}
	}
	cpu, mem := cluster.PerGPU{CPUMilli: 1000}, cluster.PerGPU{MemMiB: 40}
	h.Plan(s.v)
	check("no demand", cluster.PerGPU{}, 2, 3, 4)
	check("CPU", cpu, 1, 3, 4)
	check("memory", mem, 2, 1, 2)
	if f := h.Free(s.v, mem, cluster.BestFit); f.Largest(cluster.LevelMachine) != 2 || f.Total() != 5 {
		t.Errorf("memory: %d at most, %d in all", f.Largest(cluster.LevelMachine), f.Total())
	}
	s.v.Free().ReleaseAll([]cluster.GPU{0, 1})
	h.Plan(s.v)
	check("CPU, when job 0 has left", cpu, 4, 3, 4)
	s.v.Free().TakeAll([]cluster.GPU{0, 8, 9})
	h.Plan(s.v)
	h.Give(s.v, cluster.PerGPU{CPUMilli: 3000}, []cluster.GPU{0, 8, 9})
	check("CPU, when others got GPUs", cpu, 1, 3, 0)
	check("memory, when others got GPUs", mem, 2, 1, 2)
	s.v.Free().Rollback(0)
}
