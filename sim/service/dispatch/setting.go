// Package dispatch has a world of slots in which each cluster hands one request in a slot to a node of
// any cluster or to the cloud: the environment in which KaiS learns. It is arithmetic without a kernel
// and without chance.
//
// Reading guide: setting.go has what a world is made of, world.go what happens in a slot, rules.go how
// to choose without learning, expect.go when a request would end at a target. A slot of number s is at (s + 1) x SlotS:
//
//  1. Each cluster drops what has waited at it beyond its deadline, takes the requests that arrived
//     before now, and hands the request of the earliest deadline (then arrival) to a target. With more
//     Turns than one, all clusters do so again.
//  2. Each node drops overdue requests of its queue, in the same order; then pods end what is done.
//  3. It walks its queue: a free pod of the request's type starts it where it ends by its deadline and
//     the node has the pod's CPU; a request that would end later is missed; without CPU it waits.
//
// The walk goes from pod to pod with the request that moved up, as in the original. There the CPU of a
// request is never given back (Setting.CPUReturned false), so that nodes stop after a few.
package dispatch

import (
	"errors"
	"fmt"
	"math"
)

// Node is a machine.
type Node struct {
	// CPU and Mem are what it has.
	CPU, Mem float64
	// Pods are the types of request of which it has a pod, in ascending order.
	Pods []int
}

// Setting is what a world is made of. The cloud has a pod of each type and CPU without end.
type Setting struct {
	Nodes []Node
	// Clusters divides the nodes into so many groups of equal size.
	Clusters int
	// PodCPU and PodMem, times the coefficient of its type, are what a pod takes.
	Coefficients   []float64
	PodCPU, PodMem float64
	// SlotS is the length of a slot in seconds, Slots their number.
	SlotS float64
	Slots int
	// Turns is how many requests a cluster may hand on in a slot; 0 = 1, as in the original.
	Turns int
	// CPUReturned states that a request gives its CPU back at its end.
	CPUReturned bool
}

// Validate reports every fault.
func (s *Setting) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("dispatch: "+format, args...)) }
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	if s.Clusters < 1 || len(s.Nodes) == 0 || len(s.Nodes)%max(1, s.Clusters) != 0 {
		bad("%d nodes in %d clusters, expected as many in each, and one or more", len(s.Nodes), s.Clusters)
	}
	if !positive(s.PodCPU) || !(s.PodMem >= 0) || !positive(s.SlotS) || s.Slots < 1 || s.Turns < 0 {
		bad("pods of %v CPU and %v memory, %d slots of %v s with %d turns, expected numbers above 0", s.PodCPU, s.PodMem,
			s.Slots, s.SlotS, s.Turns)
	}
	for k, c := range s.Coefficients {
		if !positive(c) {
			bad("coefficient %d is %v, expected a number above 0", k, c)
		}
	}
	for i, n := range s.Nodes {
		if !positive(n.CPU) || !positive(n.Mem) {
			bad("node %d has %v CPU and %v memory, expected numbers above 0", i, n.CPU, n.Mem)
		}
		for j, k := range n.Pods {
			if k < 0 || k >= len(s.Coefficients) || j > 0 && k <= n.Pods[j-1] {
				bad("node %d has pods of types %v, expected ascending ones below %d", i, n.Pods, len(s.Coefficients))
				break
			}
		}
	}
	return errors.Join(errs...)
}

// Request is one request, at one cluster. Its times are in seconds, its work in CPU-seconds.
type Request struct {
	Type                     int
	ArriveS, DeadlineS, Work float64
}

// takes is the CPU of a pod.
func (s *Setting) takes(kind int) float64 { return float64(s.PodCPU * s.Coefficients[kind]) }

// Service is the time in seconds that a pod needs for a request.
func (s *Setting) Service(r Request) float64 { return r.Work / s.takes(r.Type) }

// Possible is the part of the requests that would end in time if each was handed on at once to a pod that
// is free: no choice of targets serves more.
func (s *Setting) Possible(requests [][]Request) float64 {
	n, all := 0, 0
	for _, of := range requests {
		for _, r := range of {
			all++
			if at := float64((math.Floor(r.ArriveS/s.SlotS) + 1) * s.SlotS); at+s.Service(r) <= r.DeadlineS {
				n++
			}
		}
	}
	return float64(n) / float64(max(1, all))
}
