package victim

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// Read reads what weights read of a running job that may go for a blocked one, for leases of a
// length. use is how many of its GPUs the blocked job can use.
func Read(v *sim.View, j, blocked sim.JobID, use int, lease sim.Time) Row {
	r, g, until := v.Run(j), float64(v.Job(blocked).GPUs()), 1.0
	if at := r.NextCheckpoint(); at != sim.Never {
		until = inLeases(at-v.Now(), lease)
	}
	out := Row{Ratio: squash(float64(use) / g), Unsaved: inLeases(r.Unsaved(), lease), Until: until,
		Risk: squash(Lost(v, j) / (lease.Seconds() * g)), Preempted: squash(float64(r.Preemptions()))}
	if machine, _, _ := Opens(v, r.Held(), v.Job(blocked).GPUs()); machine {
		out.Machine = 1
	}
	out.Foreseen, _ = Foresee(v, j, lease)
	return out
}

// inLeases is a time in leases, squashed.
func inLeases(t, lease sim.Time) float64 { return squash(float64(max(0, t)) / float64(lease)) }

// Demand is the GPUs that waiting jobs ask for over the GPUs of the cluster, squashed.
func Demand(v *sim.View, asked int) float64 {
	return squash(float64(asked) / float64(v.Topology().GPUs()))
}

// Foresee reads what is predicted of a job; false, and 0, without a predictor.
func Foresee(v *sim.View, j sim.JobID, lease sim.Time) (Foreseen, bool) {
	l, ok := v.Job(j).Law()
	if !ok {
		return Foreseen{}, false
	}
	ran, s := v.Run(j).Ran(), lease.Seconds()
	return Foreseen{Left: squash(l.Left(ran) / s), Rank: squash(l.Rank(ran) / s), Spread: squash(l.Sigma())}, true
}

// Waits reports whether a job loses work if it goes now, and has its next checkpoint within a time.
func Waits(v *sim.View, j sim.JobID, within sim.Time) bool {
	r := v.Run(j)
	at := r.NextCheckpoint()
	return within > 0 && at != sim.Never && at-v.Now() <= within && r.Unsaved() > 0
}

// Opens reports whether the GPUs of an allocation and the free ones hold a demand in one of its
// machines, in one of its racks, and at all.
func Opens(v *sim.View, held []cluster.GPU, want int) (machine, rack, any bool) {
	t, f := v.Topology(), v.Free()
	any = f.Total()+len(held) >= want
	inMachine, inRack := 0, 0
	m, r := -1, -1
	for _, g := range held {
		if k := t.Machine(g); k != m {
			m, inMachine = k, f.InMachine(k)
			if q := t.Rack(k); q != r {
				r, inRack = q, f.InRack(q)
			}
		}
		inMachine++
		inRack++
		machine = machine || inMachine >= want
		rack = rack || inRack >= want
	}
	return machine, rack, any
}
