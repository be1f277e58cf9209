package vodaref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

const (
	// Two jobs on 3 GPUs: FIFO gives each its one GPU, ElasticFIFO the third to the first; the
	// program has refused the result of AFS-L.
	vodaLine = `{"case":1,"gpus":3,"jobs":[{"id":7,"min":1,"max":2,"num":1,"submit":0,"first_start":-1,"priority":0,"remaining":5.0,"speedup":[0,1,1.5,1.5]},` +
		`{"id":9,"min":1,"max":1,"num":1,"submit":1,"first_start":3,"priority":0,"remaining":4.0,"speedup":[0,1,1.5]}],` +
		`"published":{"FIFO":{"alloc":[1,1]},"ElasticFIFO":{"alloc":[2,1]},"AFS-L":{"alloc":[9,9],"violates":["x"]},"FfDLOptimizer":{"panic":"infeasible"}},` +
		`"corrected":{"ElasticFIFO":[2,1],"FfDLOptimizer":{"jobs_kept":2,"total_speedup":2.5}}}` + "\n"
	afsJobs = "instance,job,gpus,remaining_work,max_gpus,throughput_at_1_2_3\nx,0,3,10,2,1 1.5\nx,1,3,20,2,1 1.5\n"
	afsGPUs = "instance,jobs,gpus,allocation\nx,2,3,2 1\n"
)

func TestVodaByHand(t *testing.T) {
	files := map[string]string{"reference/a/odd.jsonl": vodaLine, "reference/b/some.csv": afsJobs,
		"reference/b/other.csv": afsGPUs}
	good, out, details := reftest.Play(t, setup(), files)
	want := "a: 4 of 4 agree, worst 0 GPUs; allocations 3 of 3, sums of speeds 1 of 1\n" +
		"a: not compared: 2 published allocations of odd.jsonl: the program ended there, or refused its own " +
		"result\nb: 1 of 1 agree, worst 0 GPUs\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestVodaFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"published": {"a/a.jsonl", strings.Replace(vodaLine, `"FIFO":{"alloc":[1,1]`, `"FIFO":{"alloc":[1,3]`, 1),
			"a: 3 of 4 agree, worst 2 GPUs;", "a.jsonl:1: FIFO: [1 1], there [1 3]"},
		"corrected": {"a/a.jsonl", strings.Replace(vodaLine, `"ElasticFIFO":[2,1]`, `"ElasticFIFO":[1]`, 1),
			"a: 3 of 4 agree, worst +Inf GPUs;", "corrected ElasticFIFO"},
		"an optimum": {"a/a.jsonl", strings.Replace(vodaLine, `2.5}`, `2.75}`, 1), "a: 3 of 4 agree",
			"2 jobs at speed 2.5, there 2 at 2.75"},
		"an algorithm": {"a/a.jsonl", strings.Replace(vodaLine, `"FIFO"`, `"LIFO"`, 1), "a: could not be compared",
			""},
		"no JSON": {"a/a.jsonl", vodaLine + "{\n", "a: could not be compared", ""},
		"AFS-L differs": {"b/a.csv", strings.Replace(afsGPUs, "2 1", "1 2", 1), "b: 0 of 1 agree, worst 1 GPUs\n",
			"instance x: [2 1], there [1 2]"},
		"no number": {"b/a.csv", strings.Replace(afsGPUs, "2 1", "2 y", 1), "b: could not be compared", ""},
		"a bad job": {"b/b.csv", strings.Replace(afsJobs, "1 1.5", "1 z", 1), "b: could not be compared", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"reference/b/b.csv": afsJobs, "reference/b/a.csv": afsGPUs}
			if strings.HasPrefix(c.file, "a/") {
				files = map[string]string{}
			}
			files["reference/"+c.file] = c.text
			good, out, details := reftest.Play(t, setup(), files)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// Every stored allocation of the shared data is reached.
func TestPublishedVoda(t *testing.T) {
	for _, name := range []string{"voda", "afs-l"} {
		good, out, details := reftest.Compare(t, setup(), sharedata.Path(t, "reference", name))
		if !good {
			t.Errorf("%s%s", out, details)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader(), AFSReader()}}
}
