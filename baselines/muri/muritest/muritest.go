// Package muritest has what tests of Muri and of its variant share: three made-up models and small
// runs of them.
package muritest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	profiles "tarry/sim/speed/muri"
)

// a and b take turns on two GPUs: max(400, 100) + max(100, 300) = 700 ms. c only computes: two of
// it would take 2 x 500 x 1.33 ms, more than one after the other.
const table = "model,num_gpu,iteration_time_ms,resource_time_0_ms,resource_time_1_ms,resource_time_2_ms," +
	"start_overhead_s\n" +
	"a,2,1000,400,300,0,4\nb,2,500,100,100,0,1\nc,2,500,0,500,0,0\n"

// Profile opens the table.
func Profile(t testing.TB) *profiles.Profile {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, profiles.File), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Job has n iterations on two GPUs.
func Job(id int, model string, n int64) sim.Job {
	each := map[string]float64{"a": 1.015, "b": 0.5075, "c": 0.5075}[model]
	return sim.Job{ID: fmt.Sprint(id), Model: model, GPUs: 2, Iterations: n, IterS: 2 * each,
		Work: sim.Seconds(2 * each * float64(n))}
}

// Ends runs jobs on one machine and gives their ends in seconds.
func Ends(t testing.TB, p *profiles.Profile, gpus int, by sim.Policy, jobs ...sim.Job) []float64 {
	t.Helper()
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := profiles.New(p, profiles.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true}, by)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(jobs))
	for i := range jobs {
		out[i] = e.Record(sim.JobID(i)).End.Seconds()
	}
	return out
}
