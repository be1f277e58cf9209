package trial

import (
	"math"
	"math/bits"
	"slices"

	"tarry/internal/stats"
	"tarry/sim"
	"tarry/sim/cluster"
)

// lives collects what the summary needs of each job when it ends: five numbers in the order of
// JobIDs, so that sums do not depend on the order in which jobs end, and two more in runs that have
// them.
type lives struct {
	// jct is Result.JCT; the others are of the same jobs, in seconds. ideal is the time on the GPUs
	// asked for, at full speed.
	jct, queue, run, ideal column
	comm, overhead, lost   column
	finished, rejected     int
	refused                []Refusal
	preemptions            int64
	migrations, faults     int64
	entered                bool // a job came into the cluster
	first, last            sim.Time
	// hi and lo sum the times that jobs spent in the system, in microseconds.
	hi, lo uint64
	buf    []float64
}

// Refusal is a job that the cluster can never hold.
type Refusal struct {
	// Job is its id, Why the reason, as sim.Job.Refusal gives it.
	Job, Why string
}

// column is a number by JobID; nil as long as all are zero.
type column []float64

// set keeps a number of n jobs'.
func (c *column) set(n int, id sim.JobID, v float64) {
	if v == 0 && *c == nil {
		return
	}
	if *c == nil {
		*c = make(column, n)
	}
	(*c)[id] = v
}

func newLives(n int) *lives {
	l := &lives{jct: make(column, n), first: sim.Never}
	for id := range l.jct {
		l.jct[id] = math.NaN()
	}
	return l
}

// add takes the life of a job on a cluster that is over, or that the run's end cut.
func (l *lives) add(t *cluster.Topology, j *sim.Job, r *sim.Record, now sim.Time) {
	l.first = min(l.first, j.Submit)
	l.preemptions += int64(r.Preemptions)
	l.migrations += int64(r.Migrations)
	l.faults += int64(r.Faults)
	if r.State == sim.Refused {
		l.refused = append(l.refused, Refusal{j.ID, j.Refusal(t)})
		return
	}
	l.entered = true
	end := now
	switch r.State {
	case sim.Done:
		end = r.End
		l.done(j, r)
	case sim.Rejected:
		end = r.End
		if l.rejected++; r.Allocations > 0 { // it used the cluster, so the makespan counts it
			l.last = max(l.last, r.End)
		}
	}
	var carry uint64
	l.lo, carry = bits.Add64(l.lo, uint64(end-j.Submit), 0)
	l.hi += carry
}

// done takes the life of a job that did all its work.
func (l *lives) done(j *sim.Job, r *sim.Record) {
	n := len(l.jct)
	l.finished++
	l.last = max(l.last, r.End)
	l.jct[r.Job] = (r.End - j.Submit).Seconds()
	l.queue.set(n, r.Job, r.Queue.Seconds())
	l.run.set(n, r.Job, r.Run.Seconds())
	l.comm.set(n, r.Job, r.Comm.Seconds())
	l.overhead.set(n, r.Job, r.Overhead.Seconds())
	l.lost.set(n, r.Job, r.LostRun.Seconds())
	l.ideal.set(n, r.Job, alone(j))
}

// values gives a number of each finished job, in memory that the next call takes.
func (l *lives) values(of func(id int) float64) []float64 {
	l.buf = slices.Grow(l.buf[:0], l.finished)
	for id, v := range l.jct {
		if !math.IsNaN(v) {
			l.buf = append(l.buf, of(id))
		}
	}
	return l.buf
}

// at gives the numbers of a column.
func (c column) at(id int) float64 {
	if c == nil {
		return 0
	}
	return c[id]
}

// mean returns the mean of a column.
func (l *lives) mean(c column) float64 { return stats.Mean(l.values(c.at)) }

// sum returns the sum of a column.
func (l *lives) sum(c column) float64 { return sum(l.values(c.at)) }

// slow is a job's slowdown, bounded its bounded one.
func (l *lives) slow(id int) float64 { return slowdown(l.jct[id], l.ideal[id]) }

func (l *lives) bounded(id int) float64 { return boundedSlowdown(l.jct[id], l.ideal[id]) }

// quantiles sets the median, the 95th and the 99th percentile.
func (l *lives) quantiles(of func(id int) float64, p50, p95, p99 *float64) {
	x := l.values(of)
	slices.Sort(x)
	*p50, *p95, *p99 = stats.Quantile(x, 0.5), stats.Quantile(x, 0.95), stats.Quantile(x, 0.99)
}
