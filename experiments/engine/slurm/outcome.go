package slurm

import (
	"errors"
	"fmt"

	"tarry/experiments/sweep"
)

// outcome is what becomes of a cell whose element neither runs nor waits.
type outcome struct {
	// end is done, failed or cancelled; "" = the cell is put back.
	end sweep.State
	// err is why it failed, or why it is put back.
	err error
	// ours: the cell's STATUS does not show that it failed, the engine must.
	ours bool
}

// outcomeOf decides from Slurm's word (known: the queue still has the element), the cell's STATUS
// and what happened before. What is counted is counted in c.
func (o *slurmOptions) outcomeOf(q queued, known bool, st sweep.Status, c *slurmCounts, retries int) outcome {
	switch {
	case st.State == sweep.Done:
		return outcome{end: sweep.Done}
	case st.State == sweep.Cancelled || q.state == "CANCELLED":
		return outcome{end: sweep.Cancelled}
	case st.State == sweep.Failed && st.Over(retries):
		return outcome{end: sweep.Failed, err: errors.New(st.Error)}
	case st.State == sweep.Failed:
		return outcome{err: fmt.Errorf("failed (%s), retry %d of %d", st.Error, st.Failures, retries)}
	case q.state == "TIMEOUT" && !q.cutShort() || q.state == "DEADLINE" || st.State == sweep.Requeue &&
		q.state == "FAILED" && q.warned(o.warning):
		return o.timedOut(c) // ended by Slurm, or by itself after the signal
	case q.state == "OUT_OF_MEMORY":
		return outcome{end: sweep.Failed, ours: true, err: errors.New(
			"Slurm ended it for its memory: raise that with --option mem=... and start it again with tarry sweep retry")}
	case known && (q.state == "FAILED" || q.state == "COMPLETED") && st.State == sweep.Waiting:
		return outcome{end: sweep.Failed, ours: true, err: errors.New(
			"the batch script ended before the worker began (tarry sweep retry when that is mended)")}
	case q.state == "COMPLETED":
		return outcome{end: sweep.Failed, ours: true, err: fmt.Errorf("Slurm states COMPLETED, its STATUS states %s",
			st.State)}
	}
	why := "killed"
	switch {
	case q.state == "TIMEOUT":
		why = "preempted"
	case q.state == "NODE_FAIL" || q.state == "BOOT_FAIL":
		why = "lost with its node"
	case st.State == sweep.Requeue:
		why = "stopped by a signal"
	case !known:
		why = "gone from the queue"
	}
	c.Requeues++
	if c.Requeues > o.requeues {
		return outcome{end: sweep.Failed, ours: true, err: fmt.Errorf(
			"%s, and put back %d times before (max-requeues); what it kept is there: tarry sweep retry "+
				"continues from it", why, o.requeues)}
	}
	return outcome{err: errors.New(why)}
}

// timedOut is for a cell that its time limit ended.
func (o *slurmOptions) timedOut(c *slurmCounts) outcome {
	hint := "raise the limit with --option time=HH:MM:SS"
	if !o.timed() {
		hint = "the partition's limit is in force, --option time=HH:MM:SS may raise it"
	}
	c.Timeouts++
	if c.Timeouts > o.timeouts {
		return outcome{end: sweep.Failed, ours: true, err: fmt.Errorf(
			"its time limit ended it %d times; its checkpoint is kept: %s, then tarry sweep retry", c.Timeouts, hint)}
	}
	return outcome{err: fmt.Errorf("ended by its time limit (%d of %d times before it is given up); %s", c.Timeouts,
		o.timeouts+1, hint)}
}
