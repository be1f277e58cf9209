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
func (t *Trial) summarise(e *sim.Engine, l *lives) *Result {
	r := &Result{Row: results.Trial{Keys: t.Keys}, JCT: l.jct, Refused: l.refused, Events: e.Events()}
	s := &r.Row.Summary
	s.Jobs, s.Finished, s.Refused = int64(len(l.jct)), int64(l.finished), int64(len(l.refused))
	s.Rejected = int64(l.rejected)
	s.Unfinished = s.Jobs - s.Finished - s.Refused - s.Rejected
	s.Preemptions, s.Migrations, s.Faults = l.preemptions, l.migrations, l.faults
	last := l.last
	if s.Unfinished > 0 {
		last = e.Now()
	}
	if s.Makespan = math.NaN(); l.entered {
		s.Makespan = max(0, last-l.first).Seconds()
	}
	s.FinishedSet = t.finishedSet(l)
	s.RunMean, s.OverheadMean, s.LostMean = l.mean(l.run), l.mean(l.overhead), l.mean(l.lost)
	s.CommMean, s.CommFrac = l.mean(l.comm), share(l.sum(l.comm), l.sum(l.run))
	_, _, busy := e.Areas()
	until := s.Makespan
	if t.Services != nil { // replicas hold GPUs until the end of the run
		until = e.Now().Seconds()
	}
	s.GPUUtil = share(busy.Seconds(), float64(until*float64(t.Topology.GPUs())))
	s.JCTMean, s.QueueMean = l.mean(l.jct), l.mean(l.queue)
	slow := l.values(l.slow)
	s.Fairness, s.SlowdownMean = stats.Jain(slow), stats.Mean(slow)
	s.BSLDMean = stats.Mean(l.values(l.bounded))
	l.quantiles(l.jct.at, &s.JCTP50, &s.JCTP95, &s.JCTP99)
	l.quantiles(l.queue.at, &s.QueueP50, &s.QueueP95, &s.QueueP99)
	l.quantiles(l.slow, &s.SlowdownP50, &s.SlowdownP95, &s.SlowdownP99)
	return r
}

// entered reports whether a job came into the cluster: it arrived and was not refused.
func entered(s sim.JobState) bool { return s != sim.Pending && s != sim.Refused }

// finishedSet is a hash of the names of the finished jobs, "" when all finished.
func (t *Trial) finishedSet(l *lives) string {
	if l.finished == len(l.jct) {
		return ""
	}
	h, s := sha256.New(), t.stream()
	var j sim.Job
	for _, v := range l.jct {
		if s.Next(&j); !math.IsNaN(v) {
			fmt.Fprintf(h, "%q\n", j.ID)
		}
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
	case sim.Rejected:
		return "rejected"
	}
	return "unfinished"
}

// alone is the time that a job would need on the GPUs it asks for, at once and without
// communication, in seconds.
func alone(j *sim.Job) float64 { return j.Work.Seconds() / j.Width() }

// slowdown is the completion time over the ideal one.
func slowdown(jct, ideal float64) float64 { return jct / ideal }

// boundS is the run time in seconds below which a job counts as that long in its bounded slowdown.
const boundS = 10

// boundedSlowdown is the slowdown in which short jobs count as boundS long, and at least 1:
// Feitelson and Rudolph, "Metrics and benchmarking for parallel job scheduling", JSSPP 1998.
func boundedSlowdown(jct, ideal float64) float64 {
	return max(1, jct/max(ideal, boundS))
}

// jobRow is the job's row of the jobs table.
func (t *Trial) jobRow(rec sim.Record) results.Job {
	j, nan := &t.Workload.Jobs[rec.Job], math.NaN()
	row := results.Job{Keys: t.Keys, ID: j.ID, Outcome: outcome(rec.State), Submit: j.Submit.Seconds(), Start: nan,
		End: nan, JCT: nan, Slowdown: nan,
		Queue: nan, Run: nan, Compute: nan, Comm: nan, Overhead: nan, Lost: nan, GPUs: int64(j.GPUs), Model: j.Model,
		User: j.User, VC: j.VC,
		Preemptions: int64(rec.Preemptions), Migrations: int64(rec.Migrations), Faults: int64(rec.Faults),
		Allocations: int64(rec.Allocations),
		AllocSlot:   int64(rec.ByLevel[0] + rec.ByLevel[1]), AllocMachine: int64(rec.ByLevel[2]),
		AllocRack: int64(rec.ByLevel[3]), AllocNetwork: int64(rec.ByLevel[4]), State: j.State, Drawn: j.Drawn.String()}
	if entered(rec.State) {
		row.Queue, row.Run, row.Overhead, row.Lost = rec.Queue.Seconds(), rec.Run.Seconds(), rec.Overhead.Seconds(),
			rec.LostRun.Seconds()
		row.Compute, row.Comm = (rec.Run - rec.Comm).Seconds(), rec.Comm.Seconds()
	}
	if rec.Allocations > 0 {
		row.Start, row.Tier = rec.Start.Seconds(), rec.Level.String()
	}
	if rec.State == sim.Done {
		row.End = rec.End.Seconds()
		row.JCT = (rec.End - j.Submit).Seconds()
		row.Slowdown = slowdown(row.JCT, alone(j))
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
