package spark

import "fmt"

// Scale is what a reward is divided by.
const Scale = 100_000

// Step answers the question: up to limit executors go to a stage, which May be chosen, or all that are
// asked about to None. It plays until the next question, or to the end, and gives the reward: minus the
// time that jobs spent in the system since the last one, over Scale.
func (s *Sim) Step(k, limit int) (reward float64, err error) {
	count := min(limit, s.free)
	if k != None {
		if k < 0 || k >= len(s.stages) || !has(s.in, s.stages[k].job) || !s.May(k) {
			return 0, fmt.Errorf("stage %d cannot be chosen at %v ms", k, s.now)
		}
		count = min(count, s.Open(k))
	}
	if count < 1 {
		return 0, fmt.Errorf("%d executors for stage %d at %v ms, expected 1..%d", limit, k, s.now, s.free)
	}
	s.promise(s.from(s.asked[0]), k, count)
	if s.free -= count; s.free == 0 {
		for i := range s.stages {
			s.stages[i].chosen = false
		}
		s.fulfil()
	} else if k != None {
		s.stages[k].chosen = true
	}
	s.advance()
	return s.earned(), nil
}

// earned is the reward since the last question. A job counts from the first question on that finds it.
func (s *Sim) earned() (reward float64) {
	for _, j := range s.in {
		if x := &s.jobs[j]; !x.seen {
			x.seen = true
			s.seen = append(s.seen, j)
		}
	}
	kept := s.seen[:0]
	for _, j := range s.seen {
		reward -= (min(s.jobs[j].end, s.now) - max(s.input[j].Arrive, s.before)) / Scale
		if s.jobs[j].left > 0 {
			kept = append(kept, j)
		}
	}
	s.seen, s.before = kept, s.now
	return reward
}

// from is the place of the promises that an executor fulfils.
func (s *Sim) from(e int) int {
	switch x := &s.executors[e]; {
	case x.stage != None:
		return s.ofStage(x.stage)
	case x.job != None:
		return s.ofJob(x.job)
	}
	return 0
}

// promise adds to the promises of a source.
func (s *Sim) promise(source, k, count int) {
	if k != None {
		s.stages[k].promised += count
	}
	for i := range s.promises[source] {
		if p := &s.promises[source][i]; p.stage == k {
			p.count += count
			return
		}
	}
	s.promises[source] = append(s.promises[source], promise{k, count})
}

// fulfil sends the executors that can leave now where their source promised them, the oldest first.
func (s *Sim) fulfil() {
	source := s.from(s.asked[0])
	for len(s.promises[source]) > 0 && len(s.asked) > 0 {
		p := &s.promises[source][0]
		k := p.stage
		if p.count--; p.count == 0 {
			s.promises[source] = append(s.promises[source][:0], s.promises[source][1:]...)
		}
		if k != None {
			s.stages[k].promised--
		}
		e := s.asked[0]
		s.asked = append(s.asked[:0], s.asked[1:]...)
		s.wake(e)
		s.send(e, k)
	}
}

// wake takes an executor out of the idle ones.
func (s *Sim) wake(e int) {
	if j := s.executors[e].job; j != None {
		s.jobs[j].idle = without(s.jobs[j].idle, e)
	} else {
		s.idle = without(s.idle, e)
	}
}

// send sends an executor to a stage, or lets it stand idle.
func (s *Sim) send(e, k int) {
	j := s.executors[e].job
	switch {
	case k == None:
		if j != None && !s.unbegun(j) {
			j = None
		}
		s.rest(e, j)
	case s.Unbegun(k) == 0:
		s.anywhere(e)
	case s.stages[k].job != j:
		s.travel(e, k)
	case has(s.jobs[j].runnable, k):
		s.begin(e, k)
	default:
		s.rest(e, j)
	}
}

// unbegun reports whether a job has tasks that have not begun.
func (s *Sim) unbegun(j int) bool {
	for k := s.jobs[j].from; k < s.jobs[j].to; k++ {
		if s.Unbegun(k) > 0 {
			return true
		}
	}
	return false
}

// anywhere gives an executor work where its own stage has none left: in its job, else in any.
func (s *Sim) anywhere(e int) {
	if j := s.executors[e].job; j != None {
		for _, k := range s.jobs[j].runnable {
			if s.Open(k) > 0 {
				s.begin(e, k)
				return
			}
		}
	}
	for _, j := range s.in {
		for k := s.jobs[j].from; k < s.jobs[j].to; k++ {
			if s.May(k) {
				s.travel(e, k)
				return
			}
		}
	}
	s.rest(e, s.executors[e].job)
}

// rest makes an executor idle, in a job or without one.
func (s *Sim) rest(e, j int) {
	if j == None {
		s.detach(e)
		if !has(s.idle, e) {
			s.idle = append(s.idle, e)
		}
		return
	}
	s.stop(e)
	if !has(s.jobs[j].idle, e) {
		s.jobs[j].idle = append(s.jobs[j].idle, e)
	}
}

// travel sends an executor to a stage of another job.
func (s *Sim) travel(e, k int) {
	s.detach(e)
	s.executors[e].target = k
	s.stages[k].sent++
	s.pending.push(event{at: s.now + s.delay, kind: reaches, of: e})
}

// begin begins the next task of a stage on an executor of its job.
func (s *Sim) begin(e, k int) {
	x, t := &s.executors[e], &s.stages[k]
	length := t.First
	switch {
	case x.last == None:
		length = t.Fresh
	case x.last == k:
		length = t.Rest
	}
	s.stop(e)
	x.stage, x.last = k, k
	t.on = append(t.on, e)
	if t.begun++; t.begun == t.Tasks {
		s.jobs[t.job].runnable = without(s.jobs[t.job].runnable, k)
	}
	s.pending.push(event{at: s.now + length, kind: ends, of: e})
}

// stop takes an executor from its stage; the next task is as on a new one.
func (s *Sim) stop(e int) {
	x := &s.executors[e]
	if x.stage != None {
		s.stages[x.stage].on = without(s.stages[x.stage].on, e)
	}
	x.stage, x.last = None, None
}

// detach takes an executor from its job.
func (s *Sim) detach(e int) {
	x := &s.executors[e]
	if x.job != None {
		s.jobs[x.job].held--
	}
	x.job = None
	s.stop(e)
}
