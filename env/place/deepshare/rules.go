package deepshare

import (
	"cmp"
	"slices"
)

// Rule plays the placing of a round.
type Rule struct {
	Name, Doc string
	// PreemptAll states that every job is preempted at the end of a round.
	PreemptAll bool
	// Place places the jobs of a round; each, if not nil, is called before each action.
	Place func(w *World, each func(action int))
}

// Rules are the rules of the authors' runs.
func Rules() []Rule {
	return []Rule{
		{"las", "the longest trained first", true, func(w *World, _ func(int)) {
			slices.SortStableFunc(w.Queue, func(a, b int) int { return w.Jobs[b].Rounds - w.Jobs[a].Rounds })
			w.heads()
		}},
		{"srtf", "the least part done first", true, func(w *World, _ func(int)) {
			part := func(j int) float64 { return w.Jobs[j].Done / w.Jobs[j].Samples }
			slices.SortStableFunc(w.Queue, func(a, b int) int { return cmp.Compare(part(a), part(b)) })
			w.heads()
		}},
		{"rl-first", "the lowest action that places a job", false, by(First)},
		{"rl-spread", "the nodes with the fewest GPUs in use", false, by(Spread)},
	}
}

// by makes a rule of the actions that a function chooses.
func by(choose func(w *World) int) func(w *World, each func(int)) {
	return func(w *World, each func(int)) {
		for placed := true; placed; {
			w.Look()
			action := choose(w)
			if each != nil {
				each(action)
			}
			placed = w.Act(action)
		}
	}
}

// First is the lowest action that places a job; Stop = none does.
func First(w *World) int { return w.least(func(int) float64 { return 0 }) }

// Spread is the action whose nodes have the fewest GPUs in use, per node; ties to the lowest.
func Spread(w *World) int { return w.least(w.full) }

// Pack is the action whose nodes have the most GPUs in use, per node; ties to the lowest.
func Pack(w *World) int { return w.least(func(action int) float64 { return -w.full(action) }) }

// full is how many GPUs the nodes of an action have in use, per node.
func (w *World) full(action int) float64 {
	n, nodes := 0, w.places[action]
	for _, at := range nodes {
		n += w.seen(at)
	}
	return float64(n) / float64(len(nodes))
}

// least is the action with the lowest score of the actions that place a job.
func (w *World) least(score func(action int) float64) int {
	best, lowest := Stop, 0.0
	for action := range Stop {
		if w.Chosen(action) < 0 {
			continue
		}
		if s := score(action); best == Stop || s < lowest {
			best, lowest = action, s
		}
	}
	return best
}

// heads places the head of the queue until it fits nowhere: most nodes first, the lowest with room.
func (w *World) heads() {
	for len(w.Queue) > 0 {
		nodes := w.fit(w.Jobs[w.Queue[0]].Type)
		if nodes == nil {
			return
		}
		w.start(w.Queue[0], nodes)
	}
}

// fit finds nodes for a type of jobs; nil = there are none.
func (w *World) fit(kind int) []int8 {
	for most := kinds - 1; most >= 0; most-- {
		if !legal(kind, most) {
			continue
		}
		want := 2 << most
		w.room = w.room[:0]
		for n := range w.on {
			used := 0
			for _, j := range w.on[n] {
				used += w.Jobs[j].PerNode
			}
			if used+GPUs(kind)/want <= NodeGPUs && len(w.room) < want {
				w.room = append(w.room, int8(n))
			}
		}
		if len(w.room) == want {
			return w.room
		}
	}
	return nil
}

// Play lets a rule play a round.
func (r Rule) Play(w *World, each func(action int)) {
	r.Place(w, each)
	w.Close(r.PreemptAll)
}
