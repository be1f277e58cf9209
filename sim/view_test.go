package sim

import (
	"slices"
	"testing"

	"tarry/internal/natural"
	"tarry/sim/cluster"
)

// An elastic job that asks for more than the cluster has of its type is planned with what there is;
// no other job's demand is touched.
func TestDemandOfElasticJobs(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Slots: 1, Type: "a"},
		{Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	job := func(id string, least, g int32, typ string) Job {
		return Job{ID: id, GPUs: g, MinGPUs: least, GPUType: typ, Work: 1}
	}
	w, err := NewWorkload("w", []Job{job("0", 2, 9, ""), job("1", 2, 9, "a"), job("2", 2, 5, "b"), job("3", 1, 3, "a"),
		job("4", 0, 5, ""), job("5", 3, 9, "b"), job("6", 0, 7, "")})
	if err != nil {
		t.Fatal(err)
	}
	// the least of a job is rounded up to whole workers, its demand down to the cluster's
	for id, of := range map[string]int32{"7": 4, "8": 4, "9": 3} {
		x := job(id, 3, 12, map[string]string{"7": "", "8": "b", "9": ""}[id])
		x.WorkerGPUs = of
		w.Jobs = append(w.Jobs, x)
	}
	slices.SortFunc(w.Jobs, func(a, b Job) int { return natural.Compare(a.ID, b.ID) })
	e, err := New(Config{Workload: w, Topology: top, Speed: counting{}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []int{6, 4, 2, 3, 5, 3, 7, 4, 4, 6} {
		if got := v.Job(JobID(j)).GPUs(); got != want || v.Job(JobID(j)).Width() != float64(want) {
			t.Errorf("job %d is planned with %d GPUs, width %v, expected %d", j, got, v.Job(JobID(j)).Width(), want)
		}
		if refused := v.Run(JobID(j)).State() == Refused; refused != (j == 5 || j == 6 || j == 8) {
			t.Errorf("job %d refused: %v", j, refused)
		}
	}
}
