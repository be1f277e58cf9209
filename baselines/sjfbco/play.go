package sjfbco

import (
	"math"
	"slices"
)

// play is the memory of a play.
type play struct {
	last   []int32 // task that has a GPU last so far
	active []int32
	soon   []int32 // tasks whose GPUs are free of tasks, and not yet of other jobs
	done   []int32
}

// play plays the plan in hand, with the jobs that run: a task starts when all its GPUs are free of
// the jobs before it, and each runs at the speed that the number of jobs on its busiest link leaves
// it. It gives the last end, and the sum of the tasks' ends, in us from now.
func (p *planner) play() (last, sum float64) {
	s := &p.play_
	p.link(s)
	now := 0.0
	for len(s.active)+len(s.soon) > 0 {
		dt := math.Inf(1)
		for _, i := range s.active {
			dt = min(dt, float64(p.task(i).left*p.pace(i)))
		}
		for _, i := range s.soon {
			dt = min(dt, max(0, p.task(i).ready-now))
		}
		now += dt
		s.done = s.done[:0]
		keep := s.active[:0]
		for _, i := range s.active {
			t, pace := p.task(i), p.pace(i)
			if float64(t.left*pace) <= float64(dt*(1+1e-12)) {
				s.done = append(s.done, i)
				continue
			}
			t.left -= dt / pace
			keep = append(keep, i)
		}
		s.active = keep
		for _, i := range s.done {
			last = max(last, now)
			if int(i) >= len(p.runs) {
				sum += now
			}
			p.count(i, -1)
			for _, a := range p.task(i).after {
				if next := p.task(a); next.pending > 1 {
					next.pending--
				} else {
					s.soon = append(s.soon, a)
				}
			}
		}
		p.begin(s, now)
	}
	return last, sum
}

// task is a run, or else a task, by one number.
func (p *planner) task(i int32) *task {
	if n := int32(len(p.runs)); i >= n {
		return &p.tasks[i-n]
	}
	return &p.runs[i]
}

// link finds who waits for whom, and starts what can.
func (p *planner) link(s *play) {
	clear(p.links)
	s.last = append(s.last[:0], p.holder...)
	s.active, s.soon = s.active[:0], s.soon[:0]
	n := int32(len(p.runs))
	for i := range n + int32(len(p.tasks)) {
		t := p.task(i)
		t.left, t.pending, t.ready, t.after = t.price().alone, 0, 0, t.after[:0]
		if i < n {
			s.active = append(s.active, i)
			p.count(i, 1)
			continue
		}
		for _, g := range t.price().on {
			if s.last[g] < 0 {
				t.ready = max(t.ready, p.base[g])
			} else {
				t.pending++
				before := p.task(s.last[g])
				before.after = append(before.after, i)
			}
			s.last[g] = i
		}
		if t.pending == 0 {
			s.soon = append(s.soon, i)
		}
	}
	p.begin(s, 0)
}

// begin starts the tasks whose GPUs are free.
func (p *planner) begin(s *play, now float64) {
	s.soon = slices.DeleteFunc(s.soon, func(i int32) bool {
		if p.task(i).ready > now {
			return false
		}
		s.active = append(s.active, i)
		p.count(i, 1)
		return true
	})
}

// count adds a job to its links, or with -1 takes it off.
func (p *planner) count(i, by int32) {
	for _, l := range p.task(i).price().links {
		p.links[l] += by
	}
}

// pace is how many times longer a job takes than alone, by the jobs on its links now.
func (p *planner) pace(i int32) float64 {
	pr, k := p.task(i).price(), int32(0)
	for _, l := range pr.links {
		k = max(k, p.links[l])
	}
	return pr.slower(k, p.alpha)
}
