package artistref

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
	"tarry/sim/cluster"
)

// A made-up folder of the authors' form, with other names: two jobs of one GPU on one machine of
// eight. Job a runs 1000 iterations of 1 s, b arrives at 5 s and runs 500, which is rounded up to a
// chunk of 1000.
const (
	twoJobs = `[{"job_id": "a", "total_iterations": "1000", "time_per_iteration": "1", "max_parallelism": "1", "arrival_time": "0"},
{"job_id": "b", "total_iterations": "500", "time_per_iteration": "1", "max_parallelism": "1", "arrival_time": "5"}]`
	someRuns = "file,list,cluster,policy\nfirst,odd " +
		"name.json,1x1x8,\"dally:t_rack=0,t_net=inf,lease=1200\"\nsecond,odd name.json,1x1x8,tiresias:lease=1200\n"
	someJobs = "job_id,submit,start,end,jct\nb,5.0,5.0,1005.0,1000.0\na,0.0,0.0,1000.0,1000.0\n"
	noTable  = "model,intra_ring_gpus,dim2,dim1,slots,machines_or_scattered_in_rack,racks_or_scattered_in_network," +
		"compute_fraction\nVGG,2,,,,,,0.5\n"
)

// whole is a root with one folder that agrees; the list stands beside the reference, the table in
// the folder.
func whole() map[string]string {
	return map[string]string{"reference/theirs/runs.csv": someRuns, "reference/theirs/first.jobs.csv": someJobs,
		"reference/theirs/second.jobs.csv": someJobs,
		"traces/artist-sim/odd name.json":  twoJobs, "reference/theirs/speed_table_exact.csv": noTable,
		"reference/theirs/README.md": "text"}
}

func TestFolderOfOtherNames(t *testing.T) {
	files := whole()
	files["reference/elsewhere/numbers.csv"] = "a,b\n"
	files["reference/gavel/summary.csv"] = "a,b\n"
	good, out, details := reftest.Play(t, setup(), files)
	want := "elsewhere: not compared: no comparer yet (numbers.csv)\n" +
		"gavel: not compared: no comparer yet (summary.csv)\n" +
		"theirs: 4 of 4 agree, worst 0 s\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestFolderItself(t *testing.T) {
	good, out, _ := reftest.Compare(t, setup(), filepath.Join(reftest.Write(t, whole()), "reference", "theirs"))
	if want := "theirs: 4 of 4 agree, worst 0 s\n"; !good || out != want {
		t.Errorf("good %v, %q, expected %q", good, out, want)
	}
}

func TestFallsShort(t *testing.T) {
	for name, c := range map[string]struct {
		file, text, out, details string
	}{
		"a job differs": {"second.jobs.csv", strings.Replace(someJobs, "5.0,1005.0", "5.0,1005.5", 1),
			"theirs: 3 of 4 agree, worst 0.5 s\n",
			"theirs: second: 1 of 2 jobs agree (2 simulated), worst 0.5 s, first job b: 5.000000 to 1005.000000 s, " +
				"there 5.000000 to 1005.500000 s\n"},
		"a job is unknown": {"second.jobs.csv", someJobs + "c,1,1,2,1\n", "theirs: 4 of 5 agree, worst +Inf s\n",
			"theirs: second: 2 of 3 jobs agree (2 simulated), worst +Inf s, first job c: +Inf to +Inf s, there " +
				"1.000000 to 2.000000 s\n"},
		"a job is missing": {"second.jobs.csv", strings.TrimSuffix(someJobs, "a,0.0,0.0,1000.0,1000.0\n"),
			"theirs: 3 of 3 agree, worst 0 s\n",
			"theirs: second: 1 of 1 jobs agree (2 simulated), worst 0 s, \n"},
		"a run is not listed": {"third.jobs.csv", someJobs, "theirs: 4 of 4 agree, worst 0 s\n",
			"theirs: third.jobs.csv is not in runs.csv: nothing states how it was run\n"},
		"no such policy": {"runs.csv", strings.Replace(someRuns, "tiresias", "tiresius", 1),
			"theirs: 2 of 4 agree, worst 0 s\n", "theirs: run second: "},
		"no number": {"first.jobs.csv", strings.Replace(someJobs, "1005.0", "x", 1),
			"theirs: 2 of 4 agree, worst 0 s\n", "expected a number"},
		"another header": {"runs.csv", "file,list\n", "theirs: could not be compared: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := whole()
			files["reference/theirs/"+c.file] = c.text
			good, out, details := reftest.Play(t, setup(), files)
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// A file that the comparer of a folder does not speak of makes the whole fall short.
func TestFileThatNothingSpeaksOf(t *testing.T) {
	files := whole()
	files["reference/theirs/odd.csv"] = "a,b\n1,2\n"
	good, out, details := reftest.Play(t, setup(), files)
	if good || !strings.HasPrefix(out, "theirs: 4 of 4 agree") || !strings.Contains(details, "theirs: odd.csv is "+
		"neither compared nor named as not compared\n") {
		t.Errorf("good %v\n%s%s", good, out, details)
	}
}

// Every job of the five runs of the simulator of Dally's authors starts and ends when it did there.
func TestPublishedRuns(t *testing.T) {
	good, out, details := reftest.Compare(t, setup(), sharedata.Path(t, "reference", "artist-sim"))
	if !good || !strings.HasPrefix(out, "artist-sim: 2233 of 2233 agree, worst ") {
		t.Errorf("%s%s", out, details)
	}
}

// Each setting that leaves a habit out is one that the policies have.
func TestHabitsAreSettings(t *testing.T) {
	for _, h := range habits() {
		for name, set := range map[string]string{"artist-dally:": h.dally, "artist-tiresias:": h.tiresias} {
			if set == "" || set == "-" {
				continue
			}
			if _, _, err := simulation.All().Policies.Parse(name+set, cluster.FirstFound); err != nil {
				t.Errorf("%s: %v", h.what, err)
			}
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
