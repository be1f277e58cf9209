package decimaref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every run, job and decision of the shared data is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "decima") }

// By hand: three tasks on two executors that travel 1 s. Two tasks take 2 s, the third 1 s on one that
// stays.
const (
	jobs = `{"executors": 2, "moving_delay_ms": 1000, "reward_scale": 100000.0, "sets": {"one": [{"id": 0,
		"arrive_ms": 0, "stages": [{"tasks": 3, "rest": 1000, "first": 1500, "fresh": 2000, "parents": []}]}]}}`
	means = "set,rule,jobs,mean_jct_ms,makespan_ms,sum_reward,decisions\none,fair,1,4000,4000,-0.04,2\n" +
		"one,fifo,1,4000,4000,-0.04,2\none,shortest-left,1,4000,4000,-0.04,2\n"
	results   = "set,rule,job,arrive_ms,end_ms,jct_ms\none,fair,0,0,4000,4000\n"
	decisions = "rule,decision,time_ms,job,executors,source_executors,jobs_in_system\nfair,0,0,0,2,2,1\n" +
		"fair,1,3000,,2,2,1\n"
)

func TestByHand(t *testing.T) {
	files := map[string]string{"a-jobs.json": jobs, "a-means.csv": means, "a-job_results.csv": results,
		"a-decisions.csv": decisions, "b-jobs.json": jobs, "b-means.csv": means, "b-job_results.csv": results}
	const nine = "mine: 9 of 10"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":       {"a-means.csv", "", "", "mine: 10 of 10", ""},
		"a mean":      {"a-means.csv", "fair,1,4000", "fair,1,4001", nine, "mean_jct_ms is 4000, there 4001"},
		"a makespan":  {"a-means.csv", "fair,1,4000,4000", "fair,1,4000,1", nine, "makespan_ms is 4000, there 1"},
		"a reward":    {"b-means.csv", "-0.04", "-0.05", nine, "sum_reward is -0.04, there -0.05"},
		"jobs":        {"b-means.csv", "fair,1", "fair,2", nine, "b-means.csv: row 1: jobs is 1, there 2"},
		"a set":       {"b-means.csv", "one,fifo", "two,fifo", nine, "no set \"two\""},
		"a rule":      {"b-means.csv", "fifo", "lifo", nine, "no rule \"lifo\""},
		"an end":      {"a-job_results.csv", "0,0,4000", "0,0,4001", nine, "end_ms is 4000, there 4001"},
		"an arrival":  {"a-job_results.csv", "fair,0,0", "fair,0,1", nine, "arrive_ms is 0, there 1"},
		"a job":       {"a-job_results.csv", "fair,0", "fair,1", nine, "job 1 of set one under fair was not played"},
		"a time":      {"a-decisions.csv", "3000", "3001", nine, "time_ms is 3000, there 3001"},
		"an idle one": {"a-decisions.csv", "3000,,", "3000,0,", nine, `job is "", there "0"`},
		"executors":   {"a-decisions.csv", "0,2,2,1", "0,1,2,1", nine, "executors is 2, there 1"},
		"a source":    {"a-decisions.csv", "0,2,2,1", "0,2,1,1", nine, "source_executors is 2, there 1"},
		"inside":      {"a-decisions.csv", "0,2,2,1", "0,2,2,0", nine, "jobs_in_system is 1, there 0"},
		"one more":    {"a-decisions.csv", "fair,1,", "fair,2,", nine, "decision 2: no set has 2 decisions"},
		"a word":      {"a-decisions.csv", "3000", "soon", nine, "expected a number"},
		"a length":    {"b-jobs.json", `"rest": 1000`, `"rest": 999`, "mine: 6 of 10", "mean_jct_ms is 3999"},
	})
}

// What a set must not be is an error.
func TestFaults(t *testing.T) {
	files := map[string]string{"jobs.json": jobs, "means.csv": means, "job_results.csv": results,
		"decisions.csv": decisions}
	reftest.Refused(t, setup(), files, map[string][3]string{
		"0 executors, delay 1000 ms": {"jobs.json", `"executors": 2`, `"executors": 0`},
		"jobs.json: invalid":         {"jobs.json", `{`, `}`},
		"no column \"end_ms\"":       {"job_results.csv", "end_ms", "ended"},
		"no column \"time_ms\"":      {"decisions.csv", "time_ms", "at"},
	})
}
