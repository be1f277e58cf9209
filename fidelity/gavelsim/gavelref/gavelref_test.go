package gavelref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// A made-up run on two V100, one P100 and one K80. m has 10 steps/s on one GPU of any type; a wide
// gang of two has 5. Job a does 36000 steps in ten rounds. Job c comes at 360 s and finishes within
// a round. d has one step for a gang of two: no worker has one of its own, so it fails five rounds
// and is dropped.
const (
	gavelTrace = "job_id,job_type,scale_factor,total_steps,arrival_s,priority_weight,slo,step_s\n" +
		"0,m,1,36000,0.0,1.0,,0.1\n1,m,1,1000,360.0,1.0,,0.1\n2,m,2,1,360.0,1.0,,0.1\n"
	gavelTable = "job_type,scale_factor,gpu_type,steps_per_s\nm,1,v100,10\nm,1,p100,10\nm,1,k80,10\nm,2,v100,5\nm," +
		"2,p100,5\nm,2,k80,5\n"
	gavelHead    = "job_id,jct_s\n"
	gavelTimes   = gavelHead + "0,3600\n1,100\n2,\n"
	gavelRounds  = "round_start_s,job_id,gpu_type,gpus\n0,0,v100,1\n360,0,v100,1\n360,1,p100,1\n7,0,v100,1\n"
	gavelMeans   = "trace,cluster_v100_p100_k80,policy,lp_solver,mean_jct_s,makespan_s\n"
	gavelNearRow = "mine,2:1:1,fifo_perf,,1850,3600\n"
)

func folder() map[string]string {
	return map[string]string{"traces/gavel/mine.csv": gavelTrace, "profiles/gavel/isolated.csv": gavelTable,
		"reference/theirs/mine__fifo_perf.jobs.csv":   gavelTimes,
		"reference/theirs/mine__fifo_perf.rounds.csv": gavelRounds,
		"reference/theirs/summary.csv":                gavelMeans + gavelNearRow + "mine,2:1:1,gandiva,,1,1\n"}
}

func TestGavelByHand(t *testing.T) {
	good, out, details := reftest.Play(t, setup(), folder())
	want := "theirs: 4 of 4 agree, worst 0 s; completion times 3 of 3, means 1 of 1\n" +
		"theirs: not compared: 4 rounds of mine__fifo_perf.rounds.csv: they are read to name the first round in " +
		"which a run differs\n" +
		"theirs: not compared: 1 means of summary.csv: gandiva: its random pairs are not modelled\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

// A column that was stored with three decimals is compared to half of the last.
func TestGavelRounded(t *testing.T) {
	for text, want := range map[string]bool{"0,3600.000\n1,100.000\n2,\n": true, "0,3600.001\n1,100.000\n2,\n": false,
		"0,3600.0000004\n1,100\n2,\n": true, "0,3600\n1,100.000002\n2,\n": true, "0,3600\n1,100.000003\n2,\n": false} {
		files := folder()
		files["reference/theirs/mine__fifo_perf.jobs.csv"] = gavelHead + text
		if good, out, details := reftest.Play(t, setup(), files); good != want {
			t.Errorf("%q: good %v\n%s%s", text, good, out, details)
		}
	}
}

func TestGavelFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"a time": {"mine__fifo_perf.jobs.csv", strings.Replace(gavelTimes, "100", "100.5", 1),
			"theirs: 3 of 4 agree, worst 0.5 s;", "that at 7 s, where job 0 runs on v100"},
		"a dropped job": {"mine__fifo_perf.jobs.csv", strings.Replace(gavelTimes, "2,", "2,5", 1),
			"theirs: 3 of 4 agree, worst +Inf s;", "1 of 3 completion times"},
		"a job too many": {"mine__fifo_perf.jobs.csv", strings.Replace(gavelTimes, "1,100", "1,", 1),
			"theirs: 3 of 4 agree, worst +Inf s;", "1 of 3 completion times"},
		"means": {"summary.csv", gavelMeans + strings.Replace(gavelNearRow, "1850", "1500", 1),
			"theirs: 3 of 4 agree, worst 0 s;", "apart from every solver; mean +23.33 %, makespan +0.00 %"},
		"a cluster": {"summary.csv", gavelMeans + strings.Replace(gavelNearRow, "2:1:1", "2:1", 1),
			"theirs: 0 of 4 agree", `cluster "2:1", expected V100:P100:K80`},
		"no trace": {"other__isolated_fixedorder.jobs.csv", gavelTimes, "theirs: 4 of 7 agree",
			"other.csv is in none of"},
		"no order": {"mine__isolated.jobs.csv", gavelTimes, "theirs: 4 of 7 agree", "no file type_order*.csv"},
		"no number": {"mine__fifo_perf.jobs.csv", strings.Replace(gavelTimes, "100", "x", 1),
			"theirs: 2 of 4 agree", `jct_s is "x", expected a number`},
	} {
		t.Run(name, func(t *testing.T) {
			files := folder()
			files["reference/theirs/"+c.file] = c.text
			good, out, details := reftest.Play(t, setup(), files)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

func TestGavelFileNames(t *testing.T) {
	for name, want := range map[string][3]string{
		"gen_500__fifo_perf.jobs.csv":                         {"gen_500", "fifo_perf", ""},
		"gen_500__max_min_fairness_perf__HiGHS.jobs.csv":      {"gen_500", "max_min_fairness_perf", "HiGHS"},
		"gen_500__max_min_fairness_fixedorder__ECOS.jobs.csv": {"gen_500", "max_min_fairness_fixedorder", "ECOS"},
		"a__b__gandiva.jobs.csv":                              {"a__b", "gandiva", ""},
		"a__new_policy__HiGHS.jobs.csv":                       {"a", "new_policy", "HiGHS"},
		"fifo_perf.jobs.csv":                                  {},
		"a__fifo_perf.rounds.csv":                             {},
		"a____fifo_perf.jobs.csv":                             {},
	} {
		trace, policy, solver, ok := fileName(name)
		if got := [3]string{trace, policy, solver}; got != want || ok != (trace != "") {
			t.Errorf("%s: %q, %v, expected %q", name, got, ok, want)
		}
	}
}

// Times and means that hang on which optimum a solver gives count nothing, and the reason is
// stated; rows of objectives with throughputs count as before.
func TestGavelOptimaAreNotCompared(t *testing.T) {
	files := folder()
	files["reference/theirs/mine__max_min_fairness_perf__HiGHS.jobs.csv"] = gavelTimes
	files["reference/theirs/summary.csv"] = gavelMeans + gavelNearRow +
		"mine,2:1:1,max_min_fairness,HiGHS,1,1\nmine,2:1:1,finish_time_fairness_fixedorder,ECOS,1,1\nmine,2:1:1," +
		"max_min_fairness_perf,ECOS,1850,3600\n"
	good, out, details := reftest.Play(t, setup(), files)
	for _, want := range []string{"theirs: 5 of 5 agree", "3 completion times of " +
		"mine__max_min_fairness_perf__HiGHS.jobs.csv: " + severalOptima, "2 means of summary.csv: " + openTypes} {
		if !good || !strings.Contains(out, want) {
			t.Errorf("good %v, no %q in\n%s%s", good, want, out, details)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
