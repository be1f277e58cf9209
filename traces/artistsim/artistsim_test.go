package artistsim

import (
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	one   = `{"job_id": "11", "user": "u", "model": "VGG", "total_iterations": "1000", "time_per_iteration": "0.25", "max_parallelism": "4", "arrival_time": "60"}`
	two   = `{"job_id": "9", "user": "u", "model": "BERT", "total_iterations": 10, "time_per_iteration": 1.5, "max_parallelism": 1, "arrival_time": 90.5}`
	three = `{"job_id": "12", "total_iterations": "7", "time_per_iteration": "3", "max_parallelism": "16", "state": "COMPLETED", "nodelist": null}`

	sample = "[\n" + one + ",\n" + two + ",\n" + three + "\n]\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample, Duplicate: "[" + one + "," + two + "," + three +
		"," + one + "]"})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Job{ID: "11", User: "u", Model: "VGG", GPUs: 4, Submit: 60 * sim.Second, Work: 250 * sim.Second,
		Iterations: 1000, IterS: 0.25}
	if w.Jobs[1] != want {
		t.Errorf("got %+v, want %+v", w.Jobs[1], want)
	}
	if w.Jobs[0].ID != "12" || w.Jobs[0].Submit != 0 {
		t.Errorf("a job without arrival_time is %+v, want it at 0", w.Jobs[0])
	}
}

// with puts another value in place of a field of job one.
func with(field, value string) string {
	at := strings.Index(one, `"`+field+`": `) + len(field) + 4
	end := at + strings.IndexAny(one[at:], ",}")
	return "[\n" + one[:at] + value + one[end:] + "\n]"
}

func TestWrong(t *testing.T) {
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a JSON list`},
		{"no elements", "[]", `f: no job can be kept: it holds no rows`},
		{"object", `{"job_id": "1"}`, `f:1: the file starts with {, expected a JSON list: [`},
		{"element of another type", "[\n3]", `f:2: the element is a number, expected an object`},
		{"list in a field", "[\n{\"job_id\": [1]}]", `f:2: a field is a list or an object, expected text or a number`},
		{"cut in an element", "[\n{\"job_id\": \"1\"",
			`f:2: the file ends inside element 1 of the list: is it cut off?`},
		{"cut between elements", "[\n" + one + ",\n",
			`f:3: the file ends inside element 2 of the list: is it cut off?`},
		{"text after the list", "[" + one + "]\n[",
			`f:2: text after the closing bracket, expected the end of the file`},
		{"not JSON", "[\n{job}]", `f:2: invalid character 'j' looking for beginning of object key string`},
		{"no GPUs", with("max_parallelism", `"0"`),
			`f:2: column "max_parallelism" is "0", expected a whole number from 1 to 1000000`},
		{"NaN", with("time_per_iteration", `"NaN"`),
			`f:2: column "time_per_iteration" is "NaN", expected a number > 0`},
		{"zero step", with("time_per_iteration", `"0"`),
			`f:2: column "time_per_iteration" is "0", expected a number > 0`},
		{"no steps", with("total_iterations", `"0"`),
			`f:2: column "total_iterations" is "0", expected a whole number >= 1`},
		{"negative arrival", with("arrival_time", `"-1"`), `f:2: column "arrival_time" is "-1", expected seconds >= 0`},
		{"endless work", with("time_per_iteration", `"1e300"`),
			`f:2: column "time_per_iteration" is "1e300", expected at most 1e12 s of work in total_iterations x time_per_iteration, not 1e+303`},
		{"no id", with("job_id", `""`), `f:2: the job has no id, expected a name`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, "[]", "["+three+"]", with("time_per_iteration", "1e-9"))
}

// The two lists that come with the paper's simulator.
func TestPaperLists(t *testing.T) {
	for _, c := range []struct {
		file        string
		jobs        int
		work        float64
		first, last float64
		users       int
	}{
		{"artist-sim/sense_500jobs_poisson_1proc-week.json", 411, 48287259.18408681, 4286, 600112, 77},
		{"artist-sim/sense_500jobs_0start0arrival-withBert.json", 500, 46993967.17295414, 0, 0, 69},
	} {
		w, _, err := Read(tracetest.Shared(t, c.file), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		var work float64
		users := map[string]bool{}
		for _, j := range w.Jobs {
			work += j.Work.Seconds()
			users[j.User] = true
		}
		first, last := w.Span()
		if len(w.Jobs) != c.jobs || math.Abs(work-c.work) > 0.001 || first.Seconds() != c.first ||
			last.Seconds() != c.last || len(users) != c.users {
			t.Errorf("%s: %d jobs, work %.6f s, submits %v to %v, %d users", c.file, len(w.Jobs), work, first, last,
				len(users))
		}
	}
}

// A list without arrival_time has its arrivals in start_time, or begins with all jobs at once; a
// note reports which.
func TestStartTime(t *testing.T) {
	job := func(id, times string) string {
		return `{"job_id": "` + id + `", "total_iterations": "10", "time_per_iteration": "1", "max_parallelism": "1"` +
			times + `}`
	}
	list := "[" + strings.Join([]string{job("a", `, "start_time": "314.5"`),
		job("b", `, "start_time": "7", "arrival_time": "60"`),
		job("c", `, "start_time": "-1"`), job("d", `, "start_time": "2020-03-26 13:42:30"`), job("e", "")}, ",") + "]"
	w, report, err := Parse("s", strings.NewReader(list), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]sim.Time{"a": 314_500_000, "b": 60 * sim.Second, "c": 0, "d": 0, "e": 0}
	for _, j := range w.Jobs {
		if j.Submit != want[j.ID] {
			t.Errorf("%s is submitted at %v, expected %v", j.ID, j.Submit, want[j.ID])
		}
	}
	if notes := strings.Join(report.Notes, "|"); notes != "1 of 5 jobs have no arrival_time: start_time is taken as "+
		"their submit|3 of 5 jobs have neither arrival_time nor start_time in seconds: taken as submitted at 0" {
		t.Errorf("notes: %s", notes)
	}
}

// Words for missing values are no names, and a submit is taken from the next field that has one.
func TestMissingValues(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(`[
{"job_id": "1.0", "user": "None", "model": "nan", "state": "null", "total_iterations": 10.0, "time_per_iteration": 1, "max_parallelism": "4.0", "arrival_time": "NaN", "start_time": "7"},
{"job_id": 2, "user": "-1.0", "total_iterations": "1e1", "time_per_iteration": "1.0", "max_parallelism": 4, "arrival_time": "9.5", "start_time": "3"},
{"job_id": "3", "total_iterations": 10, "time_per_iteration": 1, "max_parallelism": 4, "arrival_time": null, "start_time": "-1.0"}]`),
		intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []sim.Job{{ID: "3"}, {ID: "1", Submit: 7 * sim.Second}, {ID: "2", Submit: 9_500_000}}
	for i, j := range want {
		j.GPUs, j.Work, j.Iterations, j.IterS = 4, 10*sim.Second, 10, 1
		if w.Jobs[i] != j {
			t.Errorf("got %+v, want %+v", w.Jobs[i], j)
		}
	}
	if got, want := strings.Join(report.Notes, "|"), "1 of 3 jobs have no arrival_time: start_time is taken as their "+
		"submit|1 of 3 jobs have neither arrival_time nor start_time in seconds: taken as submitted at 0"; got != want {
		t.Errorf("the notes are %s", got)
	}
}
