package dispatch

import (
	"slices"

	"tarry/sim/rng"
	"tarry/sim/service/dispatch"
)

// The clusters, nodes, pods and coefficients are as in the shared runs of KaiS' demo, and requests
// are drawn as there.
const (
	clusters = 2
	slotS    = 0.5
	podCPU   = 15
	podMem   = 1
)

// rates are requests per second of each cluster at load 1; slacks the seconds from a request to its
// deadline, and works its CPU-seconds, all equally likely.
func rates() []float64  { return []float64{1.2, 1.8} }
func slacks() []float64 { return []float64{2, 4, 8} }
func works() []float64  { return []float64{5, 10, 20, 30} }

func coefficients() []float64 {
	return []float64{0.8, 0.8, 0.9, 0.9, 1, 1, 1.1, 1.1, 1.2, 1.2, 1.3, 1.3}
}

// nodes are the machines, three in each cluster.
func nodes() []dispatch.Node {
	return []dispatch.Node{{CPU: 100, Mem: 4, Pods: []int{1, 6, 7}}, {CPU: 200, Mem: 6, Pods: []int{2, 7, 8, 11}},
		{CPU: 100, Mem: 8, Pods: []int{3, 6, 7, 9}}, {CPU: 200, Mem: 8, Pods: []int{4, 5, 6, 9, 11}},
		{CPU: 100, Mem: 2, Pods: []int{2, 4}}, {CPU: 200, Mem: 6, Pods: []int{5, 9, 10, 11}}}
}

// law is how requests are drawn.
type law struct {
	load  float64
	until float64 // seconds
}

// draw draws the requests of the clusters, up to the first of each after the end, into memory that the
// caller has.
func (l *law) draw(r *rng.Stream, out [][]dispatch.Request) {
	for c, rate := range rates() {
		all, at := out[c][:0], 0.0
		for at < l.until {
			at += r.ExpFloat64() / (rate * l.load)
			kind := r.IntN(len(coefficients()))
			slack, work := slacks(), works()
			all = append(all, dispatch.Request{Type: kind, ArriveS: at, DeadlineS: at + slack[r.IntN(len(slack))],
				Work: work[r.IntN(len(work))]})
		}
		out[c] = slices.Clip(all)
	}
}
