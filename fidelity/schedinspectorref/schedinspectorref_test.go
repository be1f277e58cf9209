package schedinspectorref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every episode, start and observation of the shared data is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "schedinspector") }

// By hand, on four processors: the second job needs all of them. Let go, it holds the queue up to the
// end of the first at 1000 s, and the third starts at 1500 s, at (1480 + 100)/100; the second has
// (990 + 500)/500. Refused once, the third comes at 20 s and fits beside the first, as with
// backfilling, where nothing is refused.
const (
	log = "; MaxNodes: 4\n; MaxProcs: 4\n1 0 -1 1000 3 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n" +
		"2 10 -1 500 4 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n3 20 -1 100 1 -1 -1 -1 -1 -1 1 -1 -1 -1 0 -1 -1 -1\n"
	head     = "base_rule,inspector,start_index,mean_bounded_slowdown,skips,decisions\n"
	plain    = head + "fcfs,never,0,6.59333333333,0,3\nsjf,full-once,0,1.66,1,4\n"
	filled   = head + "fcfs,never,0,1.66,0,2\n"
	jobsText = "base_rule,inspector,start_index,job_id,submit,start,run,request,processors\n" +
		"fcfs,never,0,2,10,1000,500,500,4\nfcfs,never,0,3,20,1500,100,100,1\nsjf,full-once,0,3,20,20,100,100,1\n"
	seenText = "start_index,decision,time,wait,request_time,processors,free,can_run,skipped,queue_cost,action,queue\n" +
		"0,0,0,0,0.99999,0.75,0.99999,0.99999,0,7.8125e-05,0,1\n0,1,10,0,0.5,0.99999,0.25,1e-05,0,0.00015625,1,1\n" +
		"0,2,20,0,0.1,0.25,0.25,0.99999,0,0.0009375,0,2\n" +
		"0,3,20,0.000231481481481,0.5,0.99999,0,1e-05,0.0138888888889,0.00015625,0,1\n"
)

func TestByHand(t *testing.T) {
	files := map[string]string{"our.swf": log, "a-sequences.csv": plain, "a-sequences_backfill.csv": filled,
		"b-jobs.csv": jobsText, "b-observations.csv": seenText}
	const one, two = "mine: 9 of 10", "mine: 8 of 10"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":      {"our.swf", "", "", "mine: 10 of 10", ""},
		"a score":    {"a-sequences.csv", "6.5933", "6.5934", one, "a-sequences.csv: row 1: mean_bounded_slowdown is 6.59"},
		"refusals":   {"a-sequences.csv", "1.66,1", "1.66,2", one, "row 2: skips is 1, there 2"},
		"decisions":  {"a-sequences.csv", "0,3", "0,4", one, "decisions is 3, there 4"},
		"a rule":     {"a-sequences.csv", "sjf", "ssd", one, "base rule \"ssd\": unknown"},
		"inspector":  {"a-sequences.csv", "full-once", "fool-once", one, "inspector \"fool-once\": unknown"},
		"an episode": {"a-sequences.csv", "never,0", "never,3", one, "0 jobs from 3 on, expected some of 3"},
		"backfill":   {"a-sequences_backfill.csv", "1.66", "6.59", one, "there 6.59"},
		"a start":    {"b-jobs.csv", "20,1500", "20,1501", one, "b-jobs.csv: row 2: start is 1500, there 1501"},
		"a request":  {"b-jobs.csv", "500,500", "500,600", one, "request is 500, there 600"},
		"a job":      {"b-jobs.csv", "0,2,10", "0,7,10", one, `job "7" is not of the episode`},
		"a word":     {"b-jobs.csv", "20,1500", "20,late", one, "expected a number"},
		"a feature":  {"b-observations.csv", "0.00023148", "0.00023149", one, "wait is 0.000231"},
		"the queue":  {"b-observations.csv", "0.0009375,0,2", "0.0009375,0,1", one, "queue is 2, there 1"},
		"an action":  {"b-observations.csv", "0.00015625,1,1", "0.00015625,0,1", two, "there 0"},
		"a gap":      {"b-observations.csv", "0,2,20", "0,3,20", two, "decision 3, expected 2"},
	})
}
