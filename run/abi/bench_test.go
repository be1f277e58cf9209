package abi

import (
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
)

// orderOptions are the options of the comparison with Python, in python/bench/speed.py too.
const orderOptions = "load=0.9"

// BenchmarkOrderAlone steps tarry/Order-v0 in Go, with resets: what python/bench/speed.py does from
// Python.
func BenchmarkOrderAlone(b *testing.B) {
	e, err := envs.All().Make(simulation.All(), "tarry/Order-v0:"+orderOptions)
	if err != nil {
		b.Fatal(err)
	}
	action := make([]float64, e.Spec().Action.Len())
	seed := uint64(0)
	if _, _, err := e.Reset(&seed, "window=0"); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := e.Step(action)
		if err == nil && s.Done() {
			_, _, err = e.Reset(nil, "window=0")
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGroup steps CartPoles as the C library does, without Python.
func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{1, 64} {
		b.Run(map[int]string{1: "one", 64: "sixty-four"}[n], func(b *testing.B) {
			g, err := Open(envs.All(), simulation.All(), Request{ID: "classic/CartPole-v1", Count: n, Autoreset: NextStep})
			if err != nil {
				b.Fatal(err)
			}
			if s := g.Bind(aligned(g.bytes)); s != OK {
				b.Fatal(g.Fault())
			}
			for i := range n {
				g.at.chosen[i] = 1
			}
			g.Reset("")
			for b.Loop() {
				if g.Step() != OK {
					b.Fatal(g.Fault())
				}
			}
		})
	}
}
