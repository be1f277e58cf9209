package dl2

import (
	"cmp"
	"math"
	"slices"
)

// Rule allocates a slot that is open.
type Rule struct {
	// Name is how the results state it, Doc what it does.
	Name, Doc string
	// Allocate gives the jobs of the slot workers and servers.
	Allocate func(w *World)
}

// Rules are the published rules, then rules of ours in the same cluster.
func Rules() []Rule {
	return []Rule{
		{"DRF", "pairs to the job with the least dominant share, up to the first misfit",
			func(w *World) { w.DRF(nil) }},
		{"FIFO", "pairs up to the cap in order of arrival, up to the first misfit",
			func(w *World) { w.fill(w.set.Most, func(int) float64 { return 0 }) }},
		{"SRTF", "as FIFO, by the part of the epochs that is left", func(w *World) { w.fill(w.set.Most, w.leftPart) }},
		{"Tetris", "node by node, pairs by alignment plus weighted work left", (*World).tetris},
		{"Optimus", "tasks by the gain in slots left, up to the first misfit", (*World).optimus},
		{"TIME", "as FIFO, by the slots left with all workers", func(w *World) { w.byTime(w.set.Most) }},
		{"TIME4", "as TIME, at most 4 pairs a job", func(w *World) { w.byTime(4) }},
		{"GAIN", "pairs by the part of the epochs left that one does, for its units; skips misfits", (*World).gain},
	}
}

// byTime is FIFO's allocation in order of the slots left with all workers and servers.
func (w *World) byTime(most int) {
	w.fill(most, w.SlotsLeft)
}

// sorted is the jobs in the system by a key, ties by arrival and id. The keys are read once.
func (w *World) sorted(key func(j int) float64) []int {
	w.left = append(w.left[:0], w.queue...)
	w.keys = slices.Grow(w.keys[:0], len(w.jobs))[:len(w.jobs)]
	for _, j := range w.left {
		w.keys[j] = key(j)
	}
	slices.SortFunc(w.left, func(a, b int) int { return cmp.Or(cmp.Compare(w.keys[a], w.keys[b]), a-b) })
	return w.left
}

// fill gives jobs, by a key, as many pairs as they may have; the first misfit ends it.
func (w *World) fill(most int, key func(j int) float64) {
	for _, j := range w.sorted(key) {
		for range min(most, w.set.Most) {
			if !w.Give(j, 1, 1) {
				return
			}
		}
	}
}

// DRF gives pairs, a worker and then a server, to the job with the least dominant share. Before
// each of the two, before is called; nil = nothing is.
func (w *World) DRF(before func(j int, server bool)) {
	w.left = append(w.left[:0], w.queue...)
	w.keys = slices.Grow(w.keys[:0], len(w.jobs))[:len(w.jobs)]
	clear(w.keys)
	for len(w.left) > 0 {
		at := 0
		for i, j := range w.left {
			if w.keys[j] < w.keys[w.left[at]] {
				at = i
			}
		}
		j := w.left[at]
		if !w.pair(j, before) {
			return
		}
		if w.keys[j] = w.Tasks[j].Share; w.Tasks[j].Workers >= w.set.Most {
			w.left = slices.Delete(w.left, at, at+1)
		}
	}
}

// pair gives a job a worker and a server of one node, if both fit there.
func (w *World) pair(j int, before func(j int, server bool)) bool {
	node := w.emptiest()
	if _, fits := w.needs(node, j, 1, 1); !fits {
		return false
	}
	for k := range 2 {
		if before != nil {
			before(j, k == 1)
		}
		w.giveOn(node, j, 1-k, k)
	}
	return true
}

// tetris fills node after node.
func (w *World) tetris() {
	if len(w.ids) == 0 {
		return
	}
	w.keys = slices.Grow(w.keys[:0], len(w.jobs))[:len(w.jobs)]
	for n := range w.used {
		for w.tetrisPair(n) {
		}
	}
}

// tetrisPair gives the job with the largest score a pair on a node; false = the node is done.
func (w *World) tetrisPair(n int) bool {
	aligned, sizes := 0.0, 0.0
	size := func(j int) float64 {
		return float64(w.kind(j).Worker.plus(w.kind(j).Server).sum()) * w.leftPart(j)
	}
	for _, j := range w.ids {
		pair, align := w.kind(j).Worker.plus(w.kind(j).Server), 0
		for r := range pair {
			align += (w.set.Units - w.used[n][r]) * pair[r]
		}
		w.keys[j] = float64(align)
		aligned += w.keys[j]
		sizes += size(j)
	}
	count := float64(len(w.ids))
	weight := (aligned / count) / (sizes / count)
	if weight == 0 {
		return false
	}
	best, most := -1, math.Inf(-1)
	for _, j := range w.ids {
		if w.Tasks[j].Workers >= w.set.Most {
			continue
		}
		if score := w.keys[j] + float64(weight*size(j)); score > most {
			best, most = j, score
		}
	}
	return best >= 0 && w.giveOn(n, best, 1, 1)
}

// bid is the task that a job would have next in Optimus, and its key: less is earlier.
type bid struct {
	key    float64
	server bool
}

// never is the key of a job without a worker or without a server.
const never = -2147483647

// bid gives the larger gain of one more worker or server; servers win ties.
func (w *World) bid(j int) bid {
	t, k := &w.Tasks[j], w.kind(j)
	switch {
	case t.Workers == 0:
		return bid{never, false}
	case t.Servers == 0:
		return bid{never, true}
	}
	left := w.jobs[j].Epochs - t.Done
	now := left / k.Epochs(t.Workers, t.Servers, w.set.SlotS)
	worker := now - left/k.Epochs(t.Workers+1, t.Servers, w.set.SlotS)
	server := now - left/k.Epochs(t.Workers, t.Servers+1, w.set.SlotS)
	if server >= worker {
		return bid{-server, true}
	}
	return bid{-worker, false}
}

// optimus gives one task at a time to the job with the least key.
func (w *World) optimus() {
	w.left = append(w.left[:0], w.ids...)
	for len(w.left) > 0 {
		at, best := 0, bid{key: math.Inf(1)}
		for i, j := range w.left {
			if b := w.bid(j); b.key < best.key {
				at, best = i, b
			}
		}
		if best.key >= 0 {
			return
		}
		j, workers, servers := w.left[at], 1, 0
		if best.server {
			workers, servers = 0, 1
		}
		if w.Tasks[j].Workers+workers > w.set.Most || w.Tasks[j].Servers+servers > w.set.Most {
			w.left = slices.Delete(w.left, at, at+1)
			continue
		}
		if !w.Give(j, workers, servers) {
			return
		}
	}
}

// gain gives one pair at a time to the job with the largest Gain whose pair fits on the node with the
// fewest used units, until none does.
func (w *World) gain() {
	for {
		best, most := -1, 0.0
		for _, j := range w.queue {
			if g := w.Gain(j); g > most && w.Room(j, 1, 1) {
				best, most = j, g
			}
		}
		if best < 0 {
			return
		}
		w.Give(best, 1, 1)
	}
}

// Gain is the part of a job's epochs left that one more pair does in a slot, for each unit that the
// pair holds: the rule GAIN gives by it.
func (w *World) Gain(j int) float64 {
	t, k := &w.Tasks[j], w.kind(j)
	left := w.jobs[j].Epochs - t.Done
	more := k.Epochs(t.Workers+1, t.Servers+1, w.set.SlotS) - k.Epochs(t.Workers, t.Servers, w.set.SlotS)
	return more / left / float64(k.Worker.plus(k.Server).sum())
}

// Play allocates every slot by a rule up to the last job, and gives the slots' rewards.
func (w *World) Play(r Rule) (rewards []float64) {
	for !w.Ended() {
		w.Open()
		r.Allocate(w)
		w.Close()
		rewards = append(rewards, w.Reward)
	}
	return rewards
}
