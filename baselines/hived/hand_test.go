package hived

import (
	"fmt"
	"slices"
	"testing"

	"tarry/baselines/hived/cells"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
	"tarry/sim/simtest"
)

// ask is a job of a virtual cluster for gpus at submit that runs for run, both in seconds.
func ask(vc string, priority int32, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{VC: vc, Priority: priority, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) *
		sim.Seconds(run)}
}

const machines = "cells=a:machine*1/b:machine*1"

// b asks for its machine at 10 s and gets it, from an opportunistic job, though a has a pair of
// GPUs: the opportunistic one, which has done 9 s of 50, finds no four GPUs until 40 s.
func TestGuarantee(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 2, 40), ask("a", -1, 1, 4, 50), ask("b", 0, 10, 4, 30)}
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}.Expect(t, policy(t, machines)(),
		"1 on [4 5 6 7] 1s-10s preempt", "0 on [0 1] 0s-40s finish", "2 on [4 5 6 7] 10s-40s finish",
		"1 on [0 1 2 3] 40s-81s finish")
}

// The checkpoint of the opportunistic job takes 2 s: its GPUs are b's from 10 s on, so that the
// one-GPU job of a at 11 s goes beside a's pair, and b starts at 12 s.
func TestReservation(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 2, 40), ask("a", -1, 1, 4, 50), ask("b", 0, 10, 4, 30), ask("c", -1, 11, 1, 5)}
	costs := sim.Costs{Checkpoint: sim.Cost{FixedS: 2}}
	simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs, Costs: costs}.Expect(t, policy(t, machines)(),
		"1 on [4 5 6 7] 1s-12s preempt", "3 on [2] 11s-16s finish", "0 on [0 1] 0s-40s finish",
		"2 on [4 5 6 7] 12s-42s finish", "1 on [0 1 2 3] 40s-81s finish")
}

// a owns one machine. A second job of a waits for it, or runs opportunistically meanwhile: then b
// takes its GPUs at 5 s, and it starts anew on a's cells at 20 s with 15 s left of 19.
func TestOver(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 4, 20), ask("a", 0, 1, 4, 19), ask("b", 0, 5, 4, 30)}
	h := simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}
	h.Expect(t, policy(t, machines+",over=large")(), "0 on [0 1 2 3] 0s-20s finish", "2 on [4 5 6 7] 5s-35s finish",
		"1 on [0 1 2 3] 20s-39s finish")
	h.Expect(t, policy(t, machines)(), "1 on [4 5 6 7] 1s-5s preempt", "0 on [0 1 2 3] 0s-20s finish",
		"2 on [4 5 6 7] 5s-35s finish", "1 on [0 1 2 3] 20s-35s finish")
}

// A job of 5 GPUs is larger than a's machine: it is opportunistic, or rejected. Its pods are 1 and
// 4 GPUs, the smaller one first; b's cell is the machine with less of it, and there the pair that
// it does not use.
func TestLarge(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 5, 20), ask("b", 0, 5, 1, 10)}
	h := simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}
	h.Expect(t, policy(t, machines)(), "1 on [2] 5s-15s finish", "0 on [0 4 5 6 7] 0s-20s finish")
	h.Expect(t, policy(t, machines+",over=none")(), "1 on [0] 5s-15s finish")
}

// The stronger job of a stops the weaker at 5 s, or, lazily, takes its cells and leaves it the
// GPUs, since others are idle; b then needs these, and the weaker one waits.
func TestPriorities(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 4, 20), ask("a", 1, 5, 4, 10), ask("b", 0, 12, 4, 4)}
	h := simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}
	h.Expect(t, policy(t, machines+",over=large")(), "0 on [0 1 2 3] 0s-5s preempt", "1 on [0 1 2 3] 5s-15s finish",
		"2 on [4 5 6 7] 12s-16s finish", "0 on [0 1 2 3] 15s-30s finish")
	h.Expect(t, policy(t, machines+",over=large,lazy=true")(), "0 on [0 1 2 3] 0s-12s preempt",
		"1 on [4 5 6 7] 5s-15s finish", "2 on [0 1 2 3] 12s-16s finish", "0 on [4 5 6 7] 15s-23s finish")
}

// Job 0 has 20 GPU-seconds at 5 s and falls; job 1 stops it at 8 s. Job 2 comes at 9 s, is of the
// same queue as job 1 and waits. Both are done when job 0 resumes at 13 s.
func TestLAS(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 4, 20), ask("a", 0, 8, 4, 3), ask("a", 0, 9, 4, 2)}
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "inside=las,queues=20")(),
		"0 on [0 1 2 3] 0s-8s preempt", "1 on [0 1 2 3] 8s-11s finish", "2 on [0 1 2 3] 11s-13s finish",
		"0 on [0 1 2 3] 13s-25s finish")
	// In FIFO order they follow one another.
	simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}.Expect(t, policy(t, "")(),
		"0 on [0 1 2 3] 0s-20s finish", "1 on [0 1 2 3] 20s-23s finish", "2 on [0 1 2 3] 23s-25s finish")
}

// The job of 3 GPUs blocks the line behind it, or is passed over.
func TestLine(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 2, 10), ask("a", 0, 1, 3, 10), ask("a", 0, 2, 1, 3)}
	h := simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: jobs}
	h.Expect(t, policy(t, "")(), "2 on [2] 2s-5s finish", "0 on [0 1] 0s-10s finish", "1 on [0 1 2] 10s-20s finish")
	h.Expect(t, policy(t, "over=large,line=strict")(), "0 on [0 1] 0s-10s finish", "2 on [3] 10s-13s finish",
		"1 on [0 1 2] 10s-20s finish")
}

// Machine 0 fails at 5 s for 20 s. a's job moves to the other machine, which is idle; b's waits
// until 25 s, since only one machine is healthy.
func TestFailure(t *testing.T) {
	jobs := []sim.Job{ask("a", 0, 0, 4, 10), ask("b", 0, 6, 4, 10)}
	h := simtest.ByHand{Shape: [3]int{1, 2, 4}, Jobs: jobs}
	h.Outages = outage.Schedule{{At: sim.Seconds(5), Machine: 0, GPU: -1},
		{At: sim.Seconds(25), Machine: 0, GPU: -1, Up: true}}
	h.Expect(t, policy(t, machines)(), "0 on [0 1 2 3] 0s-5s fault", "0 on [4 5 6 7] 5s-15s finish",
		"1 on [4 5 6 7] 15s-25s finish")
}

// Cells of a cluster: two racks of two machines with two slots of 4 GPUs, one of which has a
// machine of another type.
func TestCells(t *testing.T) {
	spec := cluster.Uniform(2, 2, 8, 2)
	spec.Racks[1] = append(spec.Racks[1], cluster.Machines{Count: 1, GPUs: 3, Type: "fast"})
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	chains := chainsOf(top)
	got := fmt.Sprint(len(chains), chains[0].sizes, chains[0].node, chains[0].left, chains[1].sizes, chains[1].machines)
	if want := "2 [1 2 4 8 16] 3 32 [1 3] [4]"; got != want {
		t.Errorf("cells %s, expected %s", got, want)
	}
	// 13 GPUs are a machine, a slot and a GPU; with racks 29 are a rack, and 13 again.
	for _, c := range []struct {
		gpus  int
		racks bool
		want  []int // GPUs of the cells
	}{{13, false, []int{8, 4, 1}}, {29, true, []int{16, 8, 4, 1}}, {29, false, []int{8, 8, 8, 4, 1}},
		{40, false, []int{8, 8, 8, 8}}} {
		chain, vc := chainsOf(top)[0], cells.VC{}
		chain.spend(&vc, c.gpus, c.racks)
		var sizes []int
		for _, b := range vc.Bought {
			for range b.Cells {
				sizes = append(sizes, chain.sizes[len(chain.sizes)-len(b.Path)])
			}
		}
		if !slices.Equal(sizes, c.want) {
			t.Errorf("%d GPUs are cells of %v, expected %v", c.gpus, sizes, c.want)
		}
	}
	// 20 GPUs of 35 are 19 of the first kind, by proportion 18.3 and what rounding leaves, and 1 of
	// the other.
	if p := parts(chains, 20); !slices.Equal(p, []int{19, 1}) {
		t.Errorf("parts %v", p)
	}
}

// Racks with different numbers of machines are no cells, and machines of different sizes are chains
// of their own.
func TestUneven(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4}}, {{Count: 1, GPUs: 4}, {Count: 1, GPUs: 1}}}}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	chains := chainsOf(top)
	if len(chains) != 2 || chains[0].inRack != 1 || !slices.Equal(chains[0].sizes, []int{1, 2, 4}) ||
		!slices.Equal(chains[1].sizes, []int{1, 1}) {
		t.Errorf("chains %+v", chains)
	}
}

// Pods on machines of 8 GPUs and 16 cores: 20 GPUs are 4 and two of 8; a job with 3 cores for a GPU
// gets pods of 5 on 8 GPUs; in workers of 6 it has none that fit.
func TestPods(t *testing.T) {
	c := chain{kind: kind{gpus: 8, cpu: 16000}}
	for _, k := range []struct {
		d    demand
		want string
	}{
		{demand{gpus: 20}, "[{1 4} {2 8}] [4 8 8]"},
		{demand{gpus: 20, worker: 4}, "[{5 4}] [4 4 4 4 4]"},
		{demand{gpus: 7, cpu: 3000}, "[{1 3} {1 8}] [2 5]"},
		{demand{gpus: 6, worker: 6, cpu: 3000}, "[] []"},
		{demand{gpus: 12, worker: 12}, "[{1 4} {1 8}] [4 8]"}, // a worker larger than a machine
		{demand{gpus: 1, cpu: 17000}, "[] []"},
	} {
		got, _ := c.cut(&k.d, k.d.gpus, k.d.worker)
		if text := fmt.Sprint(got.members, got.take); text != k.want {
			t.Errorf("%+v: pods %s, expected %s", k.d, text, k.want)
		}
	}
}
