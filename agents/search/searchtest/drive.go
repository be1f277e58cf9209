package searchtest

import (
	"math"

	"tarry/agents/search"
)

// Cost gives the values of an ask: one for each of its windows.
type Cost func(a search.Ask) []float64

// Cost gives a function's value on every window.
func (f *Function) Cost(a search.Ask) []float64 {
	out := make([]float64, a.To-a.From)
	v := f.AtCube(a.X)
	for i := range out {
		out[i] = v
	}
	return out
}

// Drive runs an optimiser to its end.
func Drive(o *search.Optimiser, cost Cost) error {
	for asks := o.Ask(); len(asks) > 0; asks = o.Ask() {
		if err := o.Tell(values(asks, cost)); err != nil {
			return err
		}
	}
	return nil
}

func values(asks []search.Ask, cost Cost) [][]float64 {
	out := make([][]float64, len(asks))
	for i, a := range asks {
		out[i] = cost(a)
	}
	return out
}

// Least is the least mean that an optimiser has received; +Inf before.
func Least(o *search.Optimiser) float64 {
	least := math.Inf(1)
	for _, k := range o.Known() {
		least = min(least, k.Mean)
	}
	return least
}
