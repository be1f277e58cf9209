package pypolicy

import (
	"fmt"
	"slices"
	"sync"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/plan"
)

// Session is what a caller may read and decide in one run. Do serves it while it decides, and
// refuses at other times.
type Session struct {
	// Number is its place among the policies of one caller.
	Number int

	mu      sync.Mutex // held while the caller does not decide
	knows   know.Set
	columns []Column
	failed  error // of Clone
	looks   bool  // reads, and decides nothing

	view    *sim.View
	out     []sim.Decision
	first   int // decisions of another caller's before ours
	waiting table
	running table
	// come is a number below which all jobs have come: they come in the order of their numbers.
	come sim.JobID
	// touched are the jobs of the last decisions, whose states may be others since.
	touched []sim.JobID

	place   *plan.Placer
	began   bool          // the plan of this decision has begun
	demands plan.Queue    // has the demands of jobs; no job waits in it
	silent  int           // decisions in a row that timers alone asked for and that start nothing
	given   []cluster.GPU // GPUs that the caller named, of the present decisions
	alarms  []plan.Alarm  // by key
	order   order
}

func newSession(number int, knows know.Set, rule cluster.Rule) *Session {
	s := &Session{Number: number, knows: knows, columns: Columns(), place: plan.NewPlacer(rule),
		waiting: table{steady: true}}
	s.order.init()
	s.mu.Lock()
	return s
}

// clone is an independent copy, without the caller's memory.
func (s *Session) clone() *Session {
	c := newSession(s.Number, s.knows, 0)
	c.waiting.jobs, c.running.jobs = slices.Clone(s.waiting.jobs), slices.Clone(s.running.jobs)
	c.come = s.come
	c.touched, c.place, c.demands = slices.Clone(s.touched), s.place.Clone(), s.demands.Clone()
	c.alarms = slices.Clone(s.alarms)
	c.order = s.order.clone()
	c.order.init()
	for i := range s.columns {
		if n := s.columns[i].names; n != nil { // codes stay what they are
			for _, name := range n.list {
				c.columns[i].names.code(name)
			}
		}
	}
	return c
}

// forget drops the caller's memory.
func (s *Session) forget() { s.waiting.kept, s.running.kept = nil, nil }

// begin opens a decision.
func (s *Session) begin(v *sim.View, out []sim.Decision) {
	s.view, s.out, s.first = v, out, len(out)
	s.given, s.began = s.given[:0], false
	s.order.begin()
	s.waiting.age()
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			s.come = max(s.come, ev.Job+1)
		}
		if ev.Job != sim.NoJob {
			s.sort(ev.Job)
		}
	}
	for _, j := range s.touched {
		s.sort(j)
	}
	s.touched = s.touched[:0]
	s.mu.Unlock()
}

// silence is after how many silent decisions a run counts as one that never ends.
const silence = 1 << 17

// listen counts silent decisions while nothing runs, and ends a run of too many: the kernel looks for
// runs without an end only while jobs hold GPUs.
func (s *Session) listen() {
	v := s.view
	timers := !slices.ContainsFunc(v.Events(), func(ev sim.Event) bool { return ev.Kind != sim.Timer })
	if !timers || len(v.Running())+v.Draining() > 0 || len(s.touched) > 0 {
		s.silent = 0
		return
	}
	if s.silent++; s.silent >= silence {
		v.Fail(fmt.Errorf("nothing runs, %d jobs wait, and %d decisions in a row that timers alone asked for started "+
			"none", v.Waiting(), s.silent))
	}
}

// sort puts a job into the table of its state.
func (s *Session) sort(j sim.JobID) {
	state := s.view.Run(j).State()
	if state != sim.Waiting {
		s.waiting.drop(j)
	}
	if state != sim.Running {
		s.running.drop(j)
	}
	switch state {
	case sim.Waiting:
		s.waiting.add(s, j)
	case sim.Running:
		s.running.add(s, j)
	}
}

// end closes a decision and gives what was decided.
func (s *Session) end() []sim.Decision {
	s.mu.Lock()
	for i := range s.out[s.first:] {
		switch d := &s.out[s.first+i]; d.Kind {
		case sim.Start, sim.Preempt, sim.Reject:
			s.touched = append(s.touched, d.Job)
		}
	}
	s.order.end(s)
	s.listen()
	out := s.out
	s.view, s.out = nil, nil
	return out
}

// placer is the placer, whose plan of this decision has begun.
func (s *Session) placer() *plan.Placer {
	if !s.began {
		s.place.Begin(s.view)
		s.began = true
	}
	return s.place
}

// Words is how many words a caller's buffer needs for Do.
func Words(jobs, gpus int) int { return fixed + max(3*jobs, 4*gpus, smallest) }

// Room is how many words a buffer for this session needs.
func (s *Session) Room() int { return Words(s.view.NumJobs(), s.view.Topology().GPUs()) }

const (
	// fixed are the words before a list, smallest is the least room behind them: texts of errors.
	fixed    = 32
	smallest = 512
)
