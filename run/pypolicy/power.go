package pypolicy

import (
	"fmt"

	"tarry/sim"
	"tarry/sim/know"
)

// prices writes the price, the carbon intensity and the cap at an instant, and the draw now.
func (s *Session) prices(w []int64) (int, error) {
	p, at := s.view.Power(), sim.Time(w[2])
	if at > s.view.Now() && s.knows&know.Series == 0 {
		return 0, fmt.Errorf("prices to come are not declared, expected the permission %q", know.Series.String())
	}
	for i, x := range [...]float64{p.Price(at), p.Carbon(at), p.Cap(at), p.Watts()} {
		w[2+i] = word(x)
	}
	return 6, nil
}

// machines lists the state of each machine, then when its boot ends.
func (s *Session) machines(w []int64) int {
	p, n := s.view.Power(), s.view.Topology().Machines()
	for m := range n {
		w[fixed+m], w[fixed+n+m] = int64(p.State(m)), int64(p.ReadyAt(m))
	}
	w[1] = int64(2 * n)
	return fixed + 2*n
}

// switched appends a decision on the power of a machine. The GPUs of one that is switched off are no
// longer free, whatever is planned.
func (s *Session) switched(d *sim.Decision) error {
	t, f := s.view.Topology(), s.view.Free()
	if m := t.Machines(); d.Machine < 0 || int(d.Machine) >= m {
		return fmt.Errorf("machine %d, expected 0..%d", d.Machine, m-1)
	}
	s.out = append(s.out, *d)
	if d.Kind != sim.PowerOff {
		return nil
	}
	s.placer()
	lo, hi := t.MachineGPUs(int(d.Machine))
	for g := lo; g < hi; g++ {
		if f.Has(g) {
			f.Take(g)
		}
	}
	f.Hold()
	return nil
}
