package slurm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

// jobJSON is a job of Slurm 23 and later, whose numbers are objects.
const jobJSON = `{"job_id": 7, "array": {"job_id": 0, "task_id": {"set": false, "number": 0}, "task": ""},
 "het": {"job_id": 0, "job_offset": {"set": false, "number": 0}}, "association": {"account": "nlp", "user": "ann"},
 "cluster": "alpha", "user": "ann", "account": "nlp", "partition": "gpu", "qos": "normal", "nodes": "gpu01",
 "allocation_nodes": 1, "state": {"current": ["COMPLETED"], "reason": "None"}, "time": {"elapsed": 60,
 "eligible": 1709280000, "submission": 1709280000, "start": 1709280010, "end": 1709280070,
 "limit": {"set": true, "infinite": false, "number": 90}}, "tres": {"allocated": [{"type": "cpu", "name": "", "count": 8},
 {"type": "mem", "name": "", "count": 4096}, {"type": "gres", "name": "gpu", "count": 2},
 {"type": "gres", "name": "gpu:a100", "count": 2}], "requested": []}}`

// listed makes the object that sacct prints of jobs.
func listed(jobs ...string) string {
	return "{\"meta\": {\"plugins\": {}}, \"jobs\": [\n" + strings.Join(jobs, ",\n") + "\n], \"errors\": []}\n"
}

func changed(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(jobJSON) }

func TestJSONFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: listed(jobJSON, changed(`"job_id": 7`, `"job_id": 8`),
		changed(`"job_id": 7`, `"job_id": 9`)), Unlisted: 0})
}

// The same log as an object and as a table gives the same jobs: here some of it, of Slurm 22.05.
func TestJSONReal(t *testing.T) {
	object, err := os.ReadFile(filepath.Join("testdata", "sacct.json"))
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	for line := range strings.Lines(realJobs) {
		id, rest, _ := strings.Cut(line, " ")
		fields := strings.Fields(rest)
		if len(fields) > 3 {
			table[id] = strings.Join(fields[1:3], " ") + " " + strings.Join(fields[len(fields)-3:], " ")
		}
	}
	jobs, account := read(t, string(object))
	n := 0
	for line := range strings.Lines(jobs) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		fields := strings.Fields(rest)
		got := strings.Join(fields[1:3], " ") + " " + strings.Join(fields[len(fields)-3:], " ")
		if n++; got != table[id] {
			t.Errorf("%s is %s as an object and %s in a table", id, got, table[id])
		}
	}
	if n < 8 {
		t.Errorf("%d jobs:\n%s%s", n, jobs, account)
	}
}

func TestJSONValues(t *testing.T) {
	for _, c := range []struct{ name, log, jobs string }{
		{"as it is", listed(jobJSON), "7 0 2 120 ann gpu a100 COMPLETED\n"},
		{"an element", listed(changed(`{"job_id": 0, "task_id": {"set": false, "number": 0}`,
			`{"job_id": 5, "task_id": {"set": true, "number": 3}`)), "5_3 0 2 120 ann gpu a100 COMPLETED\n"},
		{"an element of older versions", listed(changed(`{"job_id": 0, "task_id": {"set": false, "number": 0}`,
			`{"job_id": 5, "task_id": 3`)), "5_3 0 2 120 ann gpu a100 COMPLETED\n"},
		{"a component", listed(changed(`"het": {"job_id": 0, "job_offset": {"set": false, "number": 0}`,
			`"het": {"job_id": 6, "job_offset": {"set": true, "number": 1}`)), "6 0 2 120 ann gpu a100 COMPLETED\n"},
		{"a state of older versions", listed(changed(`["COMPLETED"]`, `"TIMEOUT"`)), "7 0 2 120 ann gpu a100 TIMEOUT\n"},
		{"pending elements", listed(jobJSON, changed(`"task_id": {"set": false, "number": 0}, "task": ""`,
			`"task": "1-3"`, `{"job_id": 0,`, `{"job_id": 8,`, `["COMPLETED"]`, `["PENDING"]`, `1709280010`, `0`)),
			"7 0 2 120 ann gpu a100 COMPLETED\n"},
		{"unlimited", listed(changed(`"infinite": false, "number": 90`, `"infinite": true, "number": 0`)),
			"7 0 2 120 ann gpu a100 COMPLETED\n"},
		{"no list", `{"meta": {}}`, `error f: no list "jobs", expected what sacct --json prints`},
		{"another object", `{"jobs": [{"job_id": "x"}]}`, `error f: no job can be kept of 1 rows: 1 dropped: column ` +
			`"Submit": expected a time YYYY-MM-DDThh:mm:ss, or seconds since 1970 (f:1: column "Submit" is "", expected ` +
			`a time YYYY-MM-DDThh:mm:ss, or seconds since 1970)`},
	} {
		if got, account := read(t, c.log); got != c.jobs {
			t.Errorf("%s: got\n%s%s\nwant\n%s", c.name, got, account, c.jobs)
		}
	}
	for text, want := range map[string]float64{jobJSON: 5400, changed(`"infinite": false`, `"infinite": true`): 0,
		changed(`{"set": true, "infinite": false, "number": 90}`, `90`):   5400,
		changed(`{"set": true, "infinite": false, "number": 90}`, `null`): 0} {
		w, _, err := Parse("f", strings.NewReader(listed(text)), intake.Options{Strict: true})
		if err != nil || w.Jobs[0].Request.Seconds() != want || w.Jobs[0].MemMiB != 2048 || w.Jobs[0].CPUMilli != 4000 {
			t.Errorf("%s: %v, %v", text, w, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	tracetest.Fuzz(f, Parse, listed(jobJSON), `{"jobs": [{"job_id": {"set": true}}]}`, listed(changed(`["COMPLETED"]`, `[]`)))
}
