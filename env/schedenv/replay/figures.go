package replay

import (
	"math"
	"slices"

	"tarry/env/trait"
	"tarry/sim"
)

// Figures are the results of one run over a window: means over its jobs, but for QueueP99S.
type Figures struct {
	// JCTS is the completion time, WaitS the time without GPUs, both in seconds; QueueP99S is the
	// 99th percentile of the latter.
	JCTS, WaitS, QueueP99S float64
	// Slowdown is bounded, with 10 s.
	Slowdown    float64
	Preemptions float64
}

// shortestS bounds the run times of the slowdown from below, in seconds.
const shortestS = 10

// Figures reads the results of a run that has ended.
func (w *Window) Figures() (f Figures) {
	n := float64(len(w.Jobs))
	w.waits = w.waits[:0]
	for j := range w.Jobs {
		r := w.Engine.Record(sim.JobID(j))
		jct := (w.End(sim.JobID(j)) - w.Jobs[j].Submit).Seconds()
		f.JCTS += jct / n
		f.Slowdown += max(1, jct/max(shortestS, w.Jobs[j].RunTime().Seconds())) / n
		f.WaitS += r.Queue.Seconds() / n
		f.Preemptions += float64(r.Preemptions) / n
		w.waits = append(w.waits, r.Queue.Seconds())
	}
	slices.Sort(w.waits)
	f.QueueP99S = w.waits[int(math.Ceil(0.99*n))-1]
	return f
}

// Cost is what a search makes small.
type Cost uint8

// The costs.
const (
	// ByJCT is the mean completion time.
	ByJCT Cost = iota
	// ByBSLD is the mean bounded slowdown, with 10 s.
	ByBSLD
	// ByBoth is the root of the product of the two ratios: long jobs decide about the first, short
	// ones about the second.
	ByBoth
)

// Costs are how users write them: Costs()[c] is Cost c.
func Costs() []string { return []string{"jct", "bsld", "both"} }

// Over is the cost of a run beside a reference's.
func (c Cost) Over(f, base *Figures) float64 {
	jct, slow := f.JCTS/base.JCTS, f.Slowdown/base.Slowdown
	switch c {
	case ByBSLD:
		return slow
	case ByBoth:
		return math.Sqrt(float64(jct * slow))
	}
	return jct
}

// Outcome gives the cost and the metrics of a run beside a reference, whose name stands in them.
func (c Cost) Outcome(f, base *Figures, name string) trait.Outcome {
	return trait.Outcome{Cost: c.Over(f, base), Metrics: []trait.Metric{
		{Name: "jct_s", Value: f.JCTS}, {Name: name + "_jct_s", Value: base.JCTS},
		{Name: "queue_p99_s", Value: f.QueueP99S}, {Name: name + "_queue_p99_s", Value: base.QueueP99S},
		{Name: "slowdown", Value: f.Slowdown}, {Name: name + "_slowdown", Value: base.Slowdown},
		{Name: "preemptions_per_job", Value: f.Preemptions}}}
}
