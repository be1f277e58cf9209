package dispatch

import "math"

// Rule chooses targets without learning.
type Rule struct {
	// Name is unique.
	Name string
	// New begins a run: a function that chooses the target of the request that Next gives.
	New func(w *World) func() int
}

// Rules are rivals of a learner. Ties go to the lowest number.
func Rules() []Rule {
	return []Rule{
		{"cloud", func(w *World) func() int { return w.Cloud }},
		{"shortest-queue", shortest(func(w *World, _, target int) bool { return target < w.Cloud() })},
		{"shortest-with-cloud", shortest(func(*World, int, int) bool { return true })},
		{"own-cluster-first", shortest(func(w *World, cluster, target int) bool {
			return target < w.Cloud() && target*w.set.Clusters/len(w.set.Nodes) == cluster
		})},
		{"round-robin", roundRobin},
		{"least-delay", leastDelay},
	}
}

// shortest takes the shortest queue of the targets that have the pod and may be used; the cloud where
// there is none.
func shortest(may func(w *World, cluster, target int) bool) func(w *World) func() int {
	return func(w *World) func() int {
		return func() int {
			cluster, r, _ := w.Next()
			best, found := w.Cloud(), false
			for t := range w.nodes {
				if w.Has(t, r.Type) && may(w, cluster, t) && (!found || w.Waits(t) < w.Waits(best)) {
					best, found = t, true
				}
			}
			return best
		}
	}
}

// leastDelay takes the target at which the most of the request and the waiting ones end in time;
// of equals the target at which it ends first by Expect, then nodes before the cloud.
func leastDelay(w *World) func() int {
	return func() int {
		_, r, _ := w.Next()
		best, lost, ends := w.Cloud(), math.MaxInt, math.Inf(1)
		for t := range w.nodes {
			if !w.Has(t, r.Type) {
				continue
			}
			end, harmed := w.Expect(t, r)
			if end > r.DeadlineS {
				harmed++
			}
			if harmed < lost || harmed == lost && end < ends {
				best, lost, ends = t, harmed, end
			}
		}
		return best
	}
}

// roundRobin takes turns among the cloud and the nodes that have the pod, with a counter for each cluster.
func roundRobin(w *World) func() int {
	turns := make([]int, w.set.Clusters)
	return func() int {
		cluster, r, _ := w.Next()
		n := 1 // the cloud
		for t := range w.Cloud() {
			if w.Has(t, r.Type) {
				n++
			}
		}
		at := turns[cluster] % n
		turns[cluster]++
		for t := range w.Cloud() {
			if at > 0 && w.Has(t, r.Type) {
				if at--; at == 0 {
					return t
				}
			}
		}
		return w.Cloud()
	}
}
