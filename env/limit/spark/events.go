package spark

// kind is what an event is.
type kind uint8

const (
	ends    kind = iota // a task
	arrives             // a job
	reaches             // an executor
)

// event is what happens at a time: of is an executor or a job.
type event struct {
	at   float64
	seq  int
	kind kind
	of   int
}

// queue has events in order of time, and of equal times in order of their pushes.
type queue struct {
	heap []event
	next int
}

func (q *queue) reset()   { q.heap, q.next = q.heap[:0], 0 }
func (q *queue) len() int { return len(q.heap) }

func (q *queue) less(i, j int) bool {
	a, b := &q.heap[i], &q.heap[j]
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

func (q *queue) push(e event) {
	e.seq = q.next
	q.next++
	q.heap = append(q.heap, e)
	for i := len(q.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.less(i, up) {
			break
		}
		q.heap[i], q.heap[up], i = q.heap[up], q.heap[i], up
	}
}

func (q *queue) pop() event {
	first, last := q.heap[0], len(q.heap)-1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	for i := 0; ; {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < last; k++ {
			if q.less(k, least) {
				least = k
			}
		}
		if least == i {
			return first
		}
		q.heap[i], q.heap[least], i = q.heap[least], q.heap[i], least
	}
}

// advance plays events until something is asked.
func (s *Sim) advance() {
	for s.pending.len() > 0 && s.free == 0 {
		e := s.pending.pop()
		s.now = e.at
		switch e.kind {
		case ends:
			s.taskEnds(e.of)
		case arrives:
			s.in = append(s.in, e.of)
			if len(s.idle) > 0 {
				s.ask(None, s.idle)
			}
		case reaches:
			s.executorReaches(e.of)
		}
	}
}

// ask asks about executors that are all idle.
func (s *Sim) ask(source int, idle []int) {
	s.asked = append(s.asked[:0], idle...)
	s.source, s.free = source, len(idle)
}

// taskEnds takes in the end of an executor's task, and of its stage and job with it.
func (s *Sim) taskEnds(e int) {
	k := s.executors[e].stage
	t := &s.stages[k]
	t.ended++
	x, changed := &s.jobs[t.job], false
	if t.ended == t.Tasks {
		x.left--
		changed = s.open(t.job)
	}
	s.leave(e, changed)
	if x.left == 0 {
		s.end(t.job)
	}
}

// open makes stages runnable whose parents have all ended, and reports whether there was one.
func (s *Sim) open(j int) (changed bool) {
	x := &s.jobs[j]
stages:
	for k := x.from; k < x.to; k++ {
		t := &s.stages[k]
		if t.begun > 0 || len(t.parents) == 0 || has(x.runnable, k) {
			continue
		}
		for _, p := range t.parents {
			if s.stages[p].ended < s.stages[p].Tasks {
				continue stages
			}
		}
		x.runnable, changed = append(x.runnable, k), true
	}
	return changed
}

// leave gives an executor whose task has ended its next one, or asks.
func (s *Sim) leave(e int, changed bool) {
	x := &s.executors[e]
	k, j := x.stage, x.job
	switch source := s.ofStage(k); {
	case s.Unbegun(k) > 0:
		s.begin(e, k)
	case changed:
		if len(s.promises[source]) > 0 {
			s.asked = append(s.asked[:0], e)
			s.fulfil()
		} else {
			s.rest(e, j)
		}
		s.ask(j, s.jobs[j].idle)
	case len(s.promises[source]) > 0:
		s.asked = append(s.asked[:0], e)
		s.fulfil()
	default:
		s.asked = append(s.asked[:0], e)
		s.source, s.free = j, len(s.stages[k].on)
	}
}

// executorReaches ends a journey.
func (s *Sim) executorReaches(e int) {
	x := &s.executors[e]
	k := x.target
	if k == None { // the job has ended
		s.anywhere(e)
		return
	}
	s.stages[k].sent--
	x.target, x.job = None, s.stages[k].job
	s.jobs[x.job].held++
	switch {
	case s.Unbegun(k) == 0:
		s.anywhere(e)
	case has(s.jobs[x.job].runnable, k):
		s.begin(e, k)
	default:
		s.rest(e, x.job)
	}
}

// end takes a job out. Its executors are without a job, and who travels to it will find nothing.
func (s *Sim) end(j int) {
	x := &s.jobs[j]
	x.end = s.now
	for e := range s.executors {
		at := &s.executors[e]
		if at.job == j {
			s.detach(e)
		}
		if at.target != None && s.stages[at.target].job == j {
			at.target = None
		}
	}
	s.idle = append(s.idle, x.idle...)
	x.idle, x.held = x.idle[:0], 0
	s.in = without(s.in, j)
}

func has(all []int, v int) bool { return place(all, v) >= 0 }

func place(all []int, v int) int {
	for i, x := range all {
		if x == v {
			return i
		}
	}
	return -1
}

// without takes a value out, if it is there.
func without(all []int, v int) []int {
	if i := place(all, v); i >= 0 {
		return append(all[:i], all[i+1:]...)
	}
	return all
}
