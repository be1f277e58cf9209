package variants

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan/victim"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// At 30 s job 3 needs two of four GPUs. A kill undoes 30 GPU-seconds of job 0, which is the last in
// order, 15 of job 1 and 20 of job 2 on two GPUs, which is before job 0 and after job 1.
func TestVictims(t *testing.T) {
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 4, 1), Speed: simtest.Counting{}, Costs: sim.Costs{Kill: true},
		Workload: hand.Numbered(t, sim.Job{GPUs: 1, Work: 200 * s}, sim.Job{GPUs: 1, Work: 50 * s, Submit: 15 * s},
			sim.Job{GPUs: 2, Work: 120 * s, Submit: 20 * s}, sim.Job{GPUs: 2, Work: 20 * s, Submit: 30 * s})}
	for victims, want := range map[string]string{"last": "30s preempt job 0, 30s preempt job 2",
		"least-lost": "30s preempt job 1, 30s preempt job 2", "least-lost-per-gpu": "30s preempt job 2",
		"one-by-one": "30s preempt job 0, 30s preempt job 2"} {
		var got []string
		for line := range strings.Lines(play(t, cfg, makeAuto,
			"lease=100,preempt=false,order=srpt,evict=later,min_run=0,victims="+victims)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "30s preempt") {
				got = append(got, line)
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("victims=%s: %s, expected %s", victims, text, want)
		}
	}
}

// Each choice keeps the rules of the kernel and of copies.
func TestChoicesOfVictimsConform(t *testing.T) {
	for _, victims := range append(victim.Names()[1:], "last,wait_checkpoint=1") {
		t.Run(victims, func(t *testing.T) {
			simtest.Policy(t, func() sim.Policy {
				p, err := makeAuto(param.Parse("dally", "lease=60,order=srpt,evict=later,min_run=0.5,victims="+victims),
					cluster.BestFit)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, simtest.Options{Seeds: 40})
		})
	}
}

// A choice without evictions is a fault.
func TestVictimsWithoutEvictions(t *testing.T) {
	_, err := makeAuto(param.Parse("dally", "victims=least-lost"), cluster.BestFit)
	if err == nil || !strings.Contains(err.Error(), "victims is least-lost with evict=none, expected evict=later") {
		t.Errorf("error %v", err)
	}
}

// At 100 s job 2 needs one of two GPUs. Checkpoints are 70 s apart: job 0, last in the order, has its
// next one at 140 s and would lose 30 s, job 1 at 160 s. A wait of 40 s or more has job 0 go at 140 s
// without a loss; a shorter one has it go at once. No other job goes in between.
func TestWaitsForACheckpoint(t *testing.T) {
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 2, 1), Speed: simtest.Counting{},
		Costs: sim.Costs{Kill: true, CheckpointEveryS: 70},
		Workload: hand.Numbered(t, sim.Job{GPUs: 1, Work: 900 * s}, sim.Job{GPUs: 1, Work: 700 * s, Submit: 20 * s},
			sim.Job{GPUs: 1, Work: 50 * s, Submit: 100 * s}, sim.Job{GPUs: 1, Work: 40 * s, Submit: 110 * s})}
	for leases, want := range map[string]string{"0": "100s preempt job 0, 110s preempt job 1",
		"0.39": "100s preempt job 0, 110s preempt job 1", "0.4": "140s preempt job 0, 160s preempt job 1",
		"5": "140s preempt job 0, 160s preempt job 1"} {
		var got []string
		for line := range strings.Lines(play(t, cfg, makeAuto,
			"lease=100,preempt=false,order=srpt,evict=later,min_run=0,victims=last,wait_checkpoint="+leases)) {
			if line = strings.TrimSpace(line); strings.Contains(line, "preempt") {
				got = append(got, line)
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("wait_checkpoint=%s: %s, expected %s", leases, text, want)
		}
	}
}

// Settings of waits and weights that contradict each other are faults that state it.
func TestFaultsOfWaitsAndWeights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.txt")
	var text bytes.Buffer
	if err := errors.Join(victim.RuleWeights(1, 0).Export(&text), os.WriteFile(path, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	const on = "evict=later,order=gittins,"
	for settings, want := range map[string]string{
		"evict=later,wait_checkpoint=1":                    "expected another choice of victims",
		on + "weights_parts=gate":                          "weights_parts is gate without weights",
		"evict=later,weights=" + path:                      "expected order=gittins and evict=later",
		"order=gittins,weights=" + path:                    "expected order=gittins and evict=later",
		on + "victims=last,weights=" + path:                "victims is last with weights, expected one of the two",
		on + "margin=1,weights=" + path:                    "margin is given with the weights of the gate",
		on + "wait_checkpoint=1,weights=" + path:           "wait_checkpoint is given with the weights of the wait",
		on + "rollout=4,weights=" + path:                   "rollout is 4 with weights or wait_checkpoint",
		on + "rollout=4,victims=last,wait_checkpoint=1":    "rollout is 4 with weights or wait_checkpoint",
		on + "weights_parts=gate+waits,weights=" + path:    `"waits", expected some of score, gate, wait`,
		on + "weights=" + path + "x":                       "no such file",
		on + "margin=1,weights_parts=wait,weights=" + path: "",
	} {
		_, err := makeAuto(param.Parse("dally", settings), cluster.BestFit)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", settings, err, want)
		}
	}
}

// Weights need predictions: a run without a predictor is an error.
func TestWeightsNeedPredictions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.txt")
	var text bytes.Buffer
	if err := errors.Join(victim.RuleWeights(0, 0).Export(&text), os.WriteFile(path, text.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	p, err := makeAuto(param.Parse("dally", "preempt=false,evict=later,min_run=0,order=gittins,weights="+path),
		cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sim.Run(context.Background(), sim.Config{Topology: hand.Topology(t, 1, 1, 1, 1), Speed: simtest.Counting{},
		Costs: sim.Costs{Kill: true}, Workload: hand.Numbered(t, sim.Job{GPUs: 1, Work: 900 * s},
			sim.Job{GPUs: 1, Work: 50 * s, Submit: 100 * s})}, p)
	if err == nil || !strings.Contains(err.Error(), "expected a run with a predictor") {
		t.Errorf("error %v", err)
	}
}
