package gadget

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// uplinks remembers what rings take of the uplinks of their machines. The zero value is ready.
type uplinks struct {
	empty *cluster.Free
	known map[ringKind]load
	gpus  []cluster.GPU
}

// ringKind is what a load depends on.
type ringKind struct {
	model    string
	typ, gpu int
}

// load is the number of machines of a ring, and the part of the time that it keeps the uplink of
// each busy.
type load struct {
	machines int32
	busy     float64
}

// of gives the load of w workers of a job on the nearest GPUs of a type, as if nothing else ran. A
// ring inside a machine, and one where no links are shared, takes nothing.
func (u *uplinks) of(v *sim.View, j sim.JobID, typ, w int) (machines int32, busy float64) {
	if v.Links().Count() == 0 {
		return 1, 0
	}
	k := ringKind{v.Job(j).Model(), typ, w}
	if l, ok := u.known[k]; ok {
		return l.machines, l.busy
	}
	if u.known == nil {
		u.known, u.empty = map[ringKind]load{}, cluster.NewFree(v.Topology())
	}
	one := load{machines: 1}
	if f := u.empty.Type(typ); f.Total() >= w {
		at := cluster.LevelSlot
		for f.Largest(at) < w {
			at++
		}
		u.gpus, _ = f.At(u.gpus[:0], w, at, cluster.BestFit)
		for i := 1; i < len(u.gpus); i++ {
			if v.Topology().Machine(u.gpus[i]) != v.Topology().Machine(u.gpus[i-1]) {
				one.machines++
			}
		}
		if p, ok := v.Links().Period(j, sim.Placement{GPUs: u.gpus}); ok && one.machines > 1 && p.SoloS() > 0 {
			one.busy = p.TransferS / p.SoloS()
		}
	}
	u.known[k] = one
	return one.machines, one.busy
}
