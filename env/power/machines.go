package power

import (
	"slices"

	"tarry/sim"
	draw "tarry/sim/power"
)

// levels is what the agent sets.
type levels struct {
	limit int      // most machines that may be on
	spare int      // idle machines that are kept on
	timer sim.Time // idle time after which the others are switched off; Never = they stay
	clock [classes]float64
}

// machines is what is known of the machines at an instant.
type machines struct {
	idle    []sim.Time // machine -> since when it is on without a job; Never = it is not
	unused  int        // machines that are idle
	on      int        // machines that are on or boot
	booting int        // GPUs of machines that boot
}

// look takes stock of all machines.
func (m *machines) look(v *sim.View) {
	t, f, p := v.Topology(), v.Free(), v.Power()
	if len(m.idle) == 0 {
		m.idle = slices.Repeat([]sim.Time{sim.Never}, t.Machines())
	}
	m.unused, m.on, m.booting = 0, 0, 0
	for i := range m.idle {
		lo, hi := t.MachineGPUs(i)
		switch p.State(i) {
		case draw.On:
			m.on++
			if f.InMachine(i) == int(hi-lo) {
				m.unused++
				m.idle[i] = min(m.idle[i], v.Now())
				continue
			}
		case draw.Booting:
			m.on++
			m.booting += int(hi - lo)
		}
		m.idle[i] = sim.Never
	}
}

// sleep switches idle machines off, the highest number first: beyond the limit at once, and beyond
// the spare ones after the timer if no job waits. Their GPUs are then hidden from the base policy.
func (s *scheduler) sleep(v *sim.View, out []sim.Decision) []sim.Decision {
	m, t, f := &s.machines, v.Topology(), v.Free()
	most := s.most(v)
	for i := len(m.idle) - 1; i >= 0 && m.unused > 0; i-- {
		if m.idle[i] == sim.Never {
			continue
		}
		rested := s.set.timer != sim.Never && v.Now()-m.idle[i] >= s.set.timer && len(s.waiting) == 0
		if m.on <= most && !(rested && m.unused > s.set.spare) {
			continue
		}
		lo, hi := t.MachineGPUs(i)
		for g := lo; g < hi; g++ {
			f.Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.PowerOff, Machine: int32(i)})
		m.idle[i] = sim.Never
		m.unused--
		m.on--
	}
	f.Hold()
	return out
}

// most is how many machines may be on: the limit. While jobs wait and none runs, it is as many as the
// largest of them needs, and one more after each boot.
func (s *scheduler) most(v *sim.View) int {
	if len(v.Running())+v.Draining() > 0 || len(s.waiting) == 0 {
		return s.set.limit
	}
	need := s.machines.on
	if s.machines.booting == 0 {
		need++
	}
	for _, j := range s.waiting {
		need = max(need, (v.Job(j).GPUs()+s.smallest-1)/s.smallest)
	}
	return max(s.set.limit, need)
}

// wake boots machines, the lowest number first: for the GPUs that waiting jobs lack, and for the
// spare machines. free are the GPUs that are free after the decisions of this instant.
func (s *scheduler) wake(v *sim.View, free int, out []sim.Decision) []sim.Decision {
	m, p, t := &s.machines, v.Power(), v.Topology()
	if m.on == t.Machines() {
		return out
	}
	lack := -free - m.booting
	for _, j := range s.waiting {
		lack += v.Job(j).GPUs()
	}
	if len(s.waiting) > 0 && m.booting == 0 {
		lack = max(lack, 1) // GPUs are free that do not suit
	}
	if len(s.waiting) == 0 {
		lack = 0
	}
	most, spare := s.most(v), s.set.spare-m.unused-m.booting/s.smallest
	for i := 0; i < t.Machines() && m.on < most && (lack > 0 || spare > 0); i++ {
		if st := p.State(i); st != draw.Off && st != draw.Stopping || s.gone(out, i) {
			continue
		}
		if lack > 0 && !s.suits(v, i) {
			continue
		}
		lo, hi := t.MachineGPUs(i)
		out = append(out, sim.Decision{Kind: sim.PowerOn, Machine: int32(i)})
		if lack > 0 {
			lack -= int(hi - lo)
		} else {
			spare--
		}
		m.on++
	}
	return out
}

// gone reports whether a machine is switched off at this instant.
func (s *scheduler) gone(out []sim.Decision, machine int) bool {
	for i := range out[:s.slept] {
		if out[i].Machine == int32(machine) {
			return true
		}
	}
	return false
}

// suits reports whether a waiting job may run on a machine.
func (s *scheduler) suits(v *sim.View, machine int) bool {
	t := v.Topology()
	for _, j := range s.waiting {
		if typ := v.Job(j).GPUType(); typ == "" || len(t.Types()) < 2 || typ == t.Type(machine) {
			return true
		}
	}
	return false
}

// alarm is when the next idle machine may be switched off.
func (s *scheduler) alarm(v *sim.View) sim.Time {
	at := sim.Never
	if s.set.timer == sim.Never || len(s.waiting) > 0 || s.machines.unused <= s.set.spare {
		return at
	}
	for _, since := range s.machines.idle {
		if since != sim.Never {
			at = min(at, max(v.Now()+1, since+s.set.timer))
		}
	}
	return at
}
