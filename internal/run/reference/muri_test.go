package reference

import (
	"path/filepath"
	"strings"
	"testing"
)

// Two jobs of 8 GPUs, each on a machine of its own. By hand: an iteration of 1000 ms takes 1.015 s. a (100 iterations) is to
// end at 101.5 s. The arrival of b at 10 s has cost it 4 s, and so has the end of b at 20.15 s: it ends at 109.5 s. Submitted together, there
// is only the end of b: 105.5 s.
const (
	muriTrace  = "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,resource_time_0,resource_time_1,resource_time_2,priority\na,8,0,100,net,1,0,0,1000,0,0,0,0\nb,8,10000,10,net,1,0,0,1000,0,0,0,0\n"
	muriStages = "model,num_gpu,start_overhead_s\nnet,8,4\n"
	muriJobs   = "job,end_s\na,109.5\nb,20.15\n"
	muriSum    = "trace,schedule,jobs,mean_jct_s,makespan_s,p99_jct_s\nx,shortest,2,59.825,109.500000,109.500000\nx_pr,shortest,2,57.825000,105.5,105.5\nx,blossom,2,1,1,1\n"
)

func TestMuriByHand(t *testing.T) {
	for _, schedule := range []string{"shortest", "shortest-gpu", "dlas-gpu"} {
		files := map[string]string{"reference/other/x__" + schedule + ".csv": muriJobs, "reference/other/summary.csv": muriSum, "reference/other/x__blossom.csv": "a\n",
			"traces/muri/x.csv": muriTrace, "profiles/muri/stages.csv": muriStages}
		good, out, details := compare(t, filepath.Join(write(t, files), "reference"))
		if want := "other: 4 of 4 agree, worst 0 s\n"; !good || out != want || strings.Count(details, "not compared") != 2 {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s", schedule, good, out, details, want)
		}
	}
}

func TestMuriFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"an end":      {"x__shortest.csv", strings.Replace(muriJobs, "109.5", "109.500002", 1), "muri: 3 of 4 agree, worst 2e-06 s\n", "first job a: end 109.500000 s, there 109.500002 s"},
		"a mean":      {"summary.csv", strings.Replace(muriSum, "57.825", "57.826", 1), "muri: 3 of 4 agree, worst 0.001 s\n", "row 2: x_pr, shortest differs by 0.001 s"},
		"no trace":    {"summary.csv", strings.Replace(muriSum, "x_pr", "y", 1), "muri: 3 of 4 agree", "y.csv is in none of"},
		"a number":    {"x.csv", strings.Replace(muriTrace, "8,0,100", "8,x,100", 1), "muri: 0 of 4 agree", `submit_time is "x", expected a number`},
		"no GPUs":     {"x.csv", strings.Replace(muriTrace, "a,8", "a,0", 1), "muri: 0 of 4 agree", "expected 1..1e6 GPUs"},
		"no overhead": {"stages.csv", "model,num_gpu,start_overhead_s\nnet,4,4\n", "muri: 0 of 4 agree", "no overhead of net on 8 GPUs in stages.csv"},
		"no stages":   {"stages.csv", "model\n", "muri: could not be compared: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"x__shortest.csv": muriJobs, "summary.csv": muriSum, "x.csv": muriTrace, "stages.csv": muriStages}
			files[c.file] = c.text
			in := map[string]string{}
			for f, text := range files {
				in["reference/muri/"+f] = text
			}
			good, out, details := compare(t, filepath.Join(write(t, in), "reference"))
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}
