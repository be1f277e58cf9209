package baselines_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// networked are the policies with a network of a file in place of a rule.
func networked(t *testing.T) []string {
	const shipped = "../examples/weights/"
	return []string{"inspected:weights=" + shipped + "inspector.txt", "deepshare:weights=" + shipped + "deepshare.txt",
		"dl2:weights=" + shipped + "dl2.txt", "decima-like:weights=" + shipped + "decima.txt",
		"marl-like:weights=" + shipped + "marl.txt", "rltune-like:weights=" + shipped + "rltune.txt",
		"aset-like:every_s=2,weights=" + drawnNetwork(t, 12, 2)}
}

// drawnNetwork writes a network with random weights.
func drawnNetwork(t *testing.T, inputs, choices int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 1910))
	f := netfile.Form{Obs: inputs, Sizes: []int{choices}, First: []int{0}, Hidden: []int{8}, Activation: netfile.Tanh}
	all := f.Matrices()
	for i := range all {
		for range all[i].Rows * all[i].Cols {
			all[i].W = append(all[i].W, 2*r.NormFloat64())
		}
	}
	net, err := netfile.New(f, all)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "network.txt")
	file, err := os.Create(path)
	if err == nil {
		err = net.Write(file)
	}
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	return path
}

// elasticCrowd are elastic jobs that come faster than they leave.
func elasticCrowd(t *testing.T, n int) sim.Config {
	t.Helper()
	r, at := rand.New(rand.NewPCG(4, 1910)), sim.Time(0)
	var jobs []sim.Job
	for i := range n {
		at += sim.Time(r.IntN(2e6))
		gpus := int32(1 + r.IntN(6))
		work := sim.Time(gpus) * sim.Time(1e6+r.IntN(2e7))
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: gpus, MinGPUs: 1, MaxGPUs: 2 * gpus, Work: work,
			Request: work})
	}
	w, err := sim.NewWorkload("crowd", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(3, 2, 4, 2))
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Estimate: func(j sim.JobID) sim.Time { return w.Jobs[j].Work }}
}

// A policy and its clones that decide at once do what each of them does alone.
func TestClonesDecideAtOnce(t *testing.T) {
	cfg := elasticCrowd(t, 60)
	for _, spec := range networked(t) {
		p := freshly(t, spec, cluster.BestFit)(cfg.Workload)
		tape := func(p sim.Policy) ([]string, error) {
			var got simtest.Tape
			_, err := sim.Run(context.Background(), cfg, p, &got)
			return got.Lines, err
		}
		clone := p.(interface{ Clone() sim.Policy }).Clone
		want, err := tape(clone())
		if err != nil || len(want) < len(cfg.Workload.Jobs) {
			t.Fatalf("%s: %d allocations, error %v", spec, len(want), err)
		}
		all := []sim.Policy{p, clone(), clone(), clone()}
		got, errs := make([][]string, len(all)), make([]error, len(all))
		var wait sync.WaitGroup
		for i, one := range all {
			wait.Go(func() { got[i], errs[i] = tape(one) })
		}
		wait.Wait()
		for i := range all {
			if errs[i] != nil || !slices.Equal(got[i], want) {
				t.Errorf("%s: clone %d of %d at once differs from one alone, error %v", spec, i, len(all), errs[i])
			}
		}
	}
}
