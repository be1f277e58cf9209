package plan

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// Put chooses and takes the GPUs of a job that starts; nil = Placer.Place.
type Put = func(*sim.View, *Placer, sim.JobID, *Demand) ([]cluster.GPU, bool)

// Put chooses and takes GPUs by a rule of places; nil = Place.
func (p *Placer) Put(put Put, v *sim.View, j sim.JobID, d *Demand) ([]cluster.GPU, bool) {
	if put == nil {
		return p.Place(v, d)
	}
	return put(v, p, j, d)
}

// FinestEver is the finest level, machine or coarser, of which one unit holds a demand when nothing
// runs, by GPUs and by the hosts; a share has none to look for.
func (p *Placer) FinestEver(t *cluster.Topology, d *Demand) cluster.Level {
	switch {
	case d.ShareMilli < 1000:
	case carriesIn(t, d, cluster.LevelMachine):
		return cluster.LevelMachine
	case carriesIn(t, d, cluster.LevelRack):
		return cluster.LevelRack
	}
	return cluster.LevelCluster
}

// carriesIn reports whether one unit of a level holds a demand when nothing runs.
func carriesIn(t *cluster.Topology, d *Demand, l cluster.Level) bool {
	for r := range t.Racks() {
		lo, hi := t.RackMachines(r)
		sum := 0
		for m := lo; m < hi; m++ {
			n := t.Room(m, d.PerGPU())
			if sum += n; n >= int(d.GPUs) || l == cluster.LevelRack && sum >= int(d.GPUs) {
				return true
			}
		}
	}
	return false
}
