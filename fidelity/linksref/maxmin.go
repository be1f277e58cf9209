package linksref

import (
	"tarry/fidelity/reference"
	"tarry/sim/network"
)

// rateCase is flows over links and their weighted max-min rates.
type rateCase struct {
	Capacity, Demand, Weight, Rate []number
	Links                          [][]int32
}

// compareRates compares network.Sharing with a case, to 1e-9.
func compareRates(v *reference.Case) {
	c, ok := reference.Decode[rateCase](v)
	if !ok || len(c.Demand) != len(c.Links) || len(c.Weight) != len(c.Links) || len(c.Rate) != len(c.Links) {
		v.Errorf("%d demands, %d weights, %d rates of %d flows", len(c.Demand), len(c.Weight), len(c.Rate), len(c.Links))
		return
	}
	flows, got := make([]network.Flow, len(c.Links)), make([]float64, len(c.Links))
	for i := range flows {
		flows[i] = network.Flow{Links: c.Links[i], Demand: float64(c.Demand[i]), Weight: float64(c.Weight[i])}
	}
	new(network.Sharing).Divide(got, floats(c.Capacity), flows)
	for i, want := range c.Rate {
		v.Near("a rate", got[i], float64(want), 1e-9)
	}
}

func floats(from []number) (out []float64) {
	for _, x := range from {
		out = append(out, float64(x))
	}
	return out
}
