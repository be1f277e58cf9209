package trial

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/sim"
)

// summarise turns the lives of the jobs into the trial's row. Means and quantiles are over
// finished jobs.
func (t *Trial) summarise(e *sim.Engine) *Result {
	r := &Result{Row: results.Trial{Keys: t.Keys}, JCT: make([]float64, len(t.Workload.Jobs)), Events: e.Events()}
	s := &r.Row.Summary
	s.Jobs = int64(len(t.Workload.Jobs))
	var jct, queue, run, overhead, lost, slow, bounded, comm []float64
	nobody := true // came into the cluster
	var last sim.Time
	for id := range t.Workload.Jobs {
		job, rec := &t.Workload.Jobs[id], e.Record(sim.JobID(id))
		r.JCT[id] = math.NaN()
		s.Preemptions += int64(rec.Preemptions)
		s.Migrations += int64(rec.Migrations)
		s.Faults += int64(rec.Faults)
		nobody = nobody && !entered(rec.State)
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
		s.Finished++
		last = max(last, rec.End)
		r.JCT[id] = (rec.End - job.Submit).Seconds()
		jct = append(jct, r.JCT[id])
		queue = append(queue, rec.Queue.Seconds())
		comm = append(comm, rec.Comm.Seconds())
		run = append(run, rec.Run.Seconds())
		overhead = append(overhead, rec.Overhead.Seconds())
		lost = append(lost, rec.LostRun.Seconds())
		slow = append(slow, slowdown(job, r.JCT[id]))
		bounded = append(bounded, boundedSlowdown(job, r.JCT[id]))
	}
	if s.Unfinished > 0 {
		last = e.Now()
	}
	if s.Makespan = math.NaN(); !nobody {
		first, _ := t.Workload.Span()
		s.Makespan = max(0, last-first).Seconds()
	}
	s.FinishedSet = finishedSet(t.Workload, r.JCT)
	s.RunMean, s.OverheadMean, s.LostMean = stats.Mean(run), stats.Mean(overhead), stats.Mean(lost)
	s.CommMean, s.CommFrac = stats.Mean(comm), share(sum(comm), sum(run))
	_, _, busy := e.Areas()
	s.GPUUtil = share(busy.Seconds(), float64(s.Makespan*float64(t.Topology.GPUs())))
	s.Fairness = stats.Jain(slow)
	s.JCTMean, s.QueueMean, s.SlowdownMean = stats.Mean(jct), stats.Mean(queue), stats.Mean(slow)
	s.BSLDMean = stats.Mean(bounded)
	quantiles(jct, &s.JCTP50, &s.JCTP95, &s.JCTP99)
	quantiles(queue, &s.QueueP50, &s.QueueP95, &s.QueueP99)
	quantiles(slow, &s.SlowdownP50, &s.SlowdownP95, &s.SlowdownP99)
	return r
}

// entered reports whether a job came into the cluster: it arrived and was not refused.
func entered(s sim.JobState) bool { return s != sim.Pending && s != sim.Refused }

// finishedSet is a hash of the names of the finished jobs, "" when all finished.
func finishedSet(w *sim.Workload, jct []float64) string {
	h, all := sha256.New(), true
	for id := range w.Jobs {
		if math.IsNaN(jct[id]) {
			all = false
			continue
		}
		fmt.Fprintf(h, "%q\n", w.Jobs[id].ID)
	}
	if all {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// outcome is how a job's life ended, in the words of the table.
func outcome(s sim.JobState) string {
	switch s {
	case sim.Done:
		return "finished"
	case sim.Refused:
		return "refused"
	}
	return "unfinished"
}

// slowdown is the completion time over the time that the job would need on the GPUs it asks
// for, at once and without communication.
func slowdown(j *sim.Job, jct float64) float64 {
	return jct / (j.Work.Seconds() / j.Width())
}

// boundS is the run time in seconds below which a job counts as that long in its bounded slowdown.
const boundS = 10

// boundedSlowdown is the slowdown in which short jobs count as boundS long, and at least 1: Feitelson and Rudolph, "Metrics and
// benchmarking for parallel job scheduling", JSSPP 1998.
func boundedSlowdown(j *sim.Job, jct float64) float64 {
	return max(1, jct/max(j.Work.Seconds()/j.Width(), boundS))
}

// jobRow is the job's row of the jobs table.
func (t *Trial) jobRow(rec sim.Record) results.Job {
	j, nan := &t.Workload.Jobs[rec.Job], math.NaN()
	row := results.Job{Keys: t.Keys, ID: j.ID, Outcome: outcome(rec.State), Submit: j.Submit.Seconds(), Start: nan, End: nan, JCT: nan, Slowdown: nan,
		Queue: nan, Run: nan, Compute: nan, Comm: nan, Overhead: nan, Lost: nan, GPUs: int64(j.GPUs), Model: j.Model, User: j.User, VC: j.VC,
		Preemptions: int64(rec.Preemptions), Migrations: int64(rec.Migrations), Faults: int64(rec.Faults), Allocations: int64(rec.Allocations),
		AllocSlot: int64(rec.ByLevel[0] + rec.ByLevel[1]), AllocMachine: int64(rec.ByLevel[2]),
		AllocRack: int64(rec.ByLevel[3]), AllocNetwork: int64(rec.ByLevel[4]), State: j.State, Drawn: j.Drawn.String()}
	if entered(rec.State) {
		row.Queue, row.Run, row.Overhead, row.Lost = rec.Queue.Seconds(), rec.Run.Seconds(), rec.Overhead.Seconds(), rec.LostRun.Seconds()
		row.Compute, row.Comm = (rec.Run - rec.Comm).Seconds(), rec.Comm.Seconds()
	}
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
