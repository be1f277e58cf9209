package crux

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
)

// ranks chooses paths and levels of running jobs; the zero value is ready. It keeps no state but
// memory, and factors that are a function of their patterns.
type ranks struct {
	order      []int32 // indices of runs
	load       Congestion
	candidates [][]int32
	factors    map[[2]Pattern]float64
	onLink     [][]int32 // by link: places in the order of the jobs that cross it
	touched    []int32
	cutter     Cutter
	level      []int32
}

// remembered bounds the factors that are kept.
const remembered = 1 << 14

// paths gives each job across racks the least congested of its paths, the most intense first: as many
// as it has machines in its smallest rack, since each sends as much as a link carries.
func (k *ranks) paths(v *sim.View, runs []run) {
	k.sort(runs, func(a, b *run) int { return cmp.Compare(b.intensity, a.intensity) })
	all := v.Links()
	k.load = slices.Grow(k.load[:0], all.Count())[:all.Count()]
	clear(k.load)
	machines := v.Topology().Machines()
	for len(k.candidates) < all.Paths() {
		k.candidates = append(k.candidates, nil)
	}
	for _, i := range k.order {
		r := &runs[i]
		for s := range all.Paths() {
			links := all.Crosses(k.candidates[s][:0], r.job, r.gpus, 1<<s)
			// machines' uplinks are the same on all paths
			k.candidates[s] = slices.DeleteFunc(links, func(l int32) bool { return int(l) < machines })
		}
		if len(k.candidates[0]) == 0 {
			continue
		}
		flows := leastMachines(v.Topology(), r.gpus)
		r.path = 0
		count := min(flows, all.Paths())
		for range count {
			best := k.load.least(k.candidates[:all.Paths()], r.path)
			r.path |= 1 << best
			k.load.Add(k.candidates[best], r.pattern.TransferS*float64(flows)/float64(count))
		}
		r.links = all.Crosses(r.links[:0], r.job, r.gpus, r.path)
	}
}

// leastMachines is the number of machines of an allocation in the rack where it has fewest.
func leastMachines(t *cluster.Topology, gpus []cluster.GPU) int {
	least, here, last := len(gpus), 0, -1
	for i, g := range gpus {
		m := t.Machine(g)
		if m == last {
			continue
		}
		if i > 0 && t.Rack(m) != t.Rack(last) {
			least, here = min(least, here), 0
		}
		last = m
		here++
	}
	return min(least, here)
}

// sort fills order; equal jobs stand by arrival.
func (k *ranks) sort(runs []run, by func(a, b *run) int) {
	k.order = k.order[:0]
	for i := range runs {
		k.order = append(k.order, int32(i))
	}
	slices.SortFunc(k.order, func(a, b int32) int { return cmp.Or(by(&runs[a], &runs[b]), cmp.Compare(a, b)) })
}

// levels gives each job a level, 1 to count, the largest for the highest priorities.
func (k *ranks) levels(runs []run, links, count, orders int, draws *rng.Stream) {
	k.prioritise(runs)
	k.sort(runs, func(a, b *run) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(b.intensity, a.intensity))
	})
	for len(k.onLink) < links {
		k.onLink = append(k.onLink, nil)
	}
	k.cutter.Open(len(runs))
	for at, i := range k.order {
		for _, l := range runs[i].links {
			for _, before := range k.onLink[l] {
				k.cutter.Join(int(before), at, runs[k.order[before]].intensity)
			}
			if len(k.onLink[l]) == 0 {
				k.touched = append(k.touched, l)
			}
			k.onLink[l] = append(k.onLink[l], int32(at))
		}
	}
	for _, l := range k.touched {
		k.onLink[l] = k.onLink[l][:0]
	}
	k.touched = k.touched[:0]
	k.level, _ = k.cutter.Levels(k.level[:0], count, orders, draws.Rand)
	for at, i := range k.order {
		runs[i].level = int8(count) - int8(k.level[at])
	}
}

// prioritise sets priorities: intensities times factors against the job with most traffic.
func (k *ranks) prioritise(runs []run) {
	reference, most := -1, 0.0
	for i := range runs {
		r := &runs[i]
		if traffic := r.pattern.part(r.pattern.Alone()) * float64(len(r.links)); reference < 0 || traffic > most {
			reference, most = i, traffic
		}
	}
	for i := range runs {
		factor := 1.0
		if i != reference {
			factor = k.factor(runs[reference].pattern, runs[i].pattern)
		}
		runs[i].priority = factor * runs[i].intensity
		if math.IsNaN(runs[i].priority) { // infinite times nothing
			runs[i].priority = 0
		}
	}
}

// factor is Correction, once for each pair of patterns.
func (k *ranks) factor(reference, other Pattern) float64 {
	pair := [2]Pattern{reference, other}
	f, ok := k.factors[pair]
	if !ok {
		f, _ = Correction(reference, other)
		if k.factors == nil || len(k.factors) >= remembered {
			k.factors = map[[2]Pattern]float64{}
		}
		k.factors[pair] = f
	}
	return f
}
