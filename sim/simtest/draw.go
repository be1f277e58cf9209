package simtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
)

// Trait is something that drawn cases may contain.
type Trait uint16

// The traits.
const (
	// Sharing: jobs that ask for a part of a GPU.
	Sharing Trait = 1 << iota
	// Types: machines of several GPU types and jobs that insist on one.
	Types
	// Hosts: limited CPU and memory, which in half of the cases bind: machines without room for
	// jobs on all of their GPUs, jobs that only several machines can hold, and some that none can.
	Hosts
	// Elastic: jobs that may run on fewer GPUs than they ask for, some asking for more than there
	// are, and jobs in workers of several GPUs.
	Elastic
	// Faults: machines and GPUs that fail and come back.
	Faults
	// Costs: starting, checkpointing, restoring and renewing take time.
	Costs
	// Slowdowns: speed depends on placement.
	Slowdowns
	// Estimates: estimates of work that are wrong.
	Estimates
	// Horizon: runs that stop before all jobs have ended.
	Horizon
	// Memory: GPUs with limited memory, which shared ones may run out of.
	Memory
	// Oversize: many jobs that ask for more GPUs than there are. Elastic ones among them can run.
	Oversize
)

// hard are the traits of the second half of the suite's cases, where every case has all of them.
const hard = Types | Elastic | Faults | Oversize

// Counting is the speed model in which placement does not matter: rate = GPUs x share x clock.
type Counting struct{}

// Speed implements sim.SpeedModel.
func (Counting) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(float64(len(q.GPUs)) * q.FreqFrac * float64(q.ShareMilli) / 1000), ComputeFrac: 1},
		nil
}

// tiered slows jobs down that lie on several machines or racks, or share a GPU.
type tiered struct{ top *cluster.Topology }

func (s tiered) Speed(q *sim.Query) (sim.Speed, error) {
	f := [...]float64{1, 1, .9, .6, .35}[s.top.LevelOf(q.GPUs)]
	sp, _ := Counting{}.Speed(q)
	return sim.Speed{Rate: float64(sp.Rate*f) / float64(1+len(q.Peers)), ComputeFrac: f}, nil
}

// drawCase gives a random small configuration: a pure function of the seed and of the traits that
// are left out and that it has for certain.
func drawCase(seed uint64, without, with Trait) (sim.Config, error) {
	r := rand.New(rand.NewPCG(seed, 0x7a11))
	has := func(t Trait, oneIn int) bool { return (r.IntN(oneIn) == 0 || with&t != 0) && without&t == 0 }
	typed, hosted := has(Types, 4), has(Hosts, 2)
	spec := drawCluster(r, typed, hosted)
	binding := hosted && r.IntN(2) == 0
	if binding {
		starve(spec)
	}
	if seed%6 == 5 {
		cuttable(&spec)
	}
	memory := seed%4 == 3 && without&Memory == 0
	if memory {
		giveMemory(spec)
	}
	top, err := cluster.New(spec)
	if err != nil {
		return sim.Config{}, err
	}
	js := drawJobs(r, top, has(Sharing, 3), typed, hosted, has(Elastic, 4))
	if with&^without&Oversize != 0 {
		outgrow(r, top, js)
	}
	if seed%3 == 2 && without&Elastic == 0 {
		inWorkers(js)
	}
	if memory {
		needMemory(js)
	}
	if binding {
		overask(js)
	}
	w, err := sim.NewWorkload(fmt.Sprintf("drawn %d", seed), js)
	cfg := sim.Config{Workload: w, Topology: top, Speed: Counting{}, Check: true}
	if has(Slowdowns, 3) {
		cfg.Speed = tiered{top}
	}
	if has(Costs, 2) {
		var of func(*sim.Change) sim.Time
		if seed%5 == 4 { // draws nothing, so that the other cases are as they were
			of = priced
		}
		cost := func() sim.Cost { return sim.Cost{FixedS: float64(r.IntN(3)) / 2, PerGPUS: float64(r.IntN(3)) / 4} }
		cfg.Costs = sim.Costs{Of: of, Start: cost(), Checkpoint: cost(), Restore: cost(), Migrate: cost(),
			Rescale: cost(), Renew: cost(), CheckpointEveryS: float64(r.IntN(3))}
	}
	if memory {
		cfg.Costs.OutOfMemory = sim.Cost{FixedS: float64(1+seed%8) / 4}
	}
	if has(Faults, 3) {
		cfg.Outages = drawFaults(r, top).Source()
	}
	if has(Estimates, 2) {
		scale := make([]float64, len(w.Jobs))
		for i := range scale {
			scale[i] = []float64{.3, .9, 1, 1, 1.5, 4}[r.IntN(6)]
		}
		cfg.Estimate = func(j sim.JobID) sim.Time { return max(1, sim.Time(float64(w.Jobs[j].Work)*scale[j])) }
	}
	cfg.History = worksOf(w)
	addServices(&cfg, seed)
	if has(Horizon, 10) {
		cfg.Until = sim.Time(1+r.IntN(40)) * sim.Second
	}
	return cfg, err
}

// priced is a price of changes that no formula gives.
func priced(c *sim.Change) sim.Time {
	t := sim.Time(len(c.From)+3*len(c.To)+int(c.ID)%3) * sim.Second / 16
	if c.Again {
		t /= 2
	}
	return t * sim.Time(1+c.Kind%3) / 2
}

func drawCluster(r *rand.Rand, typed, hosted bool) cluster.Spec {
	racks := 1 + r.IntN(3)
	spec := cluster.Spec{Racks: make([][]cluster.Machines, racks)}
	gpus, slots := 1+r.IntN(4), 1
	if gpus%2 == 0 {
		slots += r.IntN(2)
	}
	for i := range spec.Racks {
		for range 1 + r.IntN(2) {
			m := cluster.Machines{Count: 1 + r.IntN(2), GPUs: gpus, Slots: slots}
			if r.IntN(4) == 0 {
				m.GPUs, m.Slots = 1+r.IntN(4), 1
			}
			if typed {
				m.Type = []string{"", "fast", "slow"}[r.IntN(3)]
			}
			if hosted {
				m.CPUMilli, m.MemMiB = int64(m.GPUs)*8000, int64(m.GPUs)*4096
			}
			spec.Racks[i] = append(spec.Racks[i], m)
		}
	}
	return spec
}

// cuttable lets all GPUs be cut into instances, which is nothing to a policy that does not ask for
// one. It draws nothing, so that all else is as it was.
func cuttable(spec *cluster.Spec) {
	for _, rack := range spec.Racks {
		for i := range rack {
			rack[i].MIG = "a100-40gb"
		}
	}
}

func drawJobs(r *rand.Rand, top *cluster.Topology, sharing, typed, hosted, elastic bool) []sim.Job {
	js := make([]sim.Job, 1+r.IntN(24))
	gpus, spread := top.GPUs(), 1+r.IntN(40)
	unit := []sim.Time{sim.Second, sim.Second / 7, 1}[r.IntN(3)]
	for i := range js {
		j := sim.Job{ID: fmt.Sprint(i), Model: []string{"a", "b", ""}[r.IntN(3)], User: []string{"u", "v"}[r.IntN(2)],
			VC: []string{"x", "y", "z"}[r.IntN(3)]}
		switch r.IntN(8) {
		case 0: // wider than a machine, at times than a rack
			j.GPUs = int32(1 + r.IntN(gpus))
		case 1:
			if j.GPUs = int32(gpus); r.IntN(4) == 0 {
				j.GPUs = int32(gpus + 1 + r.IntN(3))
			}
		default:
			j.GPUs = int32(1 + r.IntN(min(4, gpus)))
		}
		j.Submit = sim.Time(r.IntN(spread)) * unit
		j.Work = sim.Time(int(j.GPUs)*(1+r.IntN(12)))*unit + sim.Time(r.IntN(2)*r.IntN(1000))
		if j.GPUs == 1 && sharing && r.IntN(2) == 0 {
			j.ShareMilli = int32(100 * (1 + r.IntN(10)))
		}
		if types := top.Types(); typed && r.IntN(3) == 0 {
			j.GPUType = types[r.IntN(len(types))]
		}
		if hosted && r.IntN(2) == 0 { // no more per GPU than a machine's part, so that every job can be placed
			j.CPUMilli, j.MemMiB = int32(r.IntN(8001)), int32(r.IntN(4097))
		}
		if elastic && r.IntN(2) == 0 {
			j.MinGPUs, j.MaxGPUs = 1+r.Int32N(j.GPUs), j.GPUs+r.Int32N(4)
		}
		if r.IntN(10) == 0 {
			j.Deadline = j.Submit + sim.Time(1+r.IntN(60))*unit
		}
		js[i] = j
	}
	return js
}

// outgrow makes every third job, on average, ask for more GPUs than the cluster has; elastic ones
// keep their least count.
func outgrow(r *rand.Rand, top *cluster.Topology, js []sim.Job) {
	for i := range js {
		if j := &js[i]; r.IntN(3) == 0 && j.ShareMilli == 0 {
			j.GPUs = max(j.GPUs, int32(top.GPUs()+1+r.IntN(5)))
			j.MaxGPUs = 0
		}
	}
}

// inWorkers gives jobs, elastic or not, workers of several GPUs. It draws nothing, so that all else
// is as it was.
func inWorkers(js []sim.Job) {
	for i := range js {
		if w := int32(2 + i%3); js[i].GPUs%w == 0 {
			js[i].WorkerGPUs = w
		}
	}
}

// starve leaves machines CPU and memory for a half to all of their GPUs, and some of them as much
// as any job asks for. Neither it nor overask draws anything, so that all else is as it was.
func starve(spec cluster.Spec) {
	for r, rack := range spec.Racks {
		for i := range rack {
			m := &rack[i]
			m.CPUMilli = m.CPUMilli * int64(2+(r+i)%3) / 4
			m.MemMiB = m.MemMiB * int64(2+(r+2*i)%3) / 4
			if (r+3*i)%7 == 6 {
				m.CPUMilli, m.MemMiB = 0, 0
			}
		}
	}
}

// overask lets jobs ask for up to twice, some for six times the part of a GPU of the machine's CPU
// or memory.
func overask(js []sim.Job) {
	for i := range js {
		j := &js[i]
		switch i % 5 {
		case 0:
			j.CPUMilli = 4000 + int32(i)*911%12001
		case 1:
			j.MemMiB = 2048 + int32(i)*577%6145
		case 2:
			j.CPUMilli, j.MemMiB = j.CPUMilli*2, j.MemMiB*2
		}
		if i%11 == 7 {
			j.MemMiB = 24000
		}
	}
}

// giveMemory gives all GPUs 100 or 120 MiB, except GPUs of some machines, which do not state it.
// Neither it nor needMemory draws anything, so that all else is as it was.
func giveMemory(spec cluster.Spec) {
	for r, rack := range spec.Racks {
		for i := range rack {
			if (r+2*i)%5 != 4 {
				rack[i].GPUMiB = int64(100 + 20*(i%2))
			}
		}
	}
}

// needMemory lets three jobs of four need up to 100 MiB of each GPU: alone every job has enough.
func needMemory(js []sim.Job) {
	for i := range js {
		if i%4 != 3 {
			js[i].GPUMiB, js[i].GPUUtilFrac = int32(20+i*37%81), float64(1+i%10)/10
		}
	}
}

// drawFaults gives outages in which all that fails comes back.
func drawFaults(r *rand.Rand, top *cluster.Topology) outage.Schedule {
	var s outage.Schedule
	for range 1 + r.IntN(5) {
		m := r.IntN(top.Machines())
		o := sim.Outage{At: sim.Time(r.IntN(40)) * sim.Second / 2, Machine: int32(m), GPU: -1}
		if lo, hi := top.MachineGPUs(m); r.IntN(2) == 0 {
			o.GPU = int32(r.IntN(int(hi - lo)))
		}
		up := o
		up.Up, up.At = true, o.At+sim.Time(1+r.IntN(20))*sim.Second/2
		s = append(s, o, up)
	}
	slices.SortStableFunc(s, func(a, b sim.Outage) int { return cmp.Compare(a.At, b.At) })
	return s
}
