package power

import (
	"errors"
	"fmt"
	"math"
)

// Spec is what one type of machine draws, in watts. The zero value draws nothing and boots at once.
type Spec struct {
	// Name is shown in lists and errors.
	Name string
	// OffW, BootW and IdleW are of a machine that is off, that boots, and that is on or stopping; the
	// last without its GPUs.
	OffW, BootW, IdleW float64
	// GPUIdleW is of each GPU of a machine that is on or stopping.
	GPUIdleW float64
	// LinearW and CubicW are of one GPU in full use, on top of GPUIdleW, at a clock of c relative to
	// nominal: LinearW c + CubicW c^3.
	LinearW, CubicW float64
	// Curve stands in place of LinearW and CubicW where it has points: watts on top of GPUIdleW in
	// full use, by ascending clock, interpolated, and the ends beyond them.
	Curve []Point
	// BootS is the time from a power-on to use, DownS the time from a power-off to OffW, in seconds.
	BootS, DownS float64
	// CycleJ is the energy of one power-off and power-on beside these states, in joules.
	CycleJ float64
}

// Point is a point of a curve: the clock relative to nominal, and watts.
type Point struct{ FreqFrac, Watts float64 }

// BusyW is what a GPU draws in full use on top of GPUIdleW, at a clock relative to nominal.
func (s *Spec) BusyW(freqFrac float64) float64 {
	n := len(s.Curve)
	if n == 0 {
		return float64(s.LinearW*freqFrac) + float64(s.CubicW*float64(freqFrac*float64(freqFrac*freqFrac)))
	}
	i := 0
	for i < n && s.Curve[i].FreqFrac <= freqFrac {
		i++
	}
	switch i {
	case 0:
		return s.Curve[0].Watts
	case n:
		return s.Curve[n-1].Watts
	}
	a, b := s.Curve[i-1], s.Curve[i]
	part := (freqFrac - a.FreqFrac) / (b.FreqFrac - a.FreqFrac)
	return a.Watts + float64(part*(b.Watts-a.Watts))
}

// OnW is what a machine of so many GPUs draws while it is on and idle.
func (s *Spec) OnW(gpus int) float64 { return s.IdleW + float64(float64(gpus)*s.GPUIdleW) }

// MaxW is what it draws with all GPUs in full use at the nominal clock.
func (s *Spec) MaxW(gpus int) float64 { return s.OnW(gpus) + float64(float64(gpus)*s.BusyW(1)) }

// BreakEvenS is the time for which a machine of so many GPUs has to be off to save what a power-off
// and power-on take: CycleJ and the boot, over what an idle machine draws beyond one that is off.
// +Inf where being off saves nothing.
func (s *Spec) BreakEvenS(gpus int) float64 {
	saved := s.OnW(gpus) - s.OffW
	if !(saved > 0) {
		return math.Inf(1)
	}
	return (s.CycleJ + float64(s.BootW*s.BootS)) / saved
}

// Validate reports every number that is not finite or is negative, and curves that do not ascend.
func (s *Spec) Validate() error {
	var errs []error
	for _, f := range []struct {
		key string
		v   float64
	}{{"off_w", s.OffW}, {"boot_w", s.BootW}, {"idle_w", s.IdleW}, {"gpu_idle_w", s.GPUIdleW}, {"linear_w", s.LinearW},
		{"cubic_w", s.CubicW}, {"boot_s", s.BootS}, {"down_s", s.DownS}, {"cycle_j", s.CycleJ}} {
		if !(f.v >= 0 && f.v <= 1e9) {
			errs = append(errs, fmt.Errorf("power %q: %s is %v, expected 0..1e9", s.Name, f.key, f.v))
		}
	}
	last := 0.0
	for i, p := range s.Curve {
		if !(p.FreqFrac > last && p.FreqFrac <= 10) || !(p.Watts >= 0 && p.Watts <= 1e9) {
			errs = append(errs, fmt.Errorf("power %q: point %d of the curve is (%v, %v), expected clocks that ascend in "+
				"(0, 10] and watts in 0..1e9", s.Name, i+1, p.FreqFrac, p.Watts))
		}
		last = p.FreqFrac
	}
	return errors.Join(errs...)
}
