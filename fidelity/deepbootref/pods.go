package deepbootref

import (
	"math"
	"slices"
)

// The states of a pod.
const (
	busy = iota
	guarded
	sleeping
)

// shield is the seconds for which a pod is guarded after its first task, bonus what each reuse adds, up to
// longest.
const (
	shield  = 30
	bonus   = 15
	longest = 120
)

const never = math.MaxFloat64

// pod holds a GPU for tasks of one application. It is named after its first task.
type pod struct {
	of, state, reuses int
	live              int // seconds for which it stays guarded
	end               float64
}

func (p *pod) guard() int { return min(shield+bonus*p.reuses, longest) }

// podOf is the pod that is named after a task, nil = none.
func (w *world) podOf(j *job) *pod {
	for _, p := range w.pods[j.app] {
		if p.of == j.id {
			return p
		}
	}
	return nil
}

// drop forgets a task's pod.
func (w *world) drop(j *job) {
	w.pods[j.app] = slices.DeleteFunc(w.pods[j.app], func(p *pod) bool { return p.of == j.id })
}

// age lets a second pass for the pods.
func (w *world) age() {
	for _, list := range w.pods {
		for _, p := range list {
			switch {
			case p.state == busy:
				if float64(w.clock) >= p.end {
					p.state, p.live, p.end = guarded, p.guard(), never
				}
			case p.live > 0:
				p.live--
			default:
				p.state, p.reuses = sleeping, 0
			}
		}
	}
}

// event reports whether the simulator looks at this second: at whole intervals, where something is known
// to happen, and where a task waits and a pod may do for it.
func (w *world) event() bool {
	if w.clock%interval == 0 || w.wakes[float64(w.clock)] {
		return true
	}
	waits := map[string]bool{}
	for _, j := range w.jobs {
		if j.service && j.end < 0 && j.submit <= w.clock && len(j.placement) == 0 {
			waits[j.app] = true
		}
	}
	if len(waits) == 0 {
		return false
	}
	for app, list := range w.pods {
		for _, p := range list {
			if p.state == sleeping || p.state == guarded && waits[app] {
				return true
			}
		}
	}
	return false
}

// reuse lets a waiting task run in a pod of its application that has none, pods of most reuses first.
func (w *world) reuse(j *job) bool {
	if !j.service || j.state != start || j.submit > w.clock {
		return false
	}
	list := w.pods[j.app]
	slices.SortStableFunc(list, func(a, b *pod) int { return b.reuses - a.reuses })
	for _, p := range list {
		if p.state == busy {
			continue
		}
		j.state, j.pod, j.rescale, j.reuses, j.now = running, p.of, 0, true, w.clock
		j.began = float64(w.clock)
		j.ends = j.began + j.duration
		j.end, j.delayed = j.ends, w.clock-j.submit
		w.wakes[j.ends] = true
		if p.reuses++; p.state == sleeping {
			p.reuses = 0
		}
		p.live, p.state, p.end = p.guard(), busy, j.end
		return true
	}
	return false
}

// serve runs a task on its own pod.
func (w *world) serve(j *job, seconds int) {
	delay := min(j.rescale, seconds)
	j.now, j.attained, j.rescale, j.delayed = j.now+delay, j.attained+delay*total(j.placement), j.rescale-delay,
		j.delayed+delay
	if seconds -= delay; seconds > 0 && j.end < 0 {
		p := w.podOf(w.jobs[j.pod])
		j.end = float64(j.now) + j.duration
		if p != nil {
			if p.state = busy; float64(w.clock) >= j.end {
				p.state = guarded
			}
			p.live, p.end = p.guard(), j.end
		}
	}
	j.now += seconds
}
