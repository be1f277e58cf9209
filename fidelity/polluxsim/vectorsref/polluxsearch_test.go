package vectorsref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// By hand: one job without a profile on 2 nodes of 2 GPUs. Two GPUs are half of its fair share and
// a quarter when scaled to a node; to move costs it all but (70 - 30) / (70 + 30) of that. Its GPUs
// are on 4 GPUs of nodes in use, or on 2. Two jobs of two nodes meet: the second loses both.
var someStates = map[string]string{
	"odd-fitness_jobs.csv": "instance,unprofiled,init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,alpha_c," +
		"beta_c,alpha_n,beta_n,alpha_r,beta_r,gamma,grad_sqr,grad_var,num_restarts,age_s\n" +
		"3,1,4,8,1,4,1,1,1,1,1,1,1,1,1,1,70\n",
	"odd-fitness_states.csv": "instance,jobs,nodes,gpus_per_node,base_state,state_matrix,speedups,fitness,utility\n" +
		"3,1,2,2,1 1,1 1,0.5,0.251,0.125\n3,1,2,2,1 1,2 0,0.5,0.101,0.25\n",
	"odd-repair_states.csv": "jobs,nodes,gpus_per_node,before,after\n2,2,3,2 1|1 1,2 1|0 0\n",
}

func TestStatesByHand(t *testing.T) {
	reftest.Edits(t, setup(), someStates, map[string]reftest.Edit{
		"right": {"odd-repair_states.csv", "", "", "mine: 3 of 3 agree, worst ", ""},
		"a fitness": {"odd-fitness_states.csv", "0.251", "0.25", "mine: 2 of 3 agree, worst 0.004 ",
			"odd-fitness_states.csv: row 1: off by 0.004"},
		"a utility": {"odd-fitness_states.csv", "0.101,0.25", "0.101,0.5", "mine: 2 of 3 agree, worst 0.5 ",
			"row 2: off by 0.5"},
		"a speed-up": {"odd-fitness_states.csv", "1 1,0.5", "1 1,1", "mine: 2 of 3 agree, worst 0.5 ",
			"row 1: off by 0.5"},
		"a restart": {"odd-fitness_jobs.csv", "1,70\n", "2,70\n", "mine: 2 of 3 agree, ", "row 2: off by "},
		"too few": {"odd-fitness_states.csv", "3,1,2,2,1 1,2 0", "3,2,2,2,1 1,2 0", "mine: 2 of 3 agree, ",
			"a state of 1 rows, expected 2"},
		"no job": {"odd-fitness_states.csv", "3,1,2,2,1 1,2 0", "4,1,2,2,1 1,2 0", "mine: 2 of 3 agree, ",
			"the instance has 0 jobs, expected 1"},
		"a node": {"odd-fitness_states.csv", "1 1,2 0", "1 1,2", "mine: 2 of 3 agree, ",
			"row 0 has 1 nodes, expected 2"},
		"many GPUs": {"odd-repair_states.csv", "2 1|1 1", "200 1|1 1", "mine: 2 of 3 agree, ",
			`"200" GPUs, expected 0..127`},
		"no nodes": {"odd-repair_states.csv", "2,2,3,", "2,0,3,", "mine: 2 of 3 agree, ",
			"0 nodes of 3 GPUs, expected at least one of 0..127"},
		"a repair": {"odd-repair_states.csv", "2 1|0 0", "2 1|0 1", "mine: 2 of 3 agree, ",
			"odd-repair_states.csv: row 1: row 1 is [0 0], expected [0 1]"},
		"no speed-up": {"odd-fitness_states.csv", "1 1,0.5", "1 1,x", "mine: 2 of 3 agree, ", `speed-up 1 is "x"`},
		"no column":   {"odd-fitness_states.csv", "utility", "use", "mine: could not be compared: ", ""},
	})
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
