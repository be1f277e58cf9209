package power_test

import (
	"math"
	"testing"

	"tarry/sim/power"
	"tarry/sim/series"
)

func TestSpec(t *testing.T) {
	s := power.Spec{OffW: 10, BootW: 250, IdleW: 200, GPUIdleW: 40, LinearW: 100, CubicW: 80, BootS: 60, CycleJ: 15000}
	if w := s.BusyW(0.5); w != 60 {
		t.Errorf("half the clock draws %v W, expected 60", w)
	}
	if w := s.MaxW(8); w != 200+8*220 {
		t.Errorf("at most %v W, expected 1960", w)
	}
	if b := s.BreakEvenS(2); b != 30000.0/270 {
		t.Errorf("break-even at %v s, expected 111.1", b)
	}
	if b := (&power.Spec{OffW: 5}).BreakEvenS(8); !math.IsInf(b, 1) {
		t.Errorf("being off saves nothing and breaks even at %v s, expected never", b)
	}
	s.Curve = []power.Point{{0.5, 50}, {1, 150}}
	for c, want := range map[float64]float64{0.25: 50, 0.5: 50, 0.75: 100, 1: 150, 1.5: 150} {
		if w := s.BusyW(c); w != want {
			t.Errorf("a curve at %v: %v W, expected %v", c, w, want)
		}
	}
	m := power.Model{Specs: []power.Spec{s}, Of: []int32{0, 0}, Price: series.Constant(1)}
	if err := m.Validate(2); err != nil {
		t.Error(err)
	}
	for _, bad := range []power.Model{{}, {Specs: []power.Spec{s}, Of: []int32{0, 1}},
		{Specs: []power.Spec{{IdleW: math.NaN()}}, Of: []int32{0, 0}},
		{Specs: []power.Spec{{Curve: []power.Point{{1, 1}, {1, 2}}}}, Of: []int32{0, 0}},
		{Specs: []power.Spec{s}, Of: []int32{0, 0}, Cap: &series.Series{}}} {
		if bad.Validate(2) == nil {
			t.Errorf("%+v is valid, expected an error", bad)
		}
	}
}

// The clock of least energy by hand: half of the work scales, so that at half the clock it takes 1.5
// times as long; idle power until then makes haste no cheaper.
func TestLeastClock(t *testing.T) {
	watts := func(c float64) float64 { return 30 + 70*c + 80*c*c*c }
	for _, k := range []struct {
		after, clock, joules float64
		clocks               []float64
	}{{0, .5, 112.5, []float64{.5, 1}}, {0, 1, 180, []float64{1}}, {100, .5, 112.5, []float64{1, .5}},
		{0, 0, 0, nil}} {
		if c, j := power.LeastClock(k.clocks, .5, watts, k.after); c != k.clock || j != k.joules {
			t.Errorf("%+v: clock %v with %v J", k, c, j)
		}
	}
}
