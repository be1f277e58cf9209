package network

import (
	"math"
	"testing"
)

// Hand-computed all-reduces. Bandwidth 2 bytes/ns, latency 10 ns per hop, endpoint
// delay 1 ns, S = 1200 bytes unless stated otherwise.
func TestAllReduceByHand(t *testing.T) {
	ring := Link{GBps: 2, LatencyNS: 10}
	with := func(k Kind, a Algorithm) Link { return Link{Kind: k, Algorithm: a, GBps: 2, LatencyNS: 10} }
	one := func(l Link, n int) []Dim { return []Dim{{Link: l, Units: n, Shrink: n}} }
	for _, c := range []struct {
		why    string
		scheme Scheme
		dims   []Dim
		want   float64
	}{
		{"nobody to talk to", Baseline, nil, 0},
		{"ring of 4: 6 steps of 10+1 ns and 300 bytes", Baseline, one(ring, 4), 6 * (11 + 150)},
		{"ring algorithm on a switch of 4: two hops a step", Baseline, one(with(KindSwitch, AlgRing), 4), 6 *
			(21 + 150)},
		{"ring of 3: 4 steps of 400 bytes", Baseline, one(ring, 3), 4 * (11 + 200)},
		{"ring of 2: 2 steps of 600 bytes", Baseline, one(ring, 2), 2 * (11 + 300)},
		// 600 bytes, then 300, and back; on a switch each step is two hops.
		{"halving-doubling, switch of 4", Baseline, one(with(KindSwitch, AlgHalvingDoubling), 4), 2*(21+300) +
			2*(21+150)},
		// On a ring the second partner is two hops away and two exchanges share a link: 300 bytes
		// take 300 ns.
		{"halving-doubling, ring of 4", Baseline, one(with(KindRing, AlgHalvingDoubling), 4), 2*(11+300) + 2*(21+300)},
		// 6 = 4 + 2: two units hand 1200 bytes over before and get them back after.
		{"halving-doubling, 6 fully connected", Baseline, one(with(KindFull, AlgHalvingDoubling), 6), 2*(11+300) +
			2*(11+150) + 2*(11+600)},
		// Two rounds; three messages of 300 bytes leave by one link.
		{"direct, switch of 4", Baseline, one(with(KindSwitch, AlgDirect), 4), 2 * (21 + 450)},
		{"direct, 4 fully connected", Baseline, one(with(KindFull, AlgDirect), 4), 2 * (11 + 150)},
		// On a ring of 4 the distances are 1, 1 and 2 (half each way): two messages cross each
		// link, two hops at most.
		{"direct, ring of 4", Baseline, one(with(KindRing, AlgDirect), 4), 2 * (21 + 300)},
		// On a ring of 5 each link carries one message at distance 1 and two at distance 2: 3 of
		// 240 bytes.
		{"direct, ring of 5", Baseline, one(with(KindRing, AlgDirect), 5), 2 * (21 + 360)},
		// ceil(log2 5) = 3 steps up and 3 down, and the bytes twice through a link.
		{"trees over 5", Baseline, one(with(KindFull, AlgTree), 5), 6*11 + 1200},
		{"trees over 8 on a switch", Baseline, one(with(KindSwitch, AlgTree), 8), 6*21 + 1200},
		{"two rings, whole size in each", Baseline,
			[]Dim{{Link: ring, Units: 4, Shrink: 4}, {Link: ring, Level: InMachine, Units: 2, Shrink: 2}}, 6*(11+150) +
				2*(11+300)},
		// Reduce-scatter 3 steps, all-reduce of 300 bytes over 2, all-gather 3 steps.
		{"two rings, hierarchical", Hierarchical,
			[]Dim{{Link: ring, Units: 4, Shrink: 4}, {Link: ring, Level: InMachine, Units: 2, Shrink: 2}}, 6*(11+150) +
				2*(11+75)},
		// 1200 -> 300 -> 150 bytes; the switch of 3 carries 150: 4 steps of 50.
		{"three levels, hierarchical", Hierarchical,
			[]Dim{{Link: ring, Units: 4, Shrink: 4}, {Link: ring, Level: InMachine, Units: 2, Shrink: 2},
				{Link: with(KindSwitch, AlgRing), Level: InRack, Units: 3, Shrink: 3}},
			6*(11+150) + 2*(11+75) + 4*(21+25)},
		{"three levels, baseline", Baseline,
			[]Dim{{Link: ring, Units: 4, Shrink: 4}, {Link: ring, Level: InMachine, Units: 2, Shrink: 2},
				{Link: with(KindSwitch, AlgRing), Level: InRack, Units: 3, Shrink: 3}},
			6*(11+150) + 2*(11+300) + 4*(21+200)},
		// Groups of 4 and 1: four units set the steps, but the lone GPU passes all 1200 bytes on.
		{"uneven groups, hierarchical", Hierarchical,
			[]Dim{{Link: ring, Units: 4, Shrink: 1}, {Link: ring, Level: InMachine, Units: 2, Shrink: 2}}, 6*(11+150) +
				2*(11+300)},
	} {
		f := &Fabric{Scheme: c.scheme, EndpointNS: 1}
		if got := f.AllReduce(c.dims, 1200); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v ns, want %v", c.why, got, c.want)
		}
	}
}

// ASTRA-sim 1.0 itself, 10^9 bytes: within half a per cent of its measured times.
func TestSingleAllReducesOfASTRA(t *testing.T) {
	f := astraFabric()
	for _, c := range []struct {
		dims []Dim
		us   float64
	}{
		{[]Dim{{Link: f.Links[InSlot], Units: 4}}, 6989.5},
		{[]Dim{{Link: f.Links[InSlot], Units: 8}}, 4079.9},
		{[]Dim{{Link: f.Links[InSlot], Units: 4}, {Link: f.Links[InMachine], Units: 2}}, 16305.7},
		{[]Dim{{Link: f.Links[InSlot], Units: 4}, {Link: f.Links[AcrossRack], Units: 2}}, 8356.7},
	} {
		if got := f.AllReduce(c.dims, 1e9) / 1e3; math.Abs(got/c.us-1) > 0.005 {
			t.Errorf("%d levels: %.1f us, ASTRA-sim says %.1f", len(c.dims), got, c.us)
		}
	}
}

// The convention's bandwidth: 1 GiB/s times the number of links, in bytes per nanosecond.
func TestASTRA1CountsLinks(t *testing.T) {
	f := &Fabric{Convention: ASTRA1}
	gib := float64(1<<30) / 1e9
	for _, c := range []struct {
		kind  Kind
		units int
		links float64
	}{
		{KindRing, 2, 4}, {KindRing, 3, 4}, {KindRing, 5, 6}, {KindRing, 8, 8}, {KindSwitch, 2, 2}, {KindSwitch, 7, 7},
		{KindFull, 4, 4. / 3},
	} {
		d := Dim{Link: Link{Kind: c.kind, GBps: 1}, Units: c.units}
		if got := f.bandwidth(d); math.Abs(got-c.links*gib) > 1e-12 {
			t.Errorf("%v of %d: %v bytes/ns, want %v", c.kind, c.units, got, c.links*gib)
		}
	}
}

// Laws that hold for every algorithm, wiring and scheme.
func TestLaws(t *testing.T) {
	for _, scheme := range []Scheme{Baseline, Hierarchical} {
		f := &Fabric{Scheme: scheme, EndpointNS: 3}
		for k := KindRing; k <= KindFull; k++ {
			for a := AlgRing; a <= AlgTree; a++ {
				l := Link{Kind: k, Algorithm: a, GBps: 5, LatencyNS: 7}
				dims := []Dim{{Link: l, Units: 5, Shrink: 5}, {Link: l, Level: InRack, Units: 3, Shrink: 3}}
				t1, t2, t3 := f.AllReduce(dims, 1e6), f.AllReduce(dims, 2e6), f.AllReduce(dims, 3e6)
				if t2 <= t1 || math.Abs((t3-t2)-(t2-t1)) > 1e-6 {
					t.Errorf("%v %v %v: time is not linear in bytes: %v %v %v", scheme, k, a, t1, t2, t3)
				}
				for i := range dims {
					dims[i].GBps *= 2
					dims[i].LatencyNS /= 2
				}
				f2 := &Fabric{Scheme: scheme, EndpointNS: 1.5}
				if half := f2.AllReduce(dims, 1e6); math.Abs(half-t1/2) > 1e-6 {
					t.Errorf("%v %v %v: a network twice as fast takes %v, want %v", scheme, k, a, half, t1/2)
				}
			}
		}
	}
}

func TestDims(t *testing.T) {
	phys := &Fabric{}
	uneven := Layout{GPUs: 7, Slots: 3, Machines: 2, Racks: 1, SlotMin: 1, SlotMax: 4, MachineMin: 1, MachineMax: 2,
		RackMin: 2, RackMax: 2}
	for _, c := range []struct {
		why   string
		f     *Fabric
		l     Layout
		units []int
		inner []int
	}{
		{"one GPU", phys, Even(1, 1, 1, 1), nil, nil},
		{"everything", phys, Even(2, 3, 2, 4), []int{4, 2, 3, 2}, []int{4, 2, 3, 2}},
		{"uneven: largest group counts steps, smallest shrinks", phys, uneven, []int{4, 2, 2}, []int{1, 1, 2}},
		{"astra1: 7 GPUs on 2 machines are a flat ring of 7", &Fabric{Convention: ASTRA1}, uneven, []int{7}, []int{7}},
		{"astra1: two full machines count 4 slots", &Fabric{Convention: ASTRA1}, Even(1, 2, 2, 4), []int{2, 4, 2},
			[]int{2, 4, 2}},
	} {
		var units, inner []int
		for _, d := range c.f.Dims(nil, c.l) {
			units, inner = append(units, d.Units), append(inner, d.Shrink)
		}
		if !equal(units, c.units) || !equal(inner, c.inner) {
			t.Errorf("%s: units %v shrink %v, want %v %v", c.why, units, inner, c.units, c.inner)
		}
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestFabricValidateReportsAll(t *testing.T) {
	f := &Fabric{Convention: 9, Scheme: 8, EndpointNS: -1, Schedule: Schedule{Exposed: 2, BucketBytes: -1,
		OpNS: math.NaN()}}
	for i := range f.Links {
		f.Links[i] = Link{GBps: 1}
	}
	f.Links[InRack] = Link{Kind: 7, Algorithm: 6, GBps: math.NaN(), LatencyNS: -1}
	want := `fabric: rack links: kind is invalid(7), expected ring, switch or full
fabric: rack links: algorithm is invalid(6), expected ring, halving-doubling, direct or tree
fabric: rack links: GB/s is NaN, expected a number > 0
fabric: rack links: latency is -1, expected nanoseconds >= 0
fabric: convention is invalid(9), expected per-link or astra1
fabric: scheme is invalid(8), expected baseline or hierarchical
fabric: endpoint delay is -1, expected nanoseconds >= 0
fabric: exposed is 2, expected 0..1
fabric: bucket is -1, expected bytes >= 0
fabric: operation delay is NaN, expected nanoseconds >= 0`
	if err := f.Validate(); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
