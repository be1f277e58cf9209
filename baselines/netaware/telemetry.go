package netaware

import (
	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// The features of a job on a node, or of the mean of some nodes. The first does not change.
const (
	constant = iota
	width    // ln(GPUs)
	spread   // 1 for several machines
	exchange // spread x the model's ln(1 + gradient MB per second of compute); 0 where it has no profile
	load     // part of the machine's GPUs in use
	rackLoad // of its rack's
	// part of the machine's GPUs whose job spans machines, each times the part of its time that it
	// waits for the network
	links
	crossing  // spread x links
	past      // by how much jobs on the machine were slower than all, in logarithms
	typesPast // the same of its GPU type
)

// telemetry is what is remembered of nodes.
type telemetry struct {
	machine, kind []float64 // mean logarithms, newer jobs weigh more
	all           float64
	seen          []bool // of machines
	kindSeen      []bool
	typeOf        []int32
	inUnit        []int32 // GPUs of each rack
	heavy         map[string]float64
	set           *models.Set
}

func (t *telemetry) open(top *cluster.Topology) {
	if t.machine != nil {
		return
	}
	n, types := top.Machines(), top.Types()
	t.machine, t.seen, t.typeOf = make([]float64, n), make([]bool, n), make([]int32, n)
	t.kind, t.kindSeen, t.inUnit = make([]float64, len(types)), make([]bool, len(types)), make([]int32, top.Racks())
	for m := range n {
		lo, hi := top.MachineGPUs(m)
		t.inUnit[top.Rack(m)] += int32(hi - lo)
		for i, name := range types {
			if name == top.Type(m) {
				t.typeOf[m] = int32(i)
			}
		}
	}
}

// node adds the features of a machine to x, features that are sums over the machines of an
// allocation.
func (t *telemetry) node(v *sim.View, m int, x *[size]float64) {
	top, free := v.Topology(), v.Free()
	lo, hi := top.MachineGPUs(m)
	x[load] += 1 - float64(free.InMachine(m))/float64(hi-lo)
	r := top.Rack(m)
	x[rackLoad] += 1 - float64(free.InRack(r))/float64(t.inUnit[r])
	busy := 0.0
	for g := lo; g < hi; g++ {
		if j := v.Owner(g); j != sim.NoJob && v.Run(j).State() == sim.Running && v.Run(j).Level() > cluster.LevelMachine {
			busy += 1 - v.Run(j).Speed().ComputeFrac
		}
	}
	x[links] += busy / float64(hi-lo)
	if t.seen[m] {
		x[past] += t.machine[m] - t.all
	}
	if k := t.typeOf[m]; t.kindSeen[k] {
		x[typesPast] += t.kind[k] - t.all
	}
}

// finish turns sums over n machines into means and fills in what belongs to the job.
func (t *telemetry) finish(v *sim.View, j sim.JobID, gpus, n int, x *[size]float64) {
	for _, i := range [...]int{load, rackLoad, links, past, typesPast} {
		x[i] /= float64(n)
	}
	x[constant], x[width] = 1, fixmath.Log1p(float64(gpus-1))
	if n > 1 {
		x[spread], x[exchange], x[crossing] = 1, t.weight(v.Job(j).Model()), x[links]
	}
}

// weight is how much a model exchanges.
func (t *telemetry) weight(model string) float64 {
	w, ok := t.heavy[model]
	if !ok {
		if p, err := t.set.Lookup(model); err == nil && model != "" {
			w = fixmath.Log1p(float64(p.Bytes()) / 1e6 / (p.ComputeNS() / 1e9))
		}
		t.heavy[model] = w
	}
	return w
}

// remember notes what a job that ended was like on its machines.
func (t *telemetry) remember(machines []int32, y, part float64, first bool) {
	if t.all += float64(part * (y - t.all)); first {
		t.all = y
	}
	for _, m := range machines {
		mean(&t.machine[m], &t.seen[m], y, part)
		k := t.typeOf[m]
		mean(&t.kind[k], &t.kindSeen[k], y, part)
	}
}

func mean(of *float64, seen *bool, y, part float64) {
	if !*seen {
		*of, *seen = y, true
		return
	}
	*of += float64(part * (y - *of))
}
