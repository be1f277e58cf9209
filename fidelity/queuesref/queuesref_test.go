package queuesref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

// A curve by hand: overload for 10 s, then the backlog of 10 is gone after 5 s. Each number wrong.
const (
	someCurve = `[{"mu": 2, "deadline": 1, "segments": [{"length_s": 10, "load": 3, "replicas": 1},
		{"length_s": 10, "load": 2, "replicas": 2}], "arrived": 50, "good": 15, "served": 50,
		"backlog_at_ends": [[10, 10], [20, 0]], "backlog_integral": 75, "time_overloaded_s": 10}]`
	someQueue = "servers,lambda,mu,p_wait,mean_wait,mean_time,p50,p95,p99,deadline,attained\n" +
		"1,1,2,0.5,0.5,1,0.6931471805599453,2.995732273553991,4.605170185988091,0.6931471805599453,0.5\n"
)

func TestCasesByHand(t *testing.T) {
	const two = "mine: 1 of 2 agree, "
	reftest.Edits(t, setup(), map[string]string{"a.json": someCurve, "b.csv": someQueue}, map[string]reftest.Edit{
		"right":      {"a.json", "", "", "mine: 2 of 2 agree, worst ", ""},
		"good":       {"a.json", `"good": 15`, `"good": 16`, two, "good is 15, there 16"},
		"a backlog":  {"a.json", "[20, 0]", "[20, 1]", two, "a backlog is 0, there 1"},
		"integral":   {"a.json", "75", "76", two, "the integral of the backlog is 75, there 76"},
		"overload":   {"a.json", `overloaded_s": 10`, `overloaded_s": 9`, two, "time with overload is 10, there 9"},
		"served":     {"a.json", `"served": 50`, `"served": 49`, two, "served is 50, there 49"},
		"p_wait":     {"b.csv", "1,1,2,0.5", "1,1,2,0.4", two, "p_wait is 0.5, there 0.4"},
		"a quantile": {"b.csv", "2.9957", "2.9958", two, "p95 is 2.99573"},
		"a number":   {"b.csv", "1,1,2,", "x,1,2,", two, "servers is \"x\", expected a number"},
	})
}

func TestReferences(t *testing.T) { reftest.References(t, setup(), "queues") }
