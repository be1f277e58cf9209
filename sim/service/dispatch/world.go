package dispatch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tarry/internal/fixmath"
)

// World is a world in a slot: Next gives the cluster that is to choose a target by Hand, until none is
// left and Close ends the slot. Once warm it allocates nothing.
type World struct {
	set      *Setting
	now      float64
	slot     int
	asked    int // turns of the slot that were had or passed
	requests [][]Request
	came     []int // by cluster: requests that arrived
	waiting  [][]held
	nodes    []node // and the cloud
	result   Slot   // of the slot that is being made
	last     Slot   // of the slot before
}

// Slot is what happened in a slot, by cluster.
type Slot struct {
	Done, Missed []int
	Reward       []float64
}

// held is a request of a cluster.
type held struct {
	Request
	cluster int
}

type pod struct {
	kind  int
	until float64
	does  held
	busy  bool
}

type node struct {
	cpu   float64 // free
	pods  []pod
	queue []held
}

// New begins a world, in its first slot; requests are by cluster and in order of arrival.
func New(set *Setting, requests [][]Request) (*World, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	n := set.Clusters
	w := &World{set: set, came: make([]int, n), waiting: make([][]held, n), result: makeSlot(n), last: makeSlot(n)}
	for _, n := range set.Nodes {
		w.nodes = append(w.nodes, makeNode(n.Pods))
	}
	all := make([]int, len(set.Coefficients))
	for k := range all {
		all[k] = k
	}
	w.nodes = append(w.nodes, makeNode(all))
	return w, w.Restart(requests)
}

// Restart begins anew with other requests, in the memory that the world has.
func (w *World) Restart(requests [][]Request) error {
	if len(requests) != w.set.Clusters {
		return fmt.Errorf("dispatch: requests of %d clusters, expected %d", len(requests), w.set.Clusters)
	}
	for c, all := range requests {
		for i, r := range all {
			if r.Type < 0 || r.Type >= len(w.set.Coefficients) || !(r.Work >= 0) || i > 0 && r.ArriveS < all[i-1].ArriveS {
				return fmt.Errorf("dispatch: cluster %d: request %d is %+v, expected one of a known type, in order of "+
					"arrival", c, i, r)
			}
		}
	}
	w.requests, w.slot = requests, 0
	clear(w.came)
	for c := range w.waiting {
		w.waiting[c] = w.waiting[c][:0]
	}
	for i := range w.nodes {
		n := &w.nodes[i]
		if n.cpu = math.Inf(1); i < w.Cloud() {
			n.cpu = w.set.Nodes[i].CPU
		}
		for j := range n.pods {
			n.pods[j] = pod{kind: n.pods[j].kind}
		}
		n.queue = n.queue[:0]
	}
	w.open()
	return nil
}

func makeNode(kinds []int) (n node) {
	for _, k := range kinds {
		n.pods = append(n.pods, pod{kind: k})
	}
	return n
}

func makeSlot(n int) Slot { return Slot{make([]int, n), make([]int, n), make([]float64, n)} }

// open begins a slot.
func (w *World) open() {
	w.now, w.asked = float64(w.slot+1)*w.set.SlotS, 0
	clear(w.result.Done)
	clear(w.result.Missed)
	for c := range w.waiting {
		w.waiting[c] = w.drop(w.waiting[c])
		all := w.requests[c]
		for ; w.came[c] < len(all) && all[w.came[c]].ArriveS < w.now; w.came[c]++ {
			w.waiting[c] = append(w.waiting[c], held{all[w.came[c]], c})
		}
		slices.SortStableFunc(w.waiting[c], byDeadline)
	}
}

func byDeadline(a, b held) int { return earlier(a.Request, b.Request) }

func earlier(a, b Request) int {
	return cmp.Or(cmp.Compare(a.DeadlineS, b.DeadlineS), cmp.Compare(a.ArriveS, b.ArriveS))
}

// drop takes overdue requests out of a queue.
func (w *World) drop(queue []held) []held {
	return slices.DeleteFunc(queue, func(r held) bool {
		if w.now >= r.DeadlineS {
			w.result.Missed[r.cluster]++
		}
		return w.now >= r.DeadlineS
	})
}

// Now is the time of the slot in seconds.
func (w *World) Now() float64 { return w.now }

// Slot is the number of the slot.
func (w *World) Slot() int { return w.slot }

// Ended reports whether all slots are over.
func (w *World) Ended() bool { return w.slot >= w.set.Slots }

// Next is the cluster that is to choose a target, and the request; ok is false where the slot has none
// left, and Close is due.
func (w *World) Next() (cluster int, r Request, ok bool) {
	n := w.set.Clusters
	for ; w.asked < n*max(1, w.set.Turns) && !w.Ended(); w.asked++ {
		if q := w.waiting[w.asked%n]; len(q) > 0 {
			return w.asked % n, q[0].Request, true
		}
	}
	return 0, Request{}, false
}

// Cloud is the number of the cloud as a target; those below it are the nodes.
func (w *World) Cloud() int { return len(w.nodes) - 1 }

// Has reports whether a target has a pod of a type.
func (w *World) Has(target, kind int) bool {
	return slices.ContainsFunc(w.nodes[target].pods, func(p pod) bool { return p.kind == kind })
}

// Waits counts the requests in the queue of a target.
func (w *World) Waits(target int) int { return len(w.nodes[target].queue) }

// Held counts the requests at a cluster.
func (w *World) Held(cluster int) int { return len(w.waiting[cluster]) }

// Hand gives the request of the cluster that Next named to a target with a pod of its type.
func (w *World) Hand(target int) error {
	c, r, ok := w.Next()
	switch {
	case !ok:
		return fmt.Errorf("dispatch: slot %d has no request to hand on", w.slot)
	case target < 0 || target > w.Cloud() || !w.Has(target, r.Type):
		return fmt.Errorf("dispatch: slot %d: target %d for a request of type %d, expected one of 0..%d that has its pod",
			w.slot, target, r.Type, w.Cloud())
	}
	n := &w.nodes[target]
	at := len(n.queue) // behind all that are not later, so that the queue is in order
	for ; at > 0 && byDeadline(w.waiting[c][0], n.queue[at-1]) < 0; at-- {
	}
	n.queue = slices.Insert(n.queue, at, w.waiting[c][0])
	w.waiting[c] = slices.Delete(w.waiting[c], 0, 1)
	w.asked++
	return nil
}

// Close lets nodes and cloud work, ends the slot and begins the next. Requests that were not handed on
// wait. What it gives is valid until the next Close.
func (w *World) Close() Slot {
	for i := range w.nodes {
		w.nodes[i].queue = w.drop(w.nodes[i].queue)
	}
	for i := range w.nodes {
		w.work(&w.nodes[i])
	}
	for c := range w.result.Reward {
		w.result.Reward[c] = w.reward(c)
	}
	w.result, w.last = w.last, w.result
	w.slot++
	w.open()
	return w.last
}

// work ends what is done at a node, and walks its queue.
func (w *World) work(n *node) {
	for j := range n.pods {
		if p := &n.pods[j]; p.busy && p.until <= w.now {
			p.busy = false
			w.result.Done[p.does.cluster]++
			if w.set.CPUReturned {
				n.cpu += w.takes(p.kind)
			}
		}
	}
	for i := 0; i < len(n.queue); {
		moved := false
		for j := 0; j < len(n.pods) && i < len(n.queue); j++ {
			if n.pods[j].kind == n.queue[i].Type && !n.pods[j].busy && w.serve(n, &n.pods[j], n.queue[i]) {
				n.queue = slices.Delete(n.queue, i, i+1)
				moved = true
			}
		}
		if !moved {
			i++
		}
	}
}

// takes is the CPU of a pod.
func (w *World) takes(kind int) float64 { return float64(w.set.PodCPU * w.set.Coefficients[kind]) }

// serve lets a free pod start a request, or misses it; false where the node has not the CPU.
func (w *World) serve(n *node, p *pod, r held) bool {
	end := w.now + r.Work/w.takes(p.kind)
	if end > r.DeadlineS {
		w.result.Missed[r.cluster]++
		return true
	}
	if n.cpu < w.takes(p.kind) {
		return false
	}
	n.cpu -= w.takes(p.kind)
	p.busy, p.until, p.does = true, end, r
	return true
}

// Free gives the free parts of a node's CPU and memory.
func (w *World) Free(i int) (cpu, mem float64) {
	mem = w.set.Nodes[i].Mem
	for _, k := range w.set.Nodes[i].Pods {
		mem -= float64(w.set.PodMem * w.set.Coefficients[k])
	}
	return w.nodes[i].cpu / w.set.Nodes[i].CPU, mem / w.set.Nodes[i].Mem
}

// reward is e^-(missed part) of a cluster's requests that ended, plus e^-s, s being the sample standard
// deviation of its nodes' free parts.
func (w *World) reward(c int) float64 {
	lost := 0.0
	if m := w.result.Missed[c]; m > 0 {
		lost = float64(m) / float64(m+w.result.Done[c])
	}
	per := len(w.set.Nodes) / w.set.Clusters
	n, mean, spread := float64(2*per), 0.0, 0.0
	for i := c * per; i < (c+1)*per; i++ {
		cpu, mem := w.Free(i)
		mean += (cpu + mem) / n
	}
	for i := c * per; i < (c+1)*per; i++ {
		cpu, mem := w.Free(i)
		spread += float64((cpu-mean)*(cpu-mean)) + float64((mem-mean)*(mem-mean))
	}
	return fixmath.Exp(-lost) + fixmath.Exp(-math.Sqrt(spread/(n-1)))
}
