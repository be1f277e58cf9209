package synth

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
)

func submits(a arrivals, n int, seed uint64) []float64 {
	s := rng.Source{Seed: seed}.Stream("arrivals")
	out := make([]float64, n)
	for i := range out {
		out[i] = a.next(s).Seconds()
	}
	return out
}

// dispersion is the variance over the mean of the counts in windows: 1 for a Poisson process.
func dispersion(times []float64, window float64) float64 {
	counts := make([]float64, int(times[len(times)-1]/window))
	for _, x := range times {
		if k := int(x / window); k < len(counts) {
			counts[k]++
		}
	}
	mean, variance := 0.0, 0.0
	for _, c := range counts {
		mean += c / float64(len(counts))
	}
	for _, c := range counts {
		variance += (c - mean) * (c - mean) / float64(len(counts)-1)
	}
	return variance / mean
}

func TestArrivalsNeverGoBack(t *testing.T) {
	for _, a := range []arrivals{batch{}, &poisson{rate: 50}, &bursty{rate: 50, burst: 4, frac: 0.2, cycle: 3},
		&diurnal{rate: 50, amplitude: 1}} {
		times := submits(a, 5000, 1)
		for i := 1; i < len(times); i++ {
			if times[i] < times[i-1] {
				t.Fatalf("%T: submit %d is before its predecessor", a, i)
			}
		}
	}
}

func TestDispersion(t *testing.T) {
	const n, rate = 100_000, 0.1
	if d := dispersion(submits(&poisson{rate: rate}, n, 1), 100); math.Abs(d-1) > 0.06 {
		t.Errorf("Poisson counts have dispersion %.3f, want 1", d)
	}
	b := &bursty{rate: rate, burst: 4, frac: 0.1, cycle: 1000}
	if d := dispersion(submits(b, n, 1), 1000); d < 5 {
		t.Errorf("bursts have dispersion %.2f, want far above 1", d)
	}
	// A burst no different from the calm is a Poisson process.
	same := &bursty{rate: rate, burst: 1, frac: 0.3, cycle: 500}
	if d := dispersion(submits(same, n, 1), 100); math.Abs(d-1) > 0.06 {
		t.Errorf("bursts of the mean rate have dispersion %.3f, want 1", d)
	}
}

func TestBurstsHoldTheirShare(t *testing.T) {
	// All arrivals in bursts: burst x frac = 1, the calm is empty.
	b := &bursty{rate: 1, burst: 10, frac: 0.1, cycle: 1000}
	times := submits(b, 100_000, 4)
	if got := 100_000 / times[len(times)-1]; math.Abs(got-1) > 0.15 {
		t.Errorf("mean rate %.3f, want 1", got)
	}
	inside := 0
	for i := 1; i < len(times); i++ {
		if times[i]-times[i-1] < 2 {
			inside++
		}
	}
	if share := float64(inside) / float64(len(times)); share < 0.98 {
		t.Errorf("%.3f of the gaps are those of a burst, want nearly all", share)
	}
}

func TestTheDaySwings(t *testing.T) {
	d := &diurnal{rate: 0.5, amplitude: 0.8}
	times := submits(d, 400_000, 2)
	var byHour [24]float64
	for _, x := range times {
		byHour[int(math.Mod(x, 86400)/3600)]++
	}
	days := times[len(times)-1] / 86400
	for h, n := range byHour {
		want := 0.0
		for m := range 60 {
			want += d.at(float64(h*3600+m*60+30)) * 60
		}
		if got := n / days; math.Abs(got/want-1) > 0.15 {
			t.Errorf("hour %d has %.0f jobs a day, want %.0f", h, got, want)
		}
	}
	if !(byHour[13] > 5*byHour[2]) {
		t.Errorf("afternoon %g, night %g", byHour[13], byHour[2])
	}
}

func TestBatchIsAtZero(t *testing.T) {
	if got := (batch{}).next(nil); got != sim.Time(0) {
		t.Errorf("batch submits at %v", got)
	}
}
