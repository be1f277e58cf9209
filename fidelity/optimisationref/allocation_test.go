package optimisationref

import (
	"strings"
	"testing"

	"tarry/fidelity/reference/reftest"
)

// One line of each kind, solved by hand: two jobs on one GPU; 4 steps at 2 steps/s take 2 s; a job
// with an SLO of 1 s that is impossible; one job that has run alone so far; and two jobs of which
// one gets the only GPU.
const allocations = `{"throughput":[[2],[4]],"scale":[1,1],"weight":[1,3],"workers":[1],"objective":0.25}
{"throughput":[[2]],"scale":[1],"steps":[4],"workers":[1],"status":"optimal","makespan_s":2.0,"gavel_bisection_T_s":103.81431579589844}
{"throughput":[[0]],"scale":[1],"steps":[4],"workers":[1],"status":"infeasible","makespan_s":null,"gavel_bisection_T_s":null}
{"throughput":[[2]],"scale":[1],"cost":[4],"steps":[4],"slo_s":[1],"workers":[1],"status":"infeasible_slo","objective":null,"objective_without_slo":0.5}
{"throughput":[[2]],"scale":[1],"steps":[4],"elapsed_s":[6],"isolated_elapsed_s":[2],"workers":[1],"status":"optimal","objective":2.0}
{"capacity":[1],"unallocated_penalty":2,"jobs":[[[0,1,0.5]],[[0,1,1]]],"objective":2.5}
`

func TestAllocationsByHand(t *testing.T) {
	good, out, details := reftest.Play(t, setup(), map[string]string{"reference/mine/a.jsonl": allocations})
	if want := "mine: 6 of 6 agree, worst "; !good || !strings.HasPrefix(out, want) {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
	for name, c := range map[string][3]string{
		"an optimum": {"0.25}", "0.26}", "max-min fairness: optimum 0.25, there 0.26"},
		"a status":   {"infeasible_slo", "optimal", "SLOs dropped true"},
		"a type":     {"[0,1,1]", "[7,1,1]", "job 1 has an option of type 7"},
		"ragged":     {"[[2],[4]]", "[[2],[4,1]]", "row 1 has 2 columns"},
		"a scale":    {`"scale":[1,1]`, `"scale":[0,1]`, "job 0 has 0 GPUs"},
	} {
		text := strings.Replace(allocations, c[0], c[1], 1)
		good, out, details := reftest.Play(t, setup(), map[string]string{"reference/mine/a.jsonl": text})
		if good || !strings.Contains(details, c[2]) {
			t.Errorf("%s: good %v\n%s%s\nexpected %s", name, good, out, details, c[2])
		}
	}
}
