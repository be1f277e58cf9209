package optimisationref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

const (
	twoMatrices = `{"id":1,"kind":"int","cost":[[1,2],[3,5]],"objective":5.0}
{"id":2,"kind":"maximise","cost":[[1,2,7]],"objective":7.0}
{"id":3,"kind":"allox","processing":[[2.0],[5.0]],"waited":[1.0,0.0],"available":[3.0],"objective":16.0}
`
	oneGraph = `{"id":1,"kind":"int","n":4,"edges":[[0,1,2],[1,2,5],[2,3,2]],"max_weight":5.0,"max_cardinality":2,"max_weight_at_max_cardinality":4.0}
`
)

func TestOptimisationByHand(t *testing.T) {
	files := map[string]string{"reference/mine/a.jsonl": twoMatrices, "reference/mine/b.jsonl": oneGraph + "\n",
		"reference/mine/c.jsonl": `{"id":1,"other":2}` + "\n"}
	good, out, details := reftest.Play(t, setup(), files)
	want := "mine: 4 of 4 agree, worst 0 relative; assignment 3 of 3, matching 1 of 1\nmine: not compared: 1 lines " +
		"of c.jsonl: no solver has their form\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestOptimisationFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ text, out, details string }{
		"an optimum": {strings.Replace(twoMatrices, "7.0", "8.0", 1), "mine: 2 of 3 agree, worst 0.125 relative\n",
			"a.jsonl:2: assignment: optimum 7, there 8"},
		"a matching": {strings.Replace(oneGraph, ":4.0", ":4.5", 1), "mine: 0 of 1 agree",
			"a.jsonl:1: matching: optimum 4, there 4.5"},
		"pairs": {strings.Replace(oneGraph, "cardinality\":2", "cardinality\":1", 1), "mine: 0 of 1 agree",
			"2 pairs, there 1"},
		"ragged rows": {strings.Replace(twoMatrices, "[3,5]", "[3]", 1), "mine: 2 of 3 agree",
			"a.jsonl:1: assignment: row 1 has 1 columns, expected 2"},
		"no such edge": {strings.Replace(oneGraph, "[2,3,2]", "[2,9,2]", 1), "mine: 0 of 1 agree",
			"edge 2 joins 2 and 9"},
		"another type": {strings.Replace(oneGraph, "[2,3,2]", "2", 1), "mine: 0 of 1 agree", "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			good, out, details := reftest.Play(t, setup(), map[string]string{"reference/mine/a.jsonl": c.text})
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// Every stored optimum of the shared data is reached.
func TestPublishedOptima(t *testing.T) {
	good, out, details := reftest.Compare(t, setup(), sharedata.Path(t, "reference", "optimisation"))
	if !good {
		t.Errorf("%s%s", out, details)
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
