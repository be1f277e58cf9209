package outage

import (
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
)

// TestOutages: in order, alternating per unit, at the stated rate, and repeatable from a clone.
func TestOutages(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(2, 5, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	f := Failures{MachineMTBFS: 1000, MachineMTTRS: 100, GPUMTBFS: 4000, GPUMTTRS: 10}
	src := New(top, f, rng.Source{Seed: 1}.Stream("outages"))
	up := map[[2]int32]bool{}
	last, machines := sim.Time(0), 0
	const n = 20000
	for range n {
		o, ok := src.Next()
		unit := [2]int32{o.Machine, o.GPU}
		if !ok || o.At < last || o.Up != up[unit] {
			t.Fatalf("outage %+v after %v, unit down %v", o, last, up[unit])
		}
		up[unit] = !o.Up
		last = o.At
		if o.GPU < 0 && !o.Up {
			machines++
		}
	}
	want := last.Seconds() * 10 / 1100 // 10 machines, each fails once per 1100 s
	if got := float64(machines); math.Abs(got-want) > 4*math.Sqrt(want) {
		t.Errorf("%v failures of machines in %v, expected about %v", got, last, want)
	}
	clone := src.Clone()
	for range 100 {
		a, _ := src.Next()
		if b, _ := clone.Next(); a != b {
			t.Fatalf("the clone gives %+v, the source %+v", b, a)
		}
	}
	if New(top, Failures{MachineMTTRS: 5}, nil) != nil {
		t.Error("a cluster that never fails has outages")
	}
}

// Every number has its name and its range, and all that are wrong are reported together.
func TestValidate(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
	err := Failures{MachineMTBFS: 0.5, MachineMTTRS: 0, GPUMTBFS: math.NaN(), GPUMTTRS: 1e13}.Validate()
	for _, want := range []string{"faults.machine_mtbf_s is 0.5, expected 0 (never) or 1..1e12 seconds",
		"faults.machine_mttr_s is 0, expected 0.001..1e12 seconds",
		"faults.gpu_mtbf_s is NaN", "faults.gpu_mttr_s is 1e+13"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q in it", err, want)
		}
	}
}
