package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Three layers of 10 + 10 + 10 ns, the first without input gradient: compute 80 ns.
// Backward, from 0: layer 2's gradient is ready at 10, layer 1's at 30, layer 0's at 50;
// the backward pass ends at 50 and the forward pass takes 30. Each all-reduce takes c ns.
func TestIterateByHand(t *testing.T) {
	layers := make([]Layer, 3)
	for i := range layers {
		layers[i] = Layer{ForwardNS: 10, InputGradNS: 10, WeightGradNS: 10, Bytes: 1}
	}
	one := func(ns float64) []Phase { return []Phase{{FixedNS: ns}} }
	for _, c := range []struct {
		why    string
		s      Schedule
		phases []Phase
		want   float64 // exposed
	}{
		{"no network", Schedule{}, nil, 0},
		// Done at 15, 35 and 55: only the first layer's forward pass waits, 5.
		{"mostly hidden", Schedule{}, one(5), 5},
		// 10-40, 40-70 (layer 1), then layer 0: 70-100, so forward of 0 starts at 100 instead of
		// 50; last in first out changes nothing here: each was alone in the queue but at 70.
		{"queue", Schedule{}, one(30), 50},
		// Layer 2 runs 10-60; at 60 both 1 and 0 wait. LIFO: 0 to 110, 1 to 160. Forward: 110-120,
		// 160-170, 180: 100 late.
		{"last in first out", Schedule{}, one(50), 100},
		// FIFO: 1 to 110, 0 to 160. Forward 160-190: 110 late.
		{"first in first out", Schedule{FIFO: true}, one(50), 110},
		// Drained: all done at 160, then the forward pass: as FIFO.
		{"drained", Schedule{Drain: true}, one(50), 110},
		// No overlap: the three run from 50 to 200.
		{"no overlap", Schedule{Exposed: 1}, one(50), 150},
		// One bucket, released at 50, of 3 bytes.
		{"one bucket", Schedule{BucketBytes: 100}, []Phase{{NSPerByte: 50}}, 150},
		// A bucket of two layers is released at 30 and done at 130; layer 0 follows to 180.
		{"buckets of two", Schedule{BucketBytes: 2}, []Phase{{NSPerByte: 50}}, 130},
		// Two levels work at the same time. First level: 10-30, 30-50, 50-70; second: 30-50, 50-70,
		// 70-90.
		{"two levels in a pipeline", Schedule{}, []Phase{{Level: InSlot, FixedNS: 20}, {Level: InRack, FixedNS: 20}},
			40},
		// The same level twice, last in first out: layer 2's second phase starts at 30 when layer 1
		// arrives (arrivals go first, and 1 is the younger): 1 runs 30-50, 0 50-70, then 0 again
		// 70-90, 1 90-110, 2 110-130. Forward: 0 at 90, 1 at 110, 2 at 130-140.
		{"up and down one level", Schedule{}, []Phase{{FixedNS: 20}, {FixedNS: 20}}, 60},
		{"each operation costs 1", Schedule{OpNS: 1}, nil, 8},
	} {
		it := c.s.Iterate(layers, c.phases)
		if it.ComputeNS != 80 || math.Abs(it.ExposedNS-c.want) > 1e-9 {
			t.Errorf("%s: compute %v exposed %v, want 80 and %v", c.why, it.ComputeNS, it.ExposedNS, c.want)
		}
	}
}

func TestUpdateDelaysOnlyItsLayer(t *testing.T) {
	layers := []Layer{{ForwardNS: 10, WeightGradNS: 10, Bytes: 1},
		{ForwardNS: 10, WeightGradNS: 10, Bytes: 1, UpdateNS: 100}}
	// Layer 1: gradient at 10, reduced at 15, usable at 115; its forward pass would start at 35.
	if it := (Schedule{}).Iterate(layers, []Phase{{FixedNS: 5}}); it.ExposedNS != 115-30 {
		t.Errorf("exposed %v, want 85", it.ExposedNS)
	}
}

// Laws over random models: exposure lies between nothing and all communication, is all
// of it without overlap on one level, and never shrinks on a slower network with FIFO service.
func TestIterateLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		layers := make([]Layer, 1+r.IntN(30))
		total := 0.0
		for i := range layers {
			layers[i] = Layer{ForwardNS: r.Float64() * 10, InputGradNS: r.Float64() * 10, WeightGradNS: r.Float64() *
				10, Bytes: float64(r.IntN(5))}
			total += layers[i].Bytes
		}
		n := 0.0
		for _, l := range layers {
			if l.Bytes > 0 {
				n++
			}
		}
		ph := []Phase{{FixedNS: 3 * r.Float64(), NSPerByte: 3 * r.Float64()}}
		all := n*ph[0].FixedNS + total*ph[0].NSPerByte
		for _, fifo := range []bool{false, true} {
			full := Schedule{FIFO: fifo}.Iterate(layers, ph)
			none := Schedule{FIFO: fifo, Exposed: 1}.Iterate(layers, ph)
			if full.ExposedNS < -1e-9 || full.ExposedNS > none.ExposedNS+1e-9 || math.Abs(none.ExposedNS-all) > 1e-6 {
				t.Fatalf("overlapped %v, not overlapped %v, all communication %v", full.ExposedNS, none.ExposedNS, all)
			}
			if math.Abs(full.BusyNS[InSlot]-all) > 1e-6 || full.ComputeNS != none.ComputeNS {
				t.Fatalf("busy %v, want %v; compute %v and %v", full.BusyNS[InSlot], all, full.ComputeNS,
					none.ComputeNS)
			}
		}
		slow := []Phase{{FixedNS: ph[0].FixedNS * 2, NSPerByte: ph[0].NSPerByte * 2}}
		if a, b := (Schedule{FIFO: true}).Iterate(layers, ph),
			(Schedule{FIFO: true}).Iterate(layers, slow); b.ExposedNS < a.ExposedNS-1e-9 {
			t.Fatalf("a slower network exposes less: %v and %v", a.ExposedNS, b.ExposedNS)
		}
	}
}

func ExampleSchedule_Iterate() {
	f := Fabric{}
	f.Links[InSlot] = Link{GBps: 10, LatencyNS: 100}
	layers := []Layer{
		{ForwardNS: 1000, InputGradNS: 1000, WeightGradNS: 1000, Bytes: 20_000},
		{ForwardNS: 1000, InputGradNS: 1000, WeightGradNS: 1000, Bytes: 20_000},
	}
	phases := f.Phases(nil, f.Dims(nil, Even(1, 1, 1, 4)))
	it := f.Schedule.Iterate(layers, phases)
	fmt.Printf("all-reduce %.0f ns, compute %.0f ns, exposed %.0f ns, compute fraction %.3f\n",
		phases[0].NS(20_000), it.ComputeNS, it.ExposedNS, it.ComputeFrac())
	// Output: all-reduce 3600 ns, compute 5000 ns, exposed 5200 ns, compute fraction 0.490
}

func BenchmarkIterate(b *testing.B) {
	layers := make([]Layer, 160)
	for i := range layers {
		layers[i] = Layer{ForwardNS: 1000, InputGradNS: 1000, WeightGradNS: 1000, Bytes: 1e5}
	}
	f := astraFabric()
	phases := f.Phases(nil, f.Dims(nil, Even(2, 2, 2, 4)))
	b.ReportAllocs()
	for b.Loop() {
		f.Schedule.Iterate(layers, phases)
	}
}
