package delaytimer

import (
	"math"
	"slices"

	"tarry/env/layout"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/cluster"
)

// regimeFeatures are the features that the option regime adds to a class.
func regimeFeatures() []layout.Feature {
	return layout.Features(`
rack_cost  0..1  10 ln(slowdown), squashed  mean over its jobs so far of 10 ln(speed in one machine / across machines of a rack)
net_cost  0..1  10 ln(slowdown), squashed  the same across machines of one rack / across racks; 0 where a place is missing
base_rack  0..1  (a+1)/2  T_rack that the base policy would set now
base_net  0..1  (a+1)/2  its T_net`)
}

// width is the number of features of a class.
func (c *Config) width() int {
	if c.SeeRegime {
		return features + len(regimeFeatures())
	}
	return features
}

// toll is the slowdown of a class in coarser places: natural logarithms of slowdowns, summed over
// its jobs so far.
type toll struct {
	rack, net float64
	jobs      int
}

// steep is where a cost is seen best: a slowdown of a tenth shows as one half.
const steep = 10

// mean is one of the sums over the jobs, squashed.
func (t *toll) mean(sum float64) float64 {
	if t.jobs == 0 {
		return 0
	}
	return schedenv.Squash(steep * sum / float64(t.jobs))
}

// price adds a job that has been submitted: how much slower it would be across machines than in
// one, and across racks than in one rack. It asks the speed model, as a profile of the job's model
// would show, and nothing of how long the job runs.
func (s *scheduler) price(v *sim.View, j sim.JobID) {
	g := v.Job(j).GPUs()
	t := &s.classes[class(g, s.machine)].toll
	at := s.spreads.of(v.Topology(), g, v.Job(j).GPUType())
	var rate [3]float64
	for i, gpus := range at {
		if len(gpus) > 0 {
			rate[i] = v.Predict(j, sim.Placement{GPUs: gpus}).Rate
		}
	}
	t.jobs++
	t.rack += slowdown(rate[0], rate[1])
	t.net += slowdown(rate[1], rate[2])
}

// slowdown is the logarithm of fine / coarse; 0 where one of them is not known or the coarse place
// is no slower.
func slowdown(fine, coarse float64) float64 {
	if !(fine > 0 && coarse > 0) {
		return 0
	}
	return max(0, math.Log(fine/coarse))
}

// spreads are places on the idle cluster by demand: in a machine, across machines of a rack, across
// racks; empty where there is none.
type spreads struct {
	top   *cluster.Topology
	known map[demanded][3][]cluster.GPU
}

// demanded is what places depend on.
type demanded struct {
	gpus int
	typ  string
}

func (s *spreads) of(top *cluster.Topology, gpus int, typ string) [3][]cluster.GPU {
	if s.top != top {
		s.top, s.known = top, map[demanded][3][]cluster.GPU{}
	}
	key := demanded{gpus, typ}
	if at, ok := s.known[key]; ok {
		return at
	}
	racks := byRack(top, typ)
	at := [3][]cluster.GPU{inMachine(top, racks, gpus), inRack(top, racks, gpus), acrossRacks(top, racks, gpus)}
	for _, gpus := range at {
		slices.Sort(gpus)
	}
	s.known[key] = at
	return at
}

// byRack lists the machines of a type ("" = any) by rack.
func byRack(top *cluster.Topology, typ string) [][]int {
	out := make([][]int, top.Racks())
	for r := range out {
		lo, hi := top.RackMachines(r)
		for m := lo; m < hi; m++ {
			if typ == "" || top.Type(m) == typ {
				out[r] = append(out[r], m)
			}
		}
	}
	return out
}

// size is the GPUs of a machine.
func size(top *cluster.Topology, machine int) int {
	lo, hi := top.MachineGPUs(machine)
	return int(hi - lo)
}

// inMachine takes the first machine that is large enough.
func inMachine(top *cluster.Topology, racks [][]int, n int) []cluster.GPU {
	for _, machines := range racks {
		for _, m := range machines {
			if size(top, m) >= n {
				return spread(top, []int{m}, n)
			}
		}
	}
	return nil
}

// inRack takes as few machines as hold the job, but two at least, in the first rack that has them.
func inRack(top *cluster.Topology, racks [][]int, n int) []cluster.GPU {
	for _, machines := range racks {
		room := 0
		for k, m := range machines {
			if room += size(top, m); room >= n && n > 1 && k > 0 {
				return spread(top, machines[:k+1], n)
			}
		}
	}
	return nil
}

// acrossRacks takes half from each of two racks, or from as many as are needed.
func acrossRacks(top *cluster.Topology, racks [][]int, n int) []cluster.GPU {
	var from [][]int
	room := 0
	for _, machines := range racks {
		if len(machines) == 0 {
			continue
		}
		from = append(from, machines)
		for _, m := range machines {
			room += size(top, m)
		}
		if room < n || len(from) < 2 || n < 2 {
			continue
		}
		var out []cluster.GPU
		for i, machines := range from {
			part := n / len(from)
			if i < n%len(from) {
				part++
			}
			out = append(out, filled(top, machines, part)...)
		}
		if len(out) == n {
			return out
		}
	}
	return nil
}

// spread divides n GPUs over machines, as evenly as it goes; nil if they are too small.
func spread(top *cluster.Topology, machines []int, n int) []cluster.GPU {
	var out []cluster.GPU
	for k := 0; len(out) < n; k++ {
		before := len(out)
		for _, m := range machines {
			if lo, hi := top.MachineGPUs(m); len(out) < n && lo+cluster.GPU(k) < hi {
				out = append(out, lo+cluster.GPU(k))
			}
		}
		if len(out) == before {
			return nil
		}
	}
	return out
}

// filled takes n GPUs from machines, one after the other.
func filled(top *cluster.Topology, machines []int, n int) []cluster.GPU {
	var out []cluster.GPU
	for _, m := range machines {
		for g, hi := top.MachineGPUs(m); g < hi && len(out) < n; g++ {
			out = append(out, g)
		}
	}
	return out
}
