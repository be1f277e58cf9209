package objective

import (
	"slices"
	"testing"
)

// TestFIFO: the fastest type with room, ties to the lower column, no job passes one that has no
// room, rate 0 is skipped.
func TestFIFO(t *testing.T) {
	in := &Input{
		Workers:    []int{4, 2, 2},
		Scale:      []int{2, 1, 4, 2, 4, 1},
		Throughput: []float64{1, 2, 3, 1, 3, 3, 0, 0, 0, 1, 1, 0, 0, 9, 9, 1, 1, 1},
	}
	if err := in.Validate(); err != nil {
		t.Fatal(err)
	}
	var x Matrix
	got, err := (&FIFO{}).Allocate(in, &x)
	if err != nil || got != 7 {
		t.Fatalf("sum %v, error %v, expected 7", got, err)
	}
	want := []float64{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}
	if !slices.Equal(x.x, want) {
		t.Errorf("fractions %v, expected %v", x.x, want)
	}
}

// TestIsolated: equal parts, and a row with more than all of the time is scaled down.
func TestIsolated(t *testing.T) {
	in := &Input{Workers: []int{2, 6}, Scale: []int{1, 8}, Throughput: []float64{1, 2, 4, 8}}
	var x Matrix
	if _, err := (Isolated{}).Allocate(in, &x); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0.25, 0.75, 0.125, 0.375}; !slices.Equal(x.x, want) {
		t.Errorf("fractions %v, expected %v", x.x, want)
	}
}

// TestValidate: each fault has its message.
func TestValidate(t *testing.T) {
	good := func() *Input {
		return &Input{Workers: []int{1, 2}, Scale: []int{1, 1}, Throughput: []float64{1, 2, 3, 4}, Entity: []int{0, 0},
			EntityWeight: []float64{1}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(in *Input){
		"gavel: no type of GPU, expected at least one": func(in *Input) {
			in.Workers = nil
		},
		"gavel: type 1 has -2 GPUs, expected 0 or more": func(in *Input) {
			in.Workers[1] = -2
		},
		"gavel: job 0 has 0 GPUs, expected 1 or more": func(in *Input) {
			in.Scale[0] = 0
		},
		"gavel: 3 values of throughput, expected 4": func(in *Input) {
			in.Throughput = in.Throughput[:3]
		},
		"gavel: 1 values of weight, expected 2": func(in *Input) {
			in.Weight = []float64{1}
		},
		"gavel: job 1 is of entity 1 of 1": func(in *Input) {
			in.Entity[1] = 1
		},
		"gavel: job 1 has the SLO 0 s, expected above 0": func(in *Input) {
			in.SLOS = []float64{1, 0}
		},
		"gavel: reference type 2 of 2 types": func(in *Input) {
			in.Reference = 2
		},
		"gavel: 3 values of pair throughput, expected 4": func(in *Input) {
			in.Pairs = []Pair{{0, 1, []float64{1, 2, 3}}}
		},
		"gavel: pair 0 of jobs 1 and 1, expected two jobs of equal scale, the lower first": func(in *Input) {
			in.Pairs = []Pair{{1, 1, nil}}
		},
	} {
		in := good()
		spoil(in)
		if err := in.Validate(); err == nil || err.Error() != want {
			t.Errorf("error %v, expected %s", err, want)
		}
	}
}

// TestNamed: the list is found by name, and a wrong name lists it.
func TestNamed(t *testing.T) {
	for _, e := range All() {
		if f, err := Named(e.Name); err != nil || f.Name != e.Name || f.Doc == "" || f.New() == nil {
			t.Errorf("%s: %+v, error %v", e.Name, f, err)
		}
	}
	if _, err := Named("none"); err == nil {
		t.Error("an unknown name is taken")
	}
}
