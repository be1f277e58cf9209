package shockwaveref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// A made-up run: two jobs of one GPU on one, 120 and 240 steps of 1 s. By the profile they take 120
// and 240 s, times 2 jobs on 1 GPU. Under gandiva-fair the jobs take turns of 120 s; the first
// stays in the round that follows its arrival, and the second one ends last.
func shockFolder() map[string]string {
	return map[string]string{
		"traces/shockwave/tiny1_2.csv": "job,job_type,total_steps,scale_factor,mode,arrival_s\n0,M " +
			"(batch size 4),120,1,static,0\n1,M (batch size 4),240,1,static,0\n",
		"profiles/shockwave/v100_isolated.csv": "job_type,scale_factor,steps_per_s\nM (batch size 4),1,1\n",
		"profiles/shockwave/bs_pattern_tiny1_2.csv": "job,epochs,samples_per_epoch,first_epoch,batch_size\n0,12,40," +
			"0,4\n1,24,40,0,4\n",
		"reference/theirs/jobs__gandiva_fair.csv":   "job,jct_s,ftf_static\n0,120,0.5\n1,380,0.79167\n",
		"reference/theirs/rounds__gandiva_fair.csv": "round,jobs\n0,0:1\n1,1:1\n2,1:1\n",
		"reference/theirs/summary.csv": "policy,makespan_s,mean_jct_s,worst_ftf," +
			"pct_jobs_ftf_over_1.05\ngandiva_fair,380,250,0.79,0\nallox,1,1,1,1\n",
	}
}

func TestShockwaveByHand(t *testing.T) {
	good, out, details := reftest.Play(t, setup(), shockFolder())
	if want := "theirs: 6 of 6 agree, "; !good || !strings.HasPrefix(out, want) ||
		!strings.Contains(out, "theirs: not compared: 1 rows of summary.csv: the policy allox of the simulator is "+
			"not modelled\n") {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestShockwaveFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, out, details string }{
		"a ratio": {"reference/theirs/jobs__gandiva_fair.csv", ",0.5", ",0.6", "theirs: 5 of 6 agree",
			"job 0 takes 240 s with its part of the cluster, there 200 s"},
		"a makespan": {"reference/theirs/summary.csv", "380", "480", "theirs: 5 of 6 agree", "makespan_s is 3"},
		"no trace": {"reference/theirs/rounds__gandiva_fair.csv", "1:1", "1:2",
			"theirs: could not be compared: no trace", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := shockFolder()
			files[c.file] = strings.ReplaceAll(files[c.file], c.old, c.new)
			good, out, details := reftest.Play(t, setup(), files)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// A stored ratio counts once for a job, whatever the number of files that hold it, and further
// published runs of a policy are left out.
func TestShockwaveCountsWhatItComputed(t *testing.T) {
	files := shockFolder()
	files["reference/theirs/jobs__old_shockwave.csv"] = files["reference/theirs/jobs__gandiva_fair.csv"]
	files["reference/theirs/summary.csv"] += "gandiva_fair,380,250,0.79,0\n"
	good, out, details := reftest.Play(t, setup(), files)
	want := "; times alone 2 of 2, figures 4 of 4\ntheirs: not compared: 4 completion times of " +
		"jobs__gandiva_fair.csv, jobs__old_shockwave.csv: "
	if !good || !strings.HasPrefix(out, "theirs: 6 of 6 agree, ") || !strings.Contains(out, want) ||
		!strings.Contains(out, "1 rows of summary.csv: further published runs of gandiva-fair") {
		t.Errorf("good %v\n%s%s", good, out, details)
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
