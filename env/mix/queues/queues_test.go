package queues

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A slot by hand: service comes before arrivals, an empty queue loses nothing, a full one gains none.
func TestSlot(t *testing.T) {
	for _, k := range []struct {
		from    State
		served  int
		arrives [2]bool
		want    State
	}{
		{State{0, 0}, 0, [2]bool{true, true}, State{1, 1}}, {State{2, 3}, 1, [2]bool{}, State{2, 2}},
		{State{3, 3}, 0, [2]bool{true, true}, State{3, 3}}, {State{0, 1}, 0, [2]bool{false, true}, State{0, 2}},
	} {
		if got := k.from.Slot(k.served, k.arrives, 3); got != k.want {
			t.Errorf("%v, queue %d served, arrivals %v: %v, expected %v", k.from, k.served, k.arrives, got, k.want)
		}
	}
}

// Slots played at random cost what the chain has.
func TestChainAgainstSlots(t *testing.T) {
	spec := Spec{Arrival: [2]float64{0.3, 0.45}, Buffer: 6}
	for _, name := range Rules() {
		rule, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		const discount, n = 0.8, 20_000
		want := spec.Values([]Rule{rule}, []float64{1}, discount)[0]
		r, sum, squares := rand.New(rand.NewPCG(1, 2)), 0.0, 0.0
		for range n {
			at, cost, weight := State{}, 0.0, 1.0
			for range 60 {
				cost += weight * float64(at.Jobs())
				at = at.Slot(rule(at), [2]bool{r.Float64() < spec.Arrival[0], r.Float64() < spec.Arrival[1]}, spec.Buffer)
				weight *= discount
			}
			sum, squares = sum+cost, squares+cost*cost
		}
		mean := sum / n
		if off := math.Sqrt((squares/n-mean*mean)/n) * 5; math.Abs(mean-want) > off {
			t.Errorf("%s: %v by slots, %v by the chain, within %v", name, mean, want, off)
		}
	}
}

// The formula is the long run's mean of a queue that has room enough.
func TestGeoGeo1AgainstTheChain(t *testing.T) {
	for _, k := range [][2]float64{{0.1, 0.5}, {0.3, 0.6}, {0.45, 0.6}, {0.2, 0.9}} {
		a, s := k[0], k[1]
		// The balance of each cut: up from 0 with a, else with a (1 - s); down with s (1 - a).
		weight, all, sum := 1.0, 1.0, 0.0
		for q := 1; q < 2000; q++ {
			up := a * (1 - s)
			if q == 1 {
				up = a
			}
			weight *= up / (s * (1 - a))
			all, sum = all+weight, sum+weight*float64(q)
		}
		if got, want := GeoGeo1(a, s), sum/all; math.Abs(got-want) > 1e-9 {
			t.Errorf("arrivals %v, service %v: %v, the chain has %v", a, s, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, s := range []Spec{{Buffer: 0}, {Buffer: 1001}, {Arrival: [2]float64{0, 1.1}, Buffer: 1},
		{Arrival: [2]float64{math.NaN(), 1}, Buffer: 1}} {
		if s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
	if _, err := Named("none"); err == nil {
		t.Error("there is a rule none")
	}
}
