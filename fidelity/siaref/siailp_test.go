package siaref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// Two types of two GPUs. The best is job 0 on two of b and job 1 on none, 0.41 + 1.1. By hand: job
// 0 costs 1 on one GPU and 0.71 on two of a, 0.58 and 0.41 of b; job 1, which has one of b, 1,
// 0.76, r = 900/1100 elsewhere.
const (
	siaConfigRows = "config,gpu_type,num_nodes,num_gpus\n0,a,1,1\n1,a,1,2\n2,b,1,1\n3,b,1,2\n"
	siaRows       = "instance,job,age_s,num_restarts,restart_penalty_s,realloc_factor,prev_config,raw_goodput," +
		"cost_matrix_row\n" +
		"0,0,600,0,30,0.95238095238095233,-1,10 20 30 60,1 0.71 0.58 0.41\n" +
		"0,1,1000,1,100,0.81818181818181823,2,10 0 10 17.5,1.11 110.55 1 0.84\n"
	siaOptimum = "instance,objective\n0,1.51\n"
)

func TestSiaByHand(t *testing.T) {
	reftest.Edits(t, setup(), map[string]string{"configs.csv": siaConfigRows, "jobs.csv": siaRows,
		"optimum.csv": siaOptimum}, map[string]reftest.Edit{
		"right": {"optimum.csv", "", "", "mine: 1 of 1 agree, worst ", ""},
		"an objective": {"optimum.csv", "1.51", "1.53", "mine: 0 of 1 agree, worst 0.0131 ",
			"instance 0: the objective differs by 0.0131 from 1.53"},
		"an entry": {"jobs.csv", "0.71", "0.7", "mine: 0 of 1 agree, ",
			"job 0, configuration 1: the entry is 0.71, there 0.7"},
		"no jobs": {"optimum.csv", "\n0,", "\n7,", "mine: 0 of 1 agree, ",
			"instance 7: jobs.csv has none of its jobs"},
		"a restart factor":    {"jobs.csv", "0.818181", "0.828181", "mine: could not be compared: ", ""},
		"too few goodputs":    {"jobs.csv", "10 0 10 17.5", "10 0 10", "mine: could not be compared: ", ""},
		"a configuration":     {"configs.csv", "\n2,", "\n4,", "mine: could not be compared: ", ""},
		"nodes without GPUs":  {"configs.csv", "b,1,2", "b,3,2", "mine: could not be compared: ", ""},
		"a word for a number": {"jobs.csv", "0,600", "0,long", "mine: could not be compared: ", ""},
	})
}

// Several sets of files may stand in a folder; configurations that it does not hold are from the
// shared data.
func TestSiaSets(t *testing.T) {
	files := map[string]string{"reference/sia-ilp/configs.csv": siaConfigRows, "reference/sia-ilp/jobs.csv": siaRows,
		"reference/sia-ilp/optimum.csv": siaOptimum,
		"reference/kept/x_jobs.csv":     siaRows, "reference/kept/x_optimum.csv": siaOptimum,
		"reference/kept/y_jobs.csv": siaRows, "reference/kept/y_optimum.csv": siaOptimum}
	good, out, details := reftest.Play(t, setup(), files)
	if !good || !strings.HasPrefix(out, "kept: 2 of 2 agree, worst ") ||
		!strings.Contains(out, "\nsia-ilp: 1 of 1 agree, ") {
		t.Errorf("good %v\n%s%s", good, out, details)
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
