package vectorsref

import (
	"fmt"
	"testing"

	"tarry/fidelity/reference/reftest"
)

// By hand: T_grad 0.5 + 0.25 x 2, T_net 0.5 + 0.5 x 1, nothing overlaps; 12 samples, three times
// the first batch, in 1 + 2 s. The one batch of the second table is of 4 samples in 1.5 s and
// what stands for nothing. Any fit is as good as one with objective 9.
var someVectors = map[string]string{
	"odd-goodput_points.csv": "init_batch_size,alpha_c,beta_c,alpha_n,beta_n,alpha_r,beta_r,gamma,grad_sqr,grad_var," +
		"num_nodes,num_replicas,atomic_bsz,accum_steps,t_grad,t_net,t_optim,t_iter,throughput,efficiency,goodput\n" +
		"4,0.5,0.25,0.5,0.5,1,1,1,1,3,2,3,2,1,1,1,2,3,4," + fmt.Sprint(2.0/3) + "," + fmt.Sprint(8.0/3) + "\n",
	"odd-optimal_batch.csv": "init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,accumulation,alpha_c,beta_c," +
		"alpha_n,beta_n,alpha_r,beta_r,gamma,grad_sqr,grad_var,num_nodes,num_replicas,best_atomic_bsz," +
		"best_accum_steps,best_goodput\n" +
		"4,4,1,4,0,0.5,0.25,1,1,1,1,1,1,3,1,1,4,0," + fmt.Sprint(4/1.5000000100000001) + "\n",
	"odd-fit_observations.csv": "case,num_nodes,num_replicas,local_bsz,step_time,sync_time\n7,1,1,4,1.5,0\n",
	"odd-fit_results.csv":      "case,observations,objective\n7,1,9\n",
}

func TestVectorsByHand(t *testing.T) {
	reftest.Edits(t, setup(), someVectors, map[string]reftest.Edit{
		"right": {"odd-fit_results.csv", "", "", "mine: 3 of 3 agree, worst ", ""},
		"a point": {"odd-goodput_points.csv", "1,1,1,2,3,4,", "1,1,1,2,3,5,", "mine: 2 of 3 agree, worst 0.2 ",
			"goodput_points.csv: row 1: off by 0.2"},
		"a batch": {"odd-optimal_batch.csv", "1,1,4,0,", "1,1,3,0,", "mine: 2 of 3 agree, ",
			"row 1: 4 samples and 0 further steps, there 3 and 0"},
		"a goodput": {"odd-optimal_batch.csv", "4,0,2.6", "4,0,2.7", "mine: 2 of 3 agree, ",
			"optimal_batch.csv: row 1: off by "},
		"a lower objective": {"odd-fit_results.csv", "1,9", "1,1e-9", "mine: 2 of 3 agree, ",
			"fit_results.csv: row 1: off by "},
		"too few": {"odd-fit_results.csv", "7,1,9", "7,2,9", "mine: 2 of 3 agree, ",
			"1 observations, expected 2"},
		"no observation": {"odd-fit_results.csv", "7,1,9", "8,0,9", "mine: 2 of 3 agree, ", "no observation"},
		"not a number": {"odd-goodput_points.csv", "1,1,1,2,3,4,", "1,1,1,x,3,4,", "mine: 2 of 3 agree, ",
			`t_optim is "x", expected a number`},
		"not whole": {"odd-optimal_batch.csv", "4,4,1,4,", "4,4.5,1,4,", "mine: 2 of 3 agree, ",
			"max_batch_size is 4.5, expected a whole number"},
		"no column": {"odd-fit_results.csv", "objective", "objection", "mine: could not be compared: ", ""},
	})
}
