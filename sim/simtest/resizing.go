package simtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
)

// resizing is a policy beside which another caller resizes elastic jobs, at random: a user, a
// cluster manager. It acts on jobs of which the policy decides nothing at that instant, on GPUs
// that are free and stay free under the policy. What it does depends on the instant alone, so that
// it has no state to clone.
type resizing struct{ sim.Policy }

// Clone is for policies that can be cloned.
func (r resizing) Clone() sim.Policy { return resizing{r.Policy.(cloner).Clone()} }

// Decide implements sim.Policy.
func (r resizing) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	from := len(out)
	out = r.Policy.Decide(v, out)
	d := rand.New(rand.NewPCG(uint64(v.Now()), 0xe1a5))
	if d.IntN(3) > 0 {
		return out
	}
	busy := map[sim.JobID]bool{}
	taken := map[cluster.GPU]bool{}
	for i := range out[from:] {
		x := &out[from+i]
		switch x.Kind {
		case sim.WakeAt, sim.Uncordon, sim.PowerOn:
			continue
		case sim.Cordon, sim.PowerOff:
			lo, hi := v.Topology().MachineGPUs(int(x.Machine))
			for g := lo; g < hi; g++ {
				taken[g] = true
			}
			continue
		}
		busy[x.Job] = true
		for _, g := range x.GPUs {
			taken[g] = true
		}
	}
	for _, j := range slices.Sorted(slices.Values(v.Running())) {
		if busy[j] || d.IntN(2) == 0 {
			continue
		}
		if gpus := r.other(v, d, j, taken); gpus != nil {
			out = append(out, sim.Decision{Kind: sim.Resize, Job: j, GPUs: gpus})
		}
	}
	return out
}

// other draws another number of GPUs for a job: some of its own and some that are free; nil where
// there are none.
func (r resizing) other(v *sim.View, d *rand.Rand, j sim.JobID, taken map[cluster.GPU]bool) []cluster.GPU {
	lo, hi := v.Job(j).Range()
	step, held := v.Job(j).WorkerGPUs(), v.Run(j).Held()
	a := v.Job(j).Public()
	n := lo + step*d.IntN((hi-lo)/step+1)
	if n == len(held) || a.ShareMilli%1000 != 0 || a.CPUMilli > 0 || a.MemMiB > 0 {
		return nil
	}
	gpus := slices.Clone(held)
	for len(gpus) > n {
		gpus = slices.Delete(gpus, 0, 1)
	}
	top := v.Topology()
	for g := range cluster.GPU(top.GPUs()) {
		typed := a.GPUType == "" || len(top.Types()) == 1 && top.Types()[0] == "" ||
			top.Type(top.Machine(g)) == a.GPUType
		if len(gpus) < n && typed && v.Up(g) && v.Share(g) == 0 && !taken[g] {
			gpus = append(gpus, g)
		}
	}
	if len(gpus) != n {
		return nil
	}
	for _, g := range gpus {
		taken[g] = true
	}
	slices.Sort(gpus)
	return gpus
}

// resized runs a policy on a case while another caller resizes jobs, from a snapshot in the middle
// too if that is wanted and it can be cloned.
func resized(cfg sim.Config, make func() sim.Policy, o Options, again bool) error {
	first, e, err := tapeOf(cfg, resizing{make()})
	if err == nil {
		err = alive(cfg, e, o.MayStarve)
	}
	if p := make(); err == nil && again {
		if _, ok := p.(cloner); ok {
			err = resume(cfg, resizing{p}, first, false)
		}
	}
	if err != nil {
		return fmt.Errorf("while another caller resizes jobs: %w\n%s", err, describe(cfg))
	}
	return nil
}

// oneCount runs a policy where every rigid job is elastic with one count, the count that it asks
// for: nothing may change.
func oneCount(cfg sim.Config, make func() sim.Policy, first string) error {
	js := slices.Clone(cfg.Workload.Jobs)
	for i := range js {
		if j := &js[i]; j.MinGPUs == 0 && j.MaxGPUs == 0 {
			j.MinGPUs, j.MaxGPUs = j.GPUs, j.GPUs
		}
	}
	w, err := sim.NewWorkload(cfg.Workload.Name, js)
	if err != nil {
		return err
	}
	cfg.Workload = w
	if got, _, err := tapeOf(cfg, make()); err != nil || got != first {
		return fmt.Errorf("with ranges of one count for rigid jobs it differs (error %v)\nrigid:\n%s\nin "+
			"ranges:\n%s\n%s", err, first, got, describe(cfg))
	}
	return nil
}

// elastic reports whether a case has jobs that may be resized.
func elastic(cfg *sim.Config) bool {
	return slices.ContainsFunc(cfg.Workload.Jobs, func(j sim.Job) bool {
		lo, hi := j.Range()
		return lo < hi
	})
}
