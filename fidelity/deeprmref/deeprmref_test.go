package deeprmref

import (
	"strings"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every run, job and step of the shared data is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "deeprm") }

// By hand: the first job runs from 1 to 3, beside which the second finds no room; the second and
// the third run from 3 to 4, of which the third stays in the reward until 5. The rewards are -1/2 -
// 3/2 - 2 - 1, 50 steps pass and three jobs are placed.
const (
	jobs  = "rate,sequence,arrive_step,length,res0,res1\n0.5,0,1,2,6,1\n0.5,0,2,1,6,1\n0.5,0,3,1,1,6\n"
	means = "rate,sequence,rule,jobs,mean_slowdown,sum_reward,actions\n0.5,0,SJF,3,1.33333333333,-5,53\n"
	lives = "rate,sequence,rule,job,enter,length,start,finish,slowdown\n0.5,0,SJF,1,2,1,3,4,2\n0.5,0,SJF,2,3,1,3,4,1\n"
	steps = `[{"rate": 0.5, "time": 0, "slots": [null, null, null, null, null], "backlog": 0, "free": [[10, 10]],
		"ones_per_column": ZEROS, "last_column": 0.0, "action": 5, "reward": -0.5},
		{"rate": 0.5, "time": 1, "slots": [[0, 2, 6, 1], null, null, null, null], "backlog": 0, "free": [[10, 10]],
		"ones_per_column": ONES, "last_column": 0.0, "action": 0, "reward": 0.0}]`
)

// columns are counts of an image of 124 columns.
func columns(ones func(at int) string) string {
	var all []string
	for i := range 124 {
		all = append(all, ones(i))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func TestByHand(t *testing.T) {
	zeros := columns(func(int) string { return "0" })
	seen := columns(func(at int) string { // the first slot's columns of both resources, for two steps
		if at >= 10 && at < 16 || at == 70 {
			return "2"
		}
		return "0"
	})
	text := strings.NewReplacer("ZEROS", zeros, "ONES", seen).Replace(steps)
	files := map[string]string{"a-jobs.csv": jobs, "a-means.csv": means, "a-job_results.csv": lives,
		"a-observations.json": text, "b-jobs.csv": jobs, "b-means.csv": means}
	const five = "mine: 5 of 6"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":      {"a-means.csv", "", "", "mine: 6 of 6", ""},
		"actions":    {"a-means.csv", ",53", ",54", five, "a-means.csv: row 1: actions is 53, there 54"},
		"a mean":     {"b-means.csv", "1.333", "1.334", five, "mean_slowdown is 1.33333"},
		"a reward":   {"b-means.csv", ",-5,", ",-4,", five, "sum_reward is -5, there -4"},
		"jobs":       {"b-means.csv", "SJF,3", "SJF,4", five, "jobs is 3, there 4"},
		"a rule":     {"b-means.csv", "SJF", "LJF", five, "no rule \"LJF\""},
		"a start":    {"a-job_results.csv", "2,1,3,4", "2,1,2,4", five, "start is 3, there 2"},
		"a finish":   {"a-job_results.csv", "2,1,3,4", "2,1,3,5", five, "finish is 4, there 5"},
		"a slowdown": {"a-job_results.csv", "4,2\n", "4,3\n", five, "slowdown is 2, there 3"},
		"a job":      {"a-job_results.csv", "SJF,2,3", "SJF,3,3", five, "no job 3 of such a run"},
		"a run":      {"a-job_results.csv", "0,SJF,2,3", "1,SJF,2,3", five, "no job 2 of such a run"},
		"a time":     {"a-observations.json", `time": 1`, `time": 2`, five, "time 1, slots"},
		"a cell":     {"a-observations.json", "2, 2, 2, 2, 2, 2", "2, 2, 2, 2, 2, 1", five, "ones [0 0"},
		"idle":       {"a-observations.json", `column": 0.0`, `column": 0.1`, five, "the last column is 0, there 0.1"},
		"an action":  {"a-observations.json", `action": 5`, `action": 4`, five, "the action is 5, there 4"},
		"a pay":      {"a-observations.json", `reward": -0.5`, `reward": -1`, five, "the reward is -0.5, there -1"},
		"a length":   {"a-jobs.csv", "1,2,6,1", "1,1,6,1", "mine: 2 of 6", "start is 2, there 3"},
		"later":      {"a-jobs.csv", "0.5,0,3,1,1", "0.5,0,4,1,1", "mine: 4 of 6", "enter is 4, there 3"},
		"no number":  {"a-job_results.csv", "2,1,3,4", "2,1,x,4", five, "expected a number"},
	})
}

// What a set must not be is an error, or a run that does not agree.
func TestFaults(t *testing.T) {
	files := map[string]string{"jobs.csv": jobs, "means.csv": means, "job_results.csv": lives}
	reftest.Refused(t, setup(), files, map[string][3]string{
		"expected a number":            {"jobs.csv", "0.5,0,1,2", "0.5,0,1,two"},
		"cannot unmarshal":             {"observations.json", "", `{"rate": 0.5}`},
		"no column \"finish\"":         {"job_results.csv", "finish", "end"},
		"rate \"\", expected a number": {"observations.json", "", `[{"time": 0}]`},
	})
	files["observations.json"] = `[{"rate": 0.5}]`
	reftest.Refused(t, setup(), files, map[string][3]string{
		"expected a length from 1 to 19": {"jobs.csv", "0.5,0,1,2", "0.5,0,1,20"},
	})
}
