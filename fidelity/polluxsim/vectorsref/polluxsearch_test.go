package vectorsref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// By hand: one job without a profile on 2 nodes of 2 GPUs. Two GPUs are half of its fair share and
// a quarter when scaled to a node; to move costs it all but (70 - 30) / (70 + 30) of that. Its GPUs
// are on 4 GPUs of nodes in use, or on 2. Two jobs of two nodes meet: the second loses both.
var someStates = map[string]string{
	"fitness_jobs.csv": "instance,unprofiled,init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,alpha_c," +
		"beta_c,alpha_n,beta_n,alpha_r,beta_r,gamma,grad_sqr,grad_var,num_restarts,age_s\n" +
		"3,1,4,8,1,4,1,1,1,1,1,1,1,1,1,1,70\n",
	"fitness_states.csv": "instance,jobs,nodes,gpus_per_node,base_state,state_matrix,speedups,fitness,utility\n" +
		"3,1,2,2,1 1,1 1,0.5,0.251,0.125\n3,1,2,2,1 1,2 0,0.5,0.101,0.25\n",
	"repair_states.csv": "jobs,nodes,gpus_per_node,before,after\n2,2,3,2 1|1 1,2 1|0 0\n",
}

func TestStatesByHand(t *testing.T) {
	for name, c := range map[string]struct{ file, from, to, out, details string }{
		"right": {"repair_states.csv", "", "", "mine: 3 of 3 agree, worst ", ""},
		"a fitness": {"fitness_states.csv", "0.251", "0.25", "mine: 2 of 3 agree, worst 0.004 ",
			"odd-fitness_states.csv: row 1: off by 0.004"},
		"a utility": {"fitness_states.csv", "0.101,0.25", "0.101,0.5", "mine: 2 of 3 agree, worst 0.5 ",
			"row 2: off by 0.5"},
		"a speed-up": {"fitness_states.csv", "1 1,0.5", "1 1,1", "mine: 2 of 3 agree, worst 0.5 ",
			"row 1: off by 0.5"},
		"a restart": {"fitness_jobs.csv", "1,70\n", "2,70\n", "mine: 2 of 3 agree, ", "row 2: off by "},
		"too few": {"fitness_states.csv", "3,1,2,2,1 1,2 0", "3,2,2,2,1 1,2 0", "mine: 2 of 3 agree, ",
			"a state of 1 rows, expected 2"},
		"no job": {"fitness_states.csv", "3,1,2,2,1 1,2 0", "4,1,2,2,1 1,2 0", "mine: 2 of 3 agree, ",
			"the instance has 0 jobs, expected 1"},
		"a node": {"fitness_states.csv", "1 1,2 0", "1 1,2", "mine: 2 of 3 agree, ",
			"row 0 has 1 nodes, expected 2"},
		"many GPUs": {"repair_states.csv", "2 1|1 1", "200 1|1 1", "mine: 2 of 3 agree, ",
			`"200" GPUs, expected 0..127`},
		"no nodes": {"repair_states.csv", "2,2,3,", "2,0,3,", "mine: 2 of 3 agree, ",
			"0 nodes of 3 GPUs, expected at least one of 0..127"},
		"a repair": {"repair_states.csv", "2 1|0 0", "2 1|0 1", "mine: 2 of 3 agree, ",
			"odd-repair_states.csv: row 1: row 1 is [0 0], expected [0 1]"},
		"no speed-up": {"fitness_states.csv", "1 1,0.5", "1 1,x", "mine: 2 of 3 agree, ", `speed-up 1 is "x"`},
		"no column":   {"fitness_states.csv", "utility", "use", "mine: could not be compared: ", ""},
	} {
		files := map[string]string{}
		for file, text := range someStates {
			files["reference/mine/odd-"+file] = text
		}
		at := "reference/mine/odd-" + c.file
		files[at] = strings.Replace(files[at], c.from, c.to, 1)
		good, out, details := reftest.Play(t, setup(), files)
		if good != (name == "right") || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s%s", name, good, out, details, c.out, c.details)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
