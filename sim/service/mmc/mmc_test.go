package mmc

import (
	"math"
	"testing"
)

// near fails where a number is not within a part of the expected one.
func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within*math.Abs(want) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// One server is a plain exponential; two at half load wait one time in three.
func TestClosedForms(t *testing.T) {
	near(t, "M/M/1 attained", Attained(1, 3, 5, 0.7), 1-math.Exp(-2*0.7), 1e-14)
	near(t, "M/M/1 median", QuantileS(1, 3, 5, 0.5), math.Ln2/2, 1e-14)
	near(t, "M/M/1 mean wait", MeanWaitS(1, 3, 5), 0.3, 1e-14)
	near(t, "M/M/2 at half load: part that waits", Wait(2, 5, 5), 1.0/3, 1e-15)
	near(t, "M/M/2 mean wait", MeanWaitS(2, 5, 5), 1.0/15, 1e-14)
	near(t, "M/D/1 mean wait", MG1WaitS(0.5, 1, 0), 0.5, 1e-14)
	near(t, "M/M/1 mean wait as M/G/1", MG1WaitS(3, 0.2, 1), MeanWaitS(1, 3, 5), 1e-14)
	near(t, "M/G/1 as G/G/c", AllenCunneenWaitS(1, 3, 0.2, 1, 4), MG1WaitS(3, 0.2, 4), 1e-14)
	near(t, "M/M/c as G/G/c", AllenCunneenWaitS(7, 30, 0.2, 1, 1), MeanWaitS(7, 30, 5), 1e-14)
	// spare capacity of one server: both exponentials of the time are one
	near(t, "equal rates", Tail(2, 5, 5, 0.3), math.Exp(-1.5)*(1+1.5/3), 1e-14)
}

// At and above the capacity nothing is attained; far below it a request only takes its service.
func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for what, x := range map[string][2]float64{
		"attained at capacity": {Attained(2, 10, 5, 1), 0}, "attained above": {Attained(2, 11, 5, 1), 0},
		"tail at capacity": {Tail(2, 10, 5, 1), 1}, "tail of 0": {Tail(2, 1, 5, 0), 1},
		"wait above": {Wait(2, 11, 5), 1}, "no load": {Wait(2, 0, 5), 0},
		"mean at capacity": {MeanWaitS(2, 10, 5), inf}, "quantile at capacity": {QuantileS(2, 10, 5, 0.5), inf},
		"M/G/1 at capacity": {MG1WaitS(5, 0.2, 1), inf}, "no servers": {Attained(0, 1, 5, 1), 0},
		"no number suffices": {float64(Least(9, 5, 0.2, 0.9, 100)), -1},
		"none allowed":       {float64(Least(1, 5, 9, 0.5, 0)), -1},
	} {
		if x[0] != x[1] {
			t.Errorf("%s is %v, expected %v", what, x[0], x[1])
		}
	}
	near(t, "many servers", Tail(10000, 1, 5, 0.3), math.Exp(-1.5), 1e-14)
	near(t, "a long time", Tail(1000, 4999.9, 5, 100), Wait(1000, 4999.9, 5)*5*math.Exp(-10)/4.9, 1e-8)
	if w := Wait(10000, 9990, 1); !(w > 0.8 && w < 1) || QuantileS(10000, 9990, 1, 0.999999) > 20 {
		t.Errorf("10 000 servers: %v wait, a millionth longer than %v", w, QuantileS(10000, 9990, 1, 0.999999))
	}
}

// More servers, less load and more time attain more, without a jump where two rates are equal; a
// quantile attains its part, and the mean is the integral of the tail.
func TestMonotonyAndRoots(t *testing.T) {
	for c := 1; c <= 40; c++ {
		for _, rho := range []float64{0.05, 0.5, 0.9, 0.999, 1 - 1/float64(c), math.Nextafter(1-1/float64(c), 1)} {
			load := rho * float64(c)
			last := 0.0
			for k := range 200 {
				d := 0.02 * float64(k)
				a := Attained(c, load, 1, d)
				if a < last-1e-15 || Attained(c+1, load, 1, d) < a-1e-15 || Attained(c, load*0.99, 1, d) < a-1e-15 {
					t.Fatalf("%d servers, load %v, deadline %v: %v, with less time %v", c, load, d, a, last)
				}
				last = a
			}
			for _, p := range []float64{1e-9, 0.5, 0.95, 0.999999} {
				near(t, "tail at a quantile", Tail(c, load, 1, QuantileS(c, load, 1, p)), 1-p, 1e-13)
			}
			near(t, "integral of the tail", integral(c, load), MeanWaitS(c, load, 1)+1, 1e-6)
		}
	}
}

// integral adds the tail up by Simpson's rule, up to where the rest is nothing.
func integral(c int, load float64) float64 {
	const n = 4000
	h := QuantileS(c, load, 1, 1-1e-13) / n
	sum := 1.0 // at 0
	for k := 1; k < n; k++ {
		sum += float64(2+2*(k%2)) * Tail(c, load, 1, h*float64(k))
	}
	return sum * h / 3
}

// Least is what trying each number finds.
func TestLeastIsTheFirst(t *testing.T) {
	for _, load := range []float64{0, 0.4, 3, 17.5} {
		for _, target := range []float64{0, 0.5, 0.86, 0.99} {
			want := -1
			for c := 1; c <= 30 && want < 0; c++ {
				if Attained(c, load, 1, 2) >= target {
					want = c
				}
			}
			if got := Least(load, 1, 2, target, 30); got != want {
				t.Errorf("load %v, target %v: %d, expected %d", load, target, got, want)
			}
		}
	}
}
