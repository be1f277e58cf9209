package sim

import (
	"context"
	"testing"

	"tarry/sim/cluster"
)

// The reason of a refusal is the true one: the type, the number, the CPU or the memory.
func TestRefusal(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{
		{{Count: 2, GPUs: 2, Type: "v100", CPUMilli: 8000, MemMiB: 65536}},
		{{Count: 1, GPUs: 4, Type: "k80", CPUMilli: 4000, MemMiB: 262144}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		job  Job
		want string
	}{
		{Job{GPUs: 1, GPUType: "V100"}, ""},
		{Job{GPUs: 8}, ""},
		{Job{GPUs: 9}, "larger than the cluster of 8 GPUs"},
		{Job{GPUs: 9, MinGPUs: 8}, ""},
		{Job{GPUs: 5, GPUType: "V100"}, `larger than the 4 GPUs of type "v100"`},
		{Job{GPUs: 1, GPUType: "v10"}, `no GPU of type "v10" in the cluster (types: v100, k80); did you mean "v100"?`},
		{Job{GPUs: 6, MemMiB: 60000}, ""}, // one on each v100 machine
		{Job{GPUs: 7, MemMiB: 60000}, "more host memory than the machines have for so many GPUs"},
		{Job{GPUs: 7, MinGPUs: 6, MemMiB: 60000}, ""},
		{Job{GPUs: 1, MemMiB: 270000}, "more host memory for each GPU than a machine has (262144 MiB)"},
		{Job{GPUs: 1, GPUType: "V100", MemMiB: 70000}, "more host memory for each GPU than a machine has (65536 MiB)"},
		{Job{GPUs: 1, CPUMilli: 9000}, "more CPU for each GPU than a machine has (8000 thousandths of a core)"},
		{Job{GPUs: 4, CPUMilli: 5000}, "more CPU than the machines have for so many GPUs"},
		{Job{GPUs: 5, CPUMilli: 4000, MemMiB: 16384}, ""},
		{Job{GPUs: 4, CPUMilli: 4000, MemMiB: 65536}, "more CPU and host memory than the machines have for so " +
			"many GPUs"},
	} {
		if got := c.job.Refusal(top); got != c.want || c.job.Fits(top) != (c.want == "") {
			t.Errorf("%+v: refused %q (fits %v), want %q", c.job, got, c.job.Fits(top), c.want)
		}
	}
}

// A job that asks for more memory than any machine has is refused when it comes, and a run with
// endless faults ends.
func TestNoMachineHoldsIt(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, MemMiB: 65536}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := jobs(t, Job{ID: "a", GPUs: 1, MemMiB: 70000, Work: Second},
		Job{ID: "b", GPUs: 1, Submit: Second, Work: Second})
	e, err := Run(context.Background(), Config{Workload: w, Topology: top, Speed: counting{}, Outages: &flicker{},
		Check: true}, greedy(nil))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := e.Record(0), e.Record(1); a.State != Refused || b.State != Done {
		t.Errorf("a is %v, b %v, expected refused and done", a.State, b.State)
	}
}

// flicker fails and repairs a machine for ever.
type flicker struct{ n Time }

func (f *flicker) Next() (Outage, bool) {
	f.n++
	return Outage{At: f.n * 10 * Second, Machine: 1, GPU: -1, Up: f.n%2 == 0}, true
}

func (f *flicker) Clone() Outages { c := *f; return &c }

// A job that names a type in another case runs there, and policies see the name as the cluster
// spells it.
func TestTypesMeetWithoutCase(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "v100"},
		{Count: 1, GPUs: 2, Type: "k80"}, {Count: 1, GPUs: 2, Type: "V100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := top.Types(); len(got) != 2 || top.OfType("V100") != 4 || top.Named("K80") != "k80" {
		t.Errorf("types %q, %d V100", got, top.OfType("V100"))
	}
	w := jobs(t, Job{ID: "a", GPUs: 4, GPUType: "V100", Work: Second})
	e, err := New(Config{Workload: w, Topology: top, Speed: counting{}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	if v.Job(0).GPUType() != "v100" || v.Job(0).Public().GPUType != "v100" || v.Free().Of("V100").Total() != 4 {
		t.Errorf("the view says %q and %q, %d free", v.Job(0).GPUType(), v.Job(0).Public().GPUType,
			v.Free().Of("V100").Total())
	}
	if err := e.Apply([]Decision{begin(0, 0, 1, 4, 5)}); err != nil {
		t.Error(err)
	}
}
