package operate

import (
	"slices"

	"tarry/sim"
)

// returning is a machine that is announced, and when it will be taken back.
type returning struct {
	at      sim.Time
	machine int32
}

// announce states which machines will be taken back within the notice, by the loads to come: as many
// as replicas will need beyond the room on machines that are not lent. Machines that were announced
// stay so as long as that many are needed.
func (o *Operator) announce(v *sim.View, out []sim.Decision) []sim.Decision {
	t := &o.taker
	t.load(v, func(m int) bool { return v.Services().Own(m) && !o.ground.held[m] })
	o.returns = o.returns[:0]
	for _, m := range t.machines {
		if at := v.Services().ReturnAt(int(m)); at != sim.Never {
			o.returns = append(o.returns, returning{at, m})
		}
	}
	slices.SortFunc(o.returns, func(a, b returning) int {
		if a.at != b.at {
			return int(min(1, max(-1, a.at-b.at)))
		}
		return int(a.machine - b.machine)
	})
	old, fixed := len(o.returns), 0
	for at := v.Now(); ; {
		if at = o.changes(v, at); at > v.Now()+o.notice {
			break
		}
		for n := o.machines(v, at); n > 0 && fixed < n; fixed++ {
			if fixed < old {
				o.returns[fixed].at = at
				t.chooser.Take(t.index[o.returns[fixed].machine] - 1)
				continue
			}
			t.took = t.chooser.Free(1, t.took[:0])
			if len(t.took) == 0 {
				t.took = t.chooser.Choose(o.rule, 1, t.draws, t.took)
			}
			if len(t.took) == 0 {
				break
			}
			o.returns = append(o.returns, returning{at, t.machines[t.took[0]]})
		}
	}
	for i := range o.returns { // announced, but not needed any more
		if i >= fixed && i < old {
			o.returns[i].at = sim.Never
		}
	}
	for _, r := range o.returns {
		was := v.Services().ReturnAt(int(r.machine))
		if !v.Services().Lent(int(r.machine)) {
			was = sim.Never // it is lent from now on
		}
		if was != r.at {
			out = append(out, sim.Decision{Kind: sim.Cordon, Machine: r.machine, At: r.at})
		}
	}
	return out
}

// changes is the first instant after another one at which the number of replicas needed may change.
func (o *Operator) changes(v *sim.View, after sim.Time) sim.Time {
	soon := sim.Never
	for i := range v.Services().Len() {
		curve := v.Services().Spec(i).Load
		if curve == nil {
			continue
		}
		if x := sim.Time(curve.Next(int64(after + o.scale.ahead))); x < sim.Never {
			soon = min(soon, x-o.scale.ahead)
		}
	}
	return soon
}

// machines is how many machines replicas will need at a coming instant beyond those not lent.
func (o *Operator) machines(v *sim.View, at sim.Time) (n int) {
	for i := range o.want {
		spec := v.Services().Spec(i)
		wide := int(max(1, spec.GPUs))
		more := o.scale.at(v, i, at) - o.have[i]
		per := 0
		for _, m := range o.ground.own {
			lo, hi := v.Topology().MachineGPUs(int(m))
			if o.ground.held[m] {
				o.ground.gpus = o.ground.fits(v, int(m), int(hi-lo), spec, false, o.ground.gpus[:0])
				more -= len(o.ground.gpus) / wide
			} else if k := int(hi-lo) * int(1000/shareOf(spec)) / wide; k > 0 && (per == 0 || k < per) {
				per = k
			}
		}
		if more > 0 && per > 0 {
			n += (more + per - 1) / per
		}
	}
	return n
}
