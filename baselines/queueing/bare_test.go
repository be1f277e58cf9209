package queueing_test

import (
	"context"
	"testing"
	"time"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/rng"
	"tarry/sim/simtest"
	"tarry/traces/synth"
)

// BenchmarkBare sets FIFO beside the heap and placement operations of the same run and nothing
// else: each end of a job is put into and taken out of a heap, GPUs are looked for by best fit,
// taken and given back. FIFO without a kernel (stripped) is the third. They play in turn, and the least
// processor time of each counts, so that other load on the machine weighs little; ratio is FIFO's time
// over the bare one, kernel-ratio over the stripped one.
func BenchmarkBare(b *testing.B) {
	b.Run("generated", func(b *testing.B) {
		c, err := synth.Parse("philly,jobs=20000,gpus=512")
		if err != nil {
			b.Fatal(err)
		}
		w, err := synth.Generate(c, rng.Source{Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		bare(b, w)
	})
	b.Run("philly", func(b *testing.B) {
		bare(b, philly(b))
	})
}

func bare(b *testing.B, w *sim.Workload) {
	top := topology(b, 8, 8, 8)
	tape := record(b, w, top)
	var whole, ops, lean time.Duration
	var events int64
	for b.Loop() {
		start := cpuTime(b)
		events = run(b, w, top, policy(b, "fifo", "")).Events()
		middle := cpuTime(b)
		if got := tape.play(cluster.NewFree(top)); got != top.GPUs() {
			b.Fatalf("%d GPUs free at the end, want %d", got, top.GPUs())
		}
		late := cpuTime(b)
		if _, err := strip(w, top); err != nil {
			b.Fatal(err)
		}
		ops, whole, lean = least(ops, late-middle), least(whole, middle-start), least(lean, cpuTime(b)-late)
	}
	b.ReportMetric(float64(whole.Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(ops.Nanoseconds())/float64(events), "bare-ns/event")
	b.ReportMetric(float64(lean.Nanoseconds())/float64(events), "stripped-ns/event")
	b.ReportMetric(float64(whole)/float64(ops), "ratio")
	b.ReportMetric(float64(whole)/float64(lean), "kernel-ratio")
}

// least is the smaller of two times, the first of which may not be known yet.
func least(a, b time.Duration) time.Duration {
	if a == 0 || b < a {
		return b
	}
	return a
}

// operation is one of a run: a place for n GPUs is looked for and taken until at, or looked for in
// vain, or the first end in the heap comes.
type operation struct {
	kind uint8
	n    int32
	// hold is which memory keeps the GPUs.
	hold int32
	at   sim.Time
}

const (
	taken uint8 = iota
	vain
	ended
)

type operations []operation

// recorder notes what FIFO has done.
type recorder struct {
	sim.Policy
	ops  operations
	at   []int           // job -> its take
	hold []int32         // job -> memory
	idle []int32         // memory that no job has
	line []sim.JobID     // jobs that wait, in order
	rows [][]cluster.GPU // memory
}

func (r *recorder) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Finish:
			r.ops[r.at[ev.Job]].at = v.Now()
			r.ops = append(r.ops, operation{kind: ended})
			r.idle = append(r.idle, r.hold[ev.Job])
		case sim.Arrive:
			r.line = append(r.line, ev.Job)
		}
	}
	was := len(out)
	out = r.Policy.Decide(v, out)
	for _, d := range out[was:] {
		if len(r.idle) == 0 {
			r.idle = append(r.idle, int32(len(r.rows)))
			r.rows = append(r.rows, nil)
		}
		last := len(r.idle) - 1
		r.at[d.Job], r.hold[d.Job] = len(r.ops), r.idle[last]
		r.ops = append(r.ops, operation{kind: taken, n: int32(len(d.GPUs)), hold: r.idle[last]})
		r.idle, r.line = r.idle[:last], r.line[1:]
	}
	if len(r.line) > 0 {
		r.ops = append(r.ops, operation{kind: vain, n: int32(v.Job(r.line[0]).GPUs())})
	}
	return out
}

func record(b *testing.B, w *sim.Workload, top *cluster.Topology) operations {
	b.Helper()
	r := &recorder{Policy: policy(b, "fifo", ""), at: make([]int, len(w.Jobs)), hold: make([]int32, len(w.Jobs))}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}},
		r); err != nil {
		b.Fatal(err)
	}
	return r.ops
}

// play does the operations on a free list and gives how many GPUs are free at the end.
func (ops operations) play(free *cluster.Free) int {
	var ends endHeap
	var held [][]cluster.GPU
	for i := range ops {
		op := &ops[i]
		switch op.kind {
		case ended:
			gpus := held[ends.pop().hold]
			free.ReleaseAll(gpus)
		default:
			for l := cluster.LevelSlot; l <= cluster.LevelCluster && int(op.n) <= free.Total(); l++ {
				if free.Largest(l) < int(op.n) {
					continue
				}
				for int(op.hold) >= len(held) {
					held = append(held, nil)
				}
				gpus, _ := free.At(held[op.hold][:0], int(op.n), l, cluster.BestFit)
				free.TakeAll(gpus)
				held[op.hold] = gpus
				ends.push(end{at: op.at, seq: int64(i), hold: op.hold})
				break
			}
		}
		free.Commit()
	}
	return free.Total()
}

// end is the end of a job; endHeap is a plain binary heap of them.
type end struct {
	at   sim.Time
	seq  int64
	hold int32
}

func (a *end) before(b *end) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

type endHeap []end

func (h *endHeap) push(x end) {
	*h = append(*h, x)
	s := *h
	p := len(s) - 1
	for ; p > 0 && x.before(&s[(p-1)/2]); p = (p - 1) / 2 {
		s[p] = s[(p-1)/2]
	}
	s[p] = x
}

func (h *endHeap) pop() end {
	s := *h
	first, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	p := 0
	for c := 1; c < len(s); c = 2*p + 1 {
		if c+1 < len(s) && s[c+1].before(&s[c]) {
			c++
		}
		if !s[c].before(&last) {
			break
		}
		s[p], p = s[c], c
	}
	if len(s) > 0 {
		s[p] = last
	}
	return first
}
