package loansref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// one is an instance by hand: job 0 runs on the own server, job 1 on one that is lent up to 60 s, when it
// has 40 s left; with a notice it does not start there. A restart costs 5 s.
const one = `[{"own_servers": 1, "jobs": [{"id": 0, "arrive": 0, "work": 100}, {"id": 1, "arrive": 0, "work": 100}],
	"loans": [[0, 1], [60, 0]], "restart_cost_s": 5, "notice_s": 60, "results": {
	"none": {"end": {"0": 100, "1": 200}, "preemptions": 0, "overhead_s": 0, "mean_jct": 150},
	"loan": {"end": {"0": 100, "1": 145}, "preemptions": 1, "overhead_s": 5, "mean_jct": 122.5},
	"lost": {"end": {"0": 100, "1": 205}, "preemptions": 1, "overhead_s": 5, "mean_jct": 152.5},
	"notice": {"end": {"0": 100, "1": 200}, "preemptions": 0, "overhead_s": 0, "mean_jct": 150}}}]`

func TestInstancesByHand(t *testing.T) {
	const none, file = "mine: 0 of 1 agree, ", "loans.json"
	reftest.Edits(t, setup(), map[string]string{file: one}, map[string]reftest.Edit{
		"right":       {file, "", "", "mine: 1 of 1 agree, ", ""},
		"an end":      {file, `"1": 145`, `"1": 146`, none, "loan: the end of job 1 is 145, there 146"},
		"preemptions": {file, `"preemptions": 1`, `"preemptions": 2`, none, "loan: preemptions is 1, there 2"},
		"overhead":    {file, `"overhead_s": 5`, `"overhead_s": 6`, none, "loan: overhead_s is 5, there 6"},
		"a mean":      {file, `152.5`, `152`, none, "lost: mean_jct is 152.5, there 152"},
		"no notice":   {file, `"notice_s": 60`, `"notice_s": 0`, none, "notice: the end of job 1 is 145, there 200"},
		"a job":       {file, `"1": 205`, `"2": 205`, none, "lost: no end of job 1"},
		"fewer jobs":  {file, `"0": 100, "1": 145`, `"1": 145`, none, "loan: 2 jobs, there 1"},
		"a loan":      {file, `[0, 1]`, `[0, -1]`, none, "AT_S:MACHINES"},
	})
}

// Every run of the shared data is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "loans") }
