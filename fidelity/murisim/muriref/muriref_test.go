package muriref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// Two jobs of 8 GPUs, each on a machine of its own. By hand: an iteration of 1000 ms takes 1.015 s.
// a (100 iterations) is to end at 101.5 s. The arrival of b at 10 s has cost it 4 s, and so has the
// end of b at 20.15 s: it ends at 109.5 s. Submitted together, there is only the end of b: 105.5 s.
const (
	muriTrace = "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time," +
		"resource_time_0,resource_time_1,resource_time_2,priority\na,8,0,100,net,1,0,0,1000,0,0,0,0\nb,8,10000,10," +
		"net,1,0,0,1000,0,0,0,0\n"
	muriStages = "model,num_gpu,start_overhead_s\nnet,8,4\n"
	muriJobs   = "job,end_s\na,109.5\nb,20.15\n"
	muriSum    = "trace,schedule,jobs,mean_jct_s,makespan_s,p99_jct_s\nx,shortest,2,59.825,109.500000,109.500000\n" +
		"x_pr,shortest,2,57.825000,105.5,105.5\nx,blossom,2,1,1,1\n"
)

func TestMuriByHand(t *testing.T) {
	for _, schedule := range []string{"shortest", "shortest-gpu", "dlas-gpu"} {
		files := map[string]string{"reference/other/x__" + schedule + ".csv": muriJobs,
			"reference/other/summary.csv": muriSum, "reference/other/x__blossom.csv": "a\n",
			"traces/muri/x.csv": muriTrace, "profiles/muri/stages.csv": muriStages}
		good, out, details := reftest.Play(t, setup(), files)
		want := "other: 4 of 4 agree, worst 0 s; ends 2 of 2, means 2 of 2\n" +
			"other: not compared: ends of x__blossom.csv: its schedule is not among the baselines\n" +
			"other: not compared: 1 means of summary.csv: the schedule blossom is not among the baselines\n" +
			"other: not compared: 4 orders of summary.csv: no row is of Muri's own schedules, and the stages of the " +
			"jobs are not known\n"
		if !good || out != want || details != "" {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s", schedule, good, out, details, want)
		}
	}
}

func TestMuriFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"an end": {"x__shortest.csv", strings.Replace(muriJobs, "109.5", "109.500002", 1),
			"muri: 3 of 4 agree, worst 2e-06 s;", "first job a: end 109.500000 s, there 109.500002 s"},
		"a mean": {"summary.csv", strings.Replace(muriSum, "57.825", "57.826", 1),
			"muri: 3 of 4 agree, worst 0.001 s;", "row 2: x_pr, shortest differs by 0.001 s"},
		"no trace": {"summary.csv", strings.Replace(muriSum, "x_pr", "y", 1), "muri: 3 of 4 agree",
			"y.csv is in none of"},
		"a number": {"x.csv", strings.Replace(muriTrace, "8,0,100", "8,x,100", 1), "muri: 0 of 4 agree",
			`submit_time is "x", expected a number`},
		"no GPUs": {"x.csv", strings.Replace(muriTrace, "a,8", "a,0", 1), "muri: 0 of 4 agree",
			"expected 1..1e6 GPUs"},
		"no overhead": {"stages.csv", "model,num_gpu,start_overhead_s\nnet,4,4\n", "muri: 0 of 4 agree",
			"no overhead of net on 8 GPUs in stages.csv"},
		"no stages": {"stages.csv", "model\n", "muri: could not be compared: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"x__shortest.csv": muriJobs, "summary.csv": muriSum, "x.csv": muriTrace,
				"stages.csv": muriStages}
			files[c.file] = c.text
			in := map[string]string{}
			for f, text := range files {
				in["reference/muri/"+f] = text
			}
			good, out, details := reftest.Play(t, setup(), in)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// Two jobs that need the 64 GPUs together. By hand: a round is max(400, 100) + max(100, 300) = 700
// ms, so that both do an iteration in T = 0.7 x 1.33 / 1.015 s; b (50 iterations) ends at 50 T =
// 45.862069 s. a has lost 4 + 1 s of that and done (50 T - 5) / T of its 100 iterations; the others
// take 1.015 s each: 102.144964 s.
const (
	groupTrace = "job_id,num_gpu,submit_time,iterations,model_name,iteration_time,duration,resource_time_0\na,64,0," +
		"100,a,1000,1,0\nb,64,0,50,b,500,1,0\n"
	groupStages = "model,num_gpu,iteration_time_ms,resource_time_0_ms,resource_time_1_ms,resource_time_2_ms," +
		"start_overhead_s\na,64,1000,400,300,0,4\nb,64,500,100,100,0,1\n"
	groupJobs = "job,end_s,jct_s\na,102.144964,102.144964\nb,45.862069,45.862069\n"
	groupSum  = "trace,schedule,jobs,mean_jct_s,makespan_s,p99_jct_s\nx,multi-resource-blossom-same-gpu,2," +
		"74.003516,1,1\n"
	groupPacks = "case,num_gpu,jobs,models,best_raw_s,best_s,best_used_ratio,sum_iteration_time_s\n0,64,2,a " +
		"b,0.7,0.91724137931034488,0.24530075187969924,1.5225\n"
	groupPairs  = "instance,num_gpu,jobs,models,pairs,total_weight\n0,64,2,a b,1,0.24530075187969924\n"
	groupAuthor = "policy,metric,trace,seconds\nMuri_S,JCT,x,1\nthemis,JCT,x,1\n"
)

func groups() map[string]string {
	return map[string]string{"x.csv": groupTrace, "stages.csv": groupStages,
		"x__multi-resource-blossom-same-gpu.csv": groupJobs, "summary.csv": groupSum,
		"packing_vectors.csv": groupPacks, "matching_vectors.csv": groupPairs, "authors_committed.csv": groupAuthor}
}

// The order of two jobs is the same under SRSF and SRTF.
func TestMuriGroupsByHand(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, details string }{
		"as it is": {"", "", "", "2 of 2 jobs end at the same time"},
		"a mean":   {"summary.csv", "gpu,2,7", "gpu,2,9", "row 1: x, multi-resource-blossom-same-gpu: mean"},
		"a time": {"packing_vectors.csv", "0.7,", "0.70001,", "packing_vectors.csv, row 1: differs by a part of " +
			"1.43e-05"},
		"a weight":  {"matching_vectors.csv", ",1,0.", ",1,1.", "matching_vectors.csv, row 1: weight"},
		"no stages": {"matching_vectors.csv", "a b", "a c", `row 1: no stages of "c"`},
		"a figure":  {"authors_committed.csv", "Muri_S,JCT,x,1", "SRTF,JCT,x,1", "JCT of SRTF on x"},
	} {
		t.Run(name, func(t *testing.T) {
			in := map[string]string{}
			for f, text := range groups() {
				if f == c.file {
					if !strings.Contains(text, c.old) {
						t.Fatalf("%s has no %q", f, c.old)
					}
					text = strings.Replace(text, c.old, c.new, 1)
				}
				in["reference/muri/"+f] = text
			}
			good, out, details := reftest.Play(t, setup(), in)
			if good != (c.file == "") || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected %s", good, out, details, c.details)
			}
		})
	}
}

// Ends behind two that are one event there are counted apart; those before must be equal within a
// microsecond, or 1e-9 of the time.
func TestMuriCountsMergedEnds(t *testing.T) {
	ends, apart := []float64{10, 5e6, 7e6, 7e6, 8e6}, []float64{2e-6, 4e-3, 0, 9e-3, 20}
	for merged, want := range map[bool]muriCount{
		false: {agree: [2]int{2, 0}, of: [2]int{5, 0}, worst: 20},
		true:  {agree: [2]int{1, 1}, of: [2]int{2, 3}, worst: 4e-3, late: 20},
	} {
		c := muriCount{first: 7e6}
		c.count(ends, apart, merged)
		if want.first = 7e6; c != want {
			t.Errorf("merged %v: %+v, expected %+v", merged, c, want)
		}
	}
}

// Muri's figures on job_type_1 are held against greedy matching, to the digit, and Muri-L's against
// the queues; others against attained GPU-time.
func TestMuriQueues(t *testing.T) {
	for trace, want := range map[string]string{"job_type_1": "muri-sim:key=las2d,matching=greedy",
		"job_type_3": "muri-sim:key=las"} {
		if schedule, exact := muriPolicy("Fig13_Muri_L", trace); muriShares(schedule) != want ||
			exact != (trace == "job_type_1") {
			t.Errorf("%s: %q, expected %q; to the digit: %v", trace, muriShares(schedule), want, exact)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
