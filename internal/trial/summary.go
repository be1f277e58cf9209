package trial

import (
	"math"

	"tarry/internal/results"
	"tarry/internal/stats"
	"tarry/sim"
)

// summarise turns the lives of the jobs into the trial's row. Means and quantiles are over
// finished jobs.
func (t *Trial) summarise(e *sim.Engine) *Result {
	r := &Result{Row: results.Trial{Keys: t.Keys}, JCT: make([]float64, len(t.Workload.Jobs)), Events: e.Events()}
	s := &r.Row.Summary
	s.Jobs = int64(len(t.Workload.Jobs))
	var queue, slow, comm, run []float64
	var jct []float64
	var last sim.Time
	for id := range t.Workload.Jobs {
		job, rec := &t.Workload.Jobs[id], e.Record(sim.JobID(id))
		r.JCT[id] = math.NaN()
		s.Preemptions += int64(rec.Preemptions)
		s.Migrations += int64(rec.Migrations)
		switch rec.State {
		case sim.Refused:
			s.Refused++
			r.Refused = append(r.Refused, job.ID)
			continue
		case sim.Done:
		default:
			s.Unfinished++
			continue
		}
		last = max(last, rec.End)
		r.JCT[id] = (rec.End - job.Submit).Seconds()
		jct = append(jct, r.JCT[id])
		queue = append(queue, rec.Queue.Seconds())
		comm = append(comm, rec.Comm.Seconds())
		run = append(run, rec.Run.Seconds())
		slow = append(slow, slowdown(job, r.JCT[id]))
	}
	if s.Unfinished > 0 {
		last = e.Now()
	}
	first, _ := t.Workload.Span()
	s.Makespan = max(0, last-first).Seconds()
	s.CommMean, s.CommFrac = stats.Mean(comm), share(sum(comm), sum(run))
	_, _, busy := e.Areas()
	s.GPUUtil = share(busy.Seconds(), float64(s.Makespan*float64(t.Topology.GPUs())))
	s.Fairness = stats.Jain(slow)
	s.JCTMean, s.QueueMean, s.SlowdownMean = stats.Mean(jct), stats.Mean(queue), stats.Mean(slow)
	quantiles(jct, &s.JCTP50, &s.JCTP95, &s.JCTP99)
	quantiles(queue, &s.QueueP50, &s.QueueP95, &s.QueueP99)
	quantiles(slow, &s.SlowdownP50, &s.SlowdownP95, &s.SlowdownP99)
	return r
}

// slowdown is the completion time over the time that the job would need on the GPUs it asks
// for, at once and without communication.
func slowdown(j *sim.Job, jct float64) float64 {
	return jct / (j.Work.Seconds() / j.Width())
}

// jobRow is the job's row of the jobs table.
func (t *Trial) jobRow(rec sim.Record) results.Job {
	j, nan := &t.Workload.Jobs[rec.Job], math.NaN()
	row := results.Job{Keys: t.Keys, ID: j.ID, Submit: j.Submit.Seconds(), Start: nan, End: nan, JCT: nan, Slowdown: nan,
		Queue: rec.Queue.Seconds(), Run: rec.Run.Seconds(), Compute: (rec.Run - rec.Comm).Seconds(), Comm: rec.Comm.Seconds(),
		Overhead: rec.Overhead.Seconds(), GPUs: int64(j.GPUs), Model: j.Model, User: j.User, VC: j.VC,
		Preemptions: int64(rec.Preemptions), Migrations: int64(rec.Migrations), Faults: int64(rec.Faults), Allocations: int64(rec.Allocations),
		AllocSlot: int64(rec.ByLevel[0] + rec.ByLevel[1]), AllocMachine: int64(rec.ByLevel[2]),
		AllocRack: int64(rec.ByLevel[3]), AllocNetwork: int64(rec.ByLevel[4]), State: j.State, Drawn: j.Drawn.String()}
	if rec.Allocations > 0 {
		row.Start, row.Tier = rec.Start.Seconds(), rec.Level.String()
	}
	if rec.State == sim.Done {
		row.End = rec.End.Seconds()
		row.JCT = (rec.End - j.Submit).Seconds()
		row.Slowdown = slowdown(j, row.JCT)
	}
	return row
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// share is a/b, NaN when b is 0.
func share(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// quantiles sets the median, the 95th and the 99th percentile.
func quantiles(x []float64, p50, p95, p99 *float64) {
	q := stats.Quantiles(x, 0.5, 0.95, 0.99)
	*p50, *p95, *p99 = q[0], q[1], q[2]
}
