package objective

import (
	"slices"
	"testing"
)

// By hand: a GPU of type 0, one twice as fast of type 1. Of jobs with 10, 4 and 9 steps the longest
// waits. The jobs that run stay when a shorter one comes, and it gets the first GPU that comes
// free.
func TestAlloX(t *testing.T) {
	a := &AlloX{Alpha: 1}
	in := &Input{Workers: []int{1, 1}, Job: []int{7, 8, 9}, Scale: []int{1, 1, 1},
		Throughput: []float64{1, 2, 1, 2, 1, 2}, Steps: []float64{10, 4, 9},
		ElapsedS: []float64{5, 0, 0}}
	step := func(want float64, fractions ...float64) {
		t.Helper()
		if err := in.Validate(); err != nil {
			t.Fatal(err)
		}
		var x Matrix
		got, err := a.Allocate(in, &x)
		if err != nil || got != want || !slices.Equal(x.x, fractions) {
			t.Fatalf("%v %v, %v; expected %v %v", got, x.x, err, want, fractions)
		}
	}
	// 10 after 4 on the fast GPU: 2 + 7, 9 alone: 9; or 10 after 9 there: 4.5 + 9.5, 4 alone: 4.
	// The same sum 18, and 5 that job 7 has waited.
	var x Matrix
	if got, err := a.Allocate(in, &x); err != nil || got != 23 {
		t.Fatal(got, err)
	}
	if x.Row(0)[0]+x.Row(0)[1] != 0 {
		t.Fatalf("the longest job has %v, expected to wait", x.x)
	}
	before := slices.Clone(x.x[2:])
	in.Job, in.Steps, in.Throughput = []int{7, 8, 9, 11}, []float64{10, 4, 9, 1}, append(in.Throughput, 1, 2)
	in.Scale, in.ElapsedS = []int{1, 1, 1, 1}, []float64{5, 0, 0, 0}
	copied := a.Clone()
	step(0, append(append([]float64{0, 0}, before...), 0, 0)...)
	// Job 8 has gone: of 7 and 11, the shorter gets its GPU.
	in.Job, in.Steps, in.Throughput = []int{7, 9, 11}, []float64{10, 9, 1}, in.Throughput[:6]
	in.Scale, in.ElapsedS = []int{1, 1, 1}, []float64{5, 0, 0}
	var y Matrix
	if _, err := copied.Allocate(in, &x); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Allocate(in, &y); err != nil || !slices.Equal(x.x, y.x) || x.Row(2)[0]+x.Row(2)[1] != 1 ||
		x.Row(0)[0]+x.Row(0)[1] != 0 {
		t.Fatalf("%v and %v, %v", x.x, y.x, err)
	}
}

// A gang of two GPUs starts where a type has two, and no earlier.
func TestAlloXGangs(t *testing.T) {
	in := &Input{Workers: []int{1, 2}, Scale: []int{2, 1}, Throughput: []float64{9, 1, 1, 1}, Steps: []float64{1, 3},
		ElapsedS: []float64{0, 0}}
	var x Matrix
	if _, err := (&AlloX{Alpha: 1}).Allocate(in, &x); err != nil || x.Row(0)[0] != 0 || x.Row(0)[1] != 1 {
		t.Errorf("%v %v", x.x, err)
	}
}
