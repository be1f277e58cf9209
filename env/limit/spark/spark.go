// Package spark is the simulator that Decima was trained in (Mao et al., SIGCOMM 2019), without its
// traces: executors run the tasks of jobs that are graphs of stages. Times are milliseconds.
//
// An executor belongs to a job or to none. On its first task in a job, and on one after it stood idle
// there, a task takes Fresh; on another stage of the same job First; on the same stage Rest. An executor
// that ends a task begins another of its stage while there is one. Otherwise the scheduler is asked:
//
//  1. about all executors of that stage, when its last task has been begun: each goes where it was
//     promised as its own task ends;
//  2. about all idle executors of a job, when a stage of it becomes runnable;
//  3. about all executors without a job, at the start and when a job arrives.
//
// An answer gives a number of these executors to a stage, or leaves them idle; several answers make a
// round, in which a stage is chosen once. An executor that changes its job travels first. One that
// arrives too late, or whose stage has no task left, takes the first stage that is not saturated: of its
// own job at once, of another after another journey.
//
// A stage is saturated when its tasks are begun, promised or travelled to; it may be chosen when it is
// not and the stages before it are. One that is chosen before it is runnable keeps its executors idle in
// the job.
//
// We differ in one point: a job that arrives at the start is there from the first question on, of which
// the published program draws a number of its own.
package spark

import (
	"fmt"
	"math"
)

// None is no job, stage or executor.
const None = -1

// Stage is tasks of equal length, that may begin once the stages before it have ended.
type Stage struct {
	// Tasks is at least 1.
	Tasks int
	// Rest, First and Fresh are the length of a task by what its executor did before.
	Rest, First, Fresh float64
	// Parents are stages of the same job, each before this one.
	Parents []int
}

// Job is a graph of stages.
type Job struct {
	Arrive float64
	Stages []Stage
}

// Validate reports the first fault of a list of jobs, which is to be in order of arrival.
func Validate(jobs []Job) error {
	for j := range jobs {
		job := &jobs[j]
		if len(job.Stages) == 0 || !(job.Arrive >= 0) || j > 0 && job.Arrive < jobs[j-1].Arrive {
			return fmt.Errorf("job %d: %d stages at %v ms, expected stages, and jobs in order of arrival", j,
				len(job.Stages), job.Arrive)
		}
		for k := range job.Stages {
			s := &job.Stages[k]
			if s.Tasks < 1 || !(s.Rest > 0) || !(s.First > 0) || !(s.Fresh > 0) ||
				math.IsInf(s.Rest+s.First+s.Fresh, 0) {
				return fmt.Errorf("job %d: stage %d: %d tasks of %v, %v and %v ms, expected numbers above 0", j, k, s.Tasks,
					s.Rest, s.First, s.Fresh)
			}
			for _, p := range s.Parents {
				if p < 0 || p >= k {
					return fmt.Errorf("job %d: stage %d: stage %d comes before it, expected 0..%d", j, k, p, k-1)
				}
			}
		}
	}
	return nil
}

// stage is the state of a stage.
type stage struct {
	*Stage
	job            int
	parents        []int // of all stages
	begun, ended   int
	promised, sent int // executors
	on             []int
	chosen         bool // in this round
}

// job is the state of a job.
type job struct {
	from, to int // its stages
	left     int // stages that have not ended
	held     int // executors
	runnable []int
	idle     []int
	end      float64
	seen     bool // by a reward
}

// executor is where an executor is.
type executor struct {
	job, stage int
	last       int // stage of its last task, unless it stood idle since
	target     int // where it travels
}

// promise is a number of executors of a source for a stage, or for None.
type promise struct{ stage, count int }

// Sim is a run. The zero value is not ready: New.
type Sim struct {
	delay     float64
	input     []Job
	jobs      []job
	stages    []stage
	executors []executor
	in        []int // jobs in the system, by arrival
	idle      []int // executors without a job
	promises  [][]promise
	pending   queue

	now, before float64
	asked       []int // executors that can leave now
	free        int   // executors that are asked about
	source      int   // their job, or None; it may have ended
	seen        []int
	reward      float64
}

// New makes a simulator with a number of executors; delay is how long one travels to another job.
func New(executors int, delay float64) *Sim {
	return &Sim{delay: delay, executors: make([]executor, executors)}
}

// Start begins a run of valid jobs, which are not copied. The first question is about all executors.
func (s *Sim) Start(jobs []Job) {
	s.input, s.now, s.before, s.reward = jobs, 0, 0, 0
	s.in, s.idle, s.seen, s.asked = s.in[:0], s.idle[:0], s.seen[:0], s.asked[:0]
	s.pending.reset()
	s.jobs, s.stages = grown(s.jobs, len(jobs)), s.stages[:0]
	for j := range jobs {
		from := len(s.stages)
		s.stages = grown(s.stages, from+len(jobs[j].Stages))
		x := &s.jobs[j]
		*x = job{from: from, to: len(s.stages), left: len(jobs[j].Stages), runnable: x.runnable[:0], idle: x.idle[:0],
			end: math.Inf(1)}
		for k := range jobs[j].Stages {
			t := &s.stages[from+k]
			*t = stage{Stage: &jobs[j].Stages[k], job: j, parents: t.parents[:0], on: t.on[:0]}
			for _, p := range t.Parents {
				t.parents = append(t.parents, from+p)
			}
			if len(t.parents) == 0 {
				x.runnable = append(x.runnable, from+k)
			}
		}
		if jobs[j].Arrive == 0 {
			s.in = append(s.in, j)
			continue
		}
		s.pending.push(event{at: jobs[j].Arrive, kind: arrives, of: j})
	}
	s.promises = grown(s.promises, 1+len(s.jobs)+len(s.stages))
	for i := range s.promises {
		s.promises[i] = s.promises[i][:0]
	}
	for i := range s.executors {
		s.executors[i] = executor{None, None, None, None}
		s.idle, s.asked = append(s.idle, i), append(s.asked, i)
	}
	s.source, s.free = None, len(s.executors)
}

// grown is a slice of a length that keeps what its elements hold.
func grown[T any](all []T, n int) []T {
	for cap(all) < n {
		all = append(all[:cap(all)], *new(T))
	}
	return all[:n]
}

// Done reports whether nothing is asked and nothing will happen.
func (s *Sim) Done() bool { return s.free == 0 && s.pending.len() == 0 }

// Now is the time.
func (s *Sim) Now() float64 { return s.now }

// Free is how many executors the question is about, Source the job they come from, or None.
func (s *Sim) Free() int { return s.free }

// Source is the job that the executors of the question come from; it may have ended.
func (s *Sim) Source() int { return s.source }

// Executors is how many there are.
func (s *Sim) Executors() int { return len(s.executors) }

// In lists the jobs in the system, in order of arrival.
func (s *Sim) In() []int { return s.in }

// Jobs is how many jobs the run has.
func (s *Sim) Jobs() int { return len(s.jobs) }

// End is when a job ended; infinite before.
func (s *Sim) End(j int) float64 { return s.jobs[j].end }

// Arrive is when a job arrives.
func (s *Sim) Arrive(j int) float64 { return s.input[j].Arrive }

// Stages are the stages of a job: the first, and the one after the last.
func (s *Sim) Stages(j int) (from, to int) { return s.jobs[j].from, s.jobs[j].to }

// Job is the job of a stage.
func (s *Sim) Job(k int) int { return s.stages[k].job }

// Task is the length of a task of a stage that follows one of the same stage.
func (s *Sim) Task(k int) float64 { return s.stages[k].Rest }

// Unbegun is how many tasks of a stage have not begun.
func (s *Sim) Unbegun(k int) int { return s.stages[k].Tasks - s.stages[k].begun }

// Open is how many tasks of a stage have not begun, less the executors that are promised to it or travel
// to it; it may be below 0.
func (s *Sim) Open(k int) int { return s.Unbegun(k) - s.stages[k].promised - s.stages[k].sent }

// Runnable lists the stages of a job whose parents have ended and of which tasks have not begun, in the
// order in which they came to be so.
func (s *Sim) Runnable(j int) []int { return s.jobs[j].runnable }

// May reports whether a stage may be chosen now.
func (s *Sim) May(k int) bool {
	t := &s.stages[k]
	if t.chosen || s.Open(k) <= 0 {
		return false
	}
	for _, p := range t.parents {
		if s.Open(p) > 0 {
			return false
		}
	}
	return true
}

// Held is how many executors a job has: its own, executors that travel to it, and promises to it by other
// jobs or of executors without a job.
func (s *Sim) Held(j int) int {
	n, x := s.jobs[j].held, &s.jobs[j]
	for _, p := range s.promises[s.ofJob(j)] {
		n -= s.inside(p, j)
	}
	for k := x.from; k < x.to; k++ {
		n += s.stages[k].sent + s.stages[k].promised
		for _, p := range s.promises[s.ofStage(k)] {
			n -= s.inside(p, j)
		}
	}
	return n
}

// inside is the count of a promise to a job's own stage.
func (s *Sim) inside(p promise, j int) int {
	if p.stage != None && s.stages[p.stage].job == j {
		return p.count
	}
	return 0
}

// ofJob and ofStage are the places of their promises; promises of executors without a job are first.
func (s *Sim) ofJob(j int) int   { return 1 + j }
func (s *Sim) ofStage(k int) int { return 1 + len(s.jobs) + k }
