package hours

import (
	"math"

	"tarry/sim"
	"tarry/sim/power"
)

// nodes is which machines are on.
type nodes struct {
	gpuW float64  // of a GPU in full use beyond idle
	wake sim.Time // when machines are to boot for the next slot
	boot sim.Time // the time of a boot
	gain sim.Time // being off for less saves nothing
}

// describe takes what machines draw from the first one.
func (n *nodes) describe(v *sim.View, p *Policy) {
	d, t := &p.day, v.Topology()
	d.Nodes = t.Machines()
	d.PerNode = max(1, t.GPUs()/d.Nodes)
	d.Off, d.NodeW, d.SwitchWh, d.On = false, 0, 0, d.Nodes-v.Power().Off()
	n.gpuW, n.boot, n.gain, n.wake = 1, 1, sim.Never, sim.Never
	if s := v.Power().Spec(0); s != nil {
		n.gpuW = s.BusyW(1)
		d.Off, d.NodeW = p.sleep, s.OnW(d.PerNode)-s.OffW
		d.SwitchWh = (s.CycleJ + float64(s.BootW*s.BootS)) / 3600
		n.boot = max(1, sim.Seconds(s.BootS))
		if at := s.BreakEvenS(d.PerNode); !math.IsInf(at, 1) {
			n.gain = sim.Seconds(at)
		}
	}
}

// decide boots machines for jobs that wait and for slots to come, and switches idle machines off that
// neither need.
func (n *nodes) decide(v *sim.View, p *Policy, out []sim.Decision) []sim.Decision {
	n.wake = sim.Never
	if p.number == 0 {
		return out
	}
	busy, idle, coming := n.count(v)
	need := busy
	if p.queue.Len() > 0 {
		need += n.queued(v, p)
		if coming == 0 && len(v.Running()) == 0 || len(v.Topology().Types()) > 1 {
			need = p.day.Nodes
		}
	}
	keep := max(need, p.planned(v, n.gain))
	need = max(need, p.planned(v, n.boot))
	for m := 0; m < p.day.Nodes && busy+idle+coming < need; m++ {
		if s := v.Power().State(m); s == power.Off || s == power.Stopping {
			out = append(out, sim.Decision{Kind: sim.PowerOn, Machine: int32(m)})
			coming++
		}
	}
	for m := p.day.Nodes - 1; m >= 0 && idle > 0 && busy+idle+coming > keep; m-- {
		if n.idle(v, m) {
			out = append(out, sim.Decision{Kind: sim.PowerOff, Machine: int32(m)})
			idle--
		}
	}
	if soon := p.next - n.boot; p.planner.On(min(1, p.slots-1)) > busy+idle+coming && soon > v.Now() {
		n.wake = soon
	}
	return out
}

// count returns the machines with jobs (or in part failed), without jobs, and in a boot, after what is
// decided so far.
func (n *nodes) count(v *sim.View) (busy, idle, coming int) {
	for m := range v.Topology().Machines() {
		switch v.Power().State(m) {
		case power.Booting:
			coming++
		case power.On:
			if n.idle(v, m) {
				idle++
			} else {
				busy++
			}
		}
	}
	return busy, idle, coming
}

// idle reports whether a machine is on and all its GPUs are free.
func (n *nodes) idle(v *sim.View, m int) bool {
	lo, hi := v.Topology().MachineGPUs(m)
	return v.Power().State(m) == power.On && v.Free().InMachine(m) == int(hi-lo)
}

// queued is how many machines the jobs fill whose slot has come and that do not fit.
func (n *nodes) queued(v *sim.View, p *Policy) int {
	gpus := 0
	for _, j := range p.ready {
		if p.queue.Has(j) {
			gpus += v.Job(j).GPUs()
		}
	}
	return min(p.day.Nodes, (gpus+p.day.PerNode-1)/p.day.PerNode)
}

// planned is the most machines that the plan needs in slots that begin within a time, slot 0 not
// counted.
func (p *Policy) planned(v *sim.View, within sim.Time) (most int) {
	for t := 1; t < p.slots && p.begin(t)-v.Now() <= within; t++ {
		most = max(most, p.planner.On(t))
	}
	return most
}
