package schedinspector

import (
	"fmt"
	"math"
)

// Job is a job of a log.
type Job struct {
	Submit, Run, Request float64
	Procs                int
}

// Log is the jobs that come one after another, and the processors of the cluster. Longest is what
// requests are observed relative to.
type Log struct {
	Jobs    []Job
	Procs   int
	Longest float64
}

// Validate reports a log that cannot be played.
func (l *Log) Validate() error {
	at := math.Inf(-1)
	for i := range l.Jobs {
		j := &l.Jobs[i]
		if j.Procs < 1 || j.Procs > l.Procs || !(j.Run >= 0) || !(j.Request > 0) || !(j.Submit >= at) ||
			math.IsInf(j.Run+j.Request+j.Submit, 1) {
			return fmt.Errorf("job %d is %+v, expected 1..%d processors, finite times, a request > 0 and no earlier submit "+
				"than before", i, *j, l.Procs)
		}
		at = j.Submit
	}
	if !(l.Longest > 0) {
		return fmt.Errorf("the longest request is %v s, expected > 0", l.Longest)
	}
	return nil
}

// Setting states an episode: Jobs jobs from First on, under a base rule.
type Setting struct {
	First, Jobs int
	Base        Rule
	Backfill    bool
}

const (
	pauseS   = 600   // of a refusal
	longS    = 43200 // half a day: waits and refused times are relative to it
	shortS   = 10    // shorter runs and requests count as this long
	nearOne  = 1 - 1e-5
	nearNull = 1e-5
)

// World plays an episode. Begin makes it ready; once warm it allocates nothing.
type World struct {
	log  *Log
	set  Setting
	last int // behind the episode's last job

	now     float64
	next    int   // the job that comes next
	free    int   // processors
	queue   []int // jobs, the order decides between equal scores
	running []int // in the order of the last sort
	scored  [][2]float64
	start   []float64 // of the episode's jobs; < 0 = not yet
	refused []float64 // seconds
	pick    int       // the job in question

	refusals, decisions int
	sum                 float64 // of the bounded slowdowns of started jobs
}

// Begin starts an episode, up to its first decision.
func (w *World) Begin(l *Log, s Setting) error {
	if s.First < 0 || s.Jobs < 1 || s.First+s.Jobs > len(l.Jobs) {
		return fmt.Errorf("%d jobs from %d on, expected some of %d", s.Jobs, s.First, len(l.Jobs))
	}
	w.log, w.set, w.last = l, s, s.First+s.Jobs
	w.now, w.next, w.free = l.Jobs[s.First].Submit, s.First, l.Procs
	w.queue, w.running, w.scored = w.queue[:0], w.running[:0], w.scored[:0]
	w.start, w.refused = w.start[:0], w.refused[:0]
	for i := range s.Jobs {
		w.start, w.refused = append(w.start, -1), append(w.refused, 0)
		a, b := s.Base.Score(l, &l.Jobs[s.First+i])
		w.scored = append(w.scored, [2]float64{a, b})
	}
	w.refusals, w.decisions, w.sum = 0, 0, 0
	w.arrive()
	w.choose()
	return nil
}

// job is a job of the episode by its number in the log.
func (w *World) job(i int) *Job { return &w.log.Jobs[i] }

// choose lets the base rule pick.
func (w *World) choose() {
	w.pick = w.queue[0]
	for _, i := range w.queue[1:] {
		a, b := w.scored[i-w.set.First], w.scored[w.pick-w.set.First]
		if a[0] < b[0] || a[0] == b[0] && a[1] < b[1] {
			w.pick = i
		}
	}
}

// Act lets the picked job go, or refuses it, and reports whether the episode has ended.
func (w *World) Act(refuse bool) (ended bool) {
	w.decisions++
	if refuse {
		w.refusals++
		w.refused[w.pick-w.set.First] += pauseS
		w.wait()
	} else {
		for limit := w.earliest(w.pick); !w.Fits(); {
			w.fill(limit)
			w.advance()
		}
		w.begin(w.pick)
	}
	for len(w.queue) == 0 {
		if w.next == w.last {
			return true
		}
		w.advance()
	}
	w.choose()
	return false
}

// begin starts a job.
func (w *World) begin(i int) {
	j := w.job(i)
	w.start[i-w.set.First] = w.now
	w.free -= j.Procs
	w.running = append(w.running, i)
	w.leave(i)
	w.sum += max(1, (w.now-j.Submit+j.Run)/max(j.Run, shortS))
}

// leave takes a job out of the queue.
func (w *World) leave(i int) {
	for k, q := range w.queue {
		if q == i {
			w.queue = append(w.queue[:k], w.queue[k+1:]...)
			return
		}
	}
}

// Picked is the number in the log of the job in question.
func (w *World) Picked() int { return w.pick }

// Fits reports whether the job in question can run now.
func (w *World) Fits() bool { return w.job(w.pick).Procs <= w.free }

// Wide reports whether the job in question asks for more than a part of the cluster.
func (w *World) Wide(part float64) bool {
	return float64(w.job(w.pick).Procs) > float64(part*float64(w.log.Procs))
}

// RefusedS is the refused time of the job in question.
func (w *World) RefusedS() float64 { return w.refused[w.pick-w.set.First] }

// Stuck reports whether nothing runs and no job is to come, so that a refusal changes nothing.
func (w *World) Stuck() bool { return len(w.running) == 0 && w.next == w.last }

// Now is the present time, Waiting how many jobs wait.
func (w *World) Now() float64 { return w.now }

// Waiting is how many jobs wait, the one in question among them.
func (w *World) Waiting() int { return len(w.queue) }

// Start is when the i-th job of the episode started; < 0 = not yet.
func (w *World) Start(i int) float64 { return w.start[i] }

// Slowdown is the mean bounded slowdown of the episode that has ended.
func (w *World) Slowdown() float64 { return w.sum / float64(w.set.Jobs) }

// Counts gives the refusals and decisions so far.
func (w *World) Counts() (refusals, decisions int) { return w.refusals, w.decisions }

// NumFeatures is how many numbers Observe writes.
const NumFeatures = 7

// Observe writes what the inspector sees.
func (w *World) Observe(obs []float64) {
	j := w.job(w.pick)
	part := func(x, of float64) float64 { return min(x/of, nearOne) }
	cost := 0.0
	for _, i := range w.queue {
		cost += pauseS / max(w.job(i).Request, shortS)
	}
	procs := float64(w.log.Procs)
	obs[0], obs[1] = part(w.now-j.Submit, longS), part(j.Request, w.log.Longest)
	obs[2], obs[3], obs[4] = part(float64(j.Procs), procs), part(float64(w.free), procs), nearNull
	if w.Fits() {
		obs[4] = nearOne
	}
	obs[5] = min(w.RefusedS()/longS, 1)
	obs[6] = part(cost, pauseS/10*ofJobs)
}

// ofJobs is the jobs of a published episode, that the queue's cost is relative to.
const ofJobs = 128
