package sim

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"tarry/sim/origin"
	"tarry/sim/recorded"
)

// Each rule of a job at its edge, with the words of the refusal.
func TestWorkloadValidate(t *testing.T) {
	for _, c := range []struct {
		name string
		job  Job
		want string // "" = accepted
	}{
		{"the least", Job{ID: "a", GPUs: 1, Work: 1}, ""},
		{"the most", Job{ID: "a", GPUs: 1, Work: maxTime, Submit: maxTime, Deadline: Never, IterS: 1e12}, ""},
		{"no name", Job{GPUs: 1, Work: 1}, "has no id, expected a name"},
		{"before the start", Job{ID: "a", GPUs: 1, Work: 1, Submit: -1}, "has submit -1e-06s, expected >= 0"},
		{"after all time", Job{ID: "a", GPUs: 1, Work: 1, Submit: maxTime + 1},
			"has submit 2.305843009213694e+12s, expected at most"},
		{"no GPU", Job{ID: "a", Work: 1}, "asks for 0 GPUs, expected >= 1"},
		{"a range below 1", Job{ID: "a", GPUs: 1, MinGPUs: -1, Work: 1},
			"asks for 1 GPUs, outside its own range -1..1"},
		{"a range above", Job{ID: "a", GPUs: 2, MinGPUs: 3, MaxGPUs: 4, Work: 1},
			"asks for 2 GPUs, outside its own range 3..4"},
		{"a range below", Job{ID: "a", GPUs: 3, MinGPUs: 1, MaxGPUs: 2, Work: 1},
			"asks for 3 GPUs, outside its own range 1..2"},
		{"workers below 1", Job{ID: "a", GPUs: 1, WorkerGPUs: -2, Work: 1},
			"has workers of -2 GPUs, expected >= 0 (0 = 1)"},
		{"a part of a worker", Job{ID: "a", GPUs: 6, WorkerGPUs: 4, Work: 1},
			"asks for 6 GPUs in workers of 4, expected a multiple"},
		{"a range below 1 in workers", Job{ID: "a", GPUs: 4, MinGPUs: -1, WorkerGPUs: 2, Work: 1},
			"asks for 4 GPUs, outside its own range -1..4"},
		{"a range in workers", Job{ID: "a", GPUs: 4, MinGPUs: 1, MaxGPUs: 7, WorkerGPUs: 4, Work: 1}, ""},
		{"a range", Job{ID: "a", GPUs: 3, MinGPUs: 1, MaxGPUs: 3, Work: 1}, ""},
		{"no work", Job{ID: "a", GPUs: 1}, "has work 0s, expected > 0"},
		{"too much work", Job{ID: "a", GPUs: 1, Work: maxTime + 1},
			"has work 2.305843009213694e+12s, expected at most"},
		{"a share", Job{ID: "a", GPUs: 1, Work: 1, ShareMilli: 999}, ""},
		{"too large a share", Job{ID: "a", GPUs: 1, Work: 1, ShareMilli: 1001},
			"asks for 1001 thousandths of a GPU, expected 0..1000"},
		{"whole shares of two GPUs", Job{ID: "a", GPUs: 2, Work: 1, ShareMilli: 1000}, ""},
		{"shares of two GPUs", Job{ID: "a", GPUs: 2, Work: 1, ShareMilli: 500},
			"asks for 500 thousandths of 2 GPUs, expected a share only on 1 GPU"},
		{"negative CPU", Job{ID: "a", GPUs: 1, Work: 1, CPUMilli: -1},
			"asks for -1 thousandths of a CPU and 0 MiB, expected >= 0"},
		{"negative memory", Job{ID: "a", GPUs: 1, Work: 1, MemMiB: -1},
			"asks for 0 thousandths of a CPU and -1 MiB, expected >= 0"},
		{"a deadline before time", Job{ID: "a", GPUs: 1, Work: 1, Deadline: -1}, "has deadline -1e-06s, expected >= 0"},
		{"a request before time", Job{ID: "a", GPUs: 1, Work: 1, Request: -1},
			"has request -1e-06s, expected 0 (unknown) to 2.305843009213694e+12s"},
		{"an iteration of no number", Job{ID: "a", GPUs: 1, Work: 1, IterS: math.NaN()}, "has NaN s per iteration"},
		{"an endless iteration", Job{ID: "a", GPUs: 1, Work: 1, IterS: math.Inf(1)}, "has +Inf s per iteration"},
		{"negative iterations", Job{ID: "a", GPUs: 1, Work: 1, Iterations: -1}, "has -1 iterations, expected >= 0"},
	} {
		_, err := NewWorkload("w", []Job{c.job})
		want := fmt.Sprintf("job %q: %s", c.job.ID, c.want)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: error %v, expected %q", c.name, err, want)
		}
	}
}

// Faults of a whole workload: names that appear twice, jobs out of order, and at most 20 of all.
func TestWorkloadFaultsTogether(t *testing.T) {
	ok := Job{ID: "a", GPUs: 1, Work: 1, Submit: 5}
	before := Job{ID: "b", GPUs: 1, Work: 1, Submit: 4}
	w := &Workload{Jobs: []Job{ok, before, ok}}
	want := `job "b": submit 4e-06s is before its predecessor's 5e-06s, expected jobs sorted by submit` + "\n" +
		`job "a": id appears twice, expected unique ids`
	if err := w.Validate(); err == nil || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
	many := &Workload{Jobs: make([]Job, 50)}
	if err := many.Validate(); err == nil || strings.Count(err.Error(), "\n") != 19 {
		t.Errorf("50 bad jobs give %v, expected 20 faults", err)
	}
}

func TestNewWorkloadSorts(t *testing.T) {
	j := func(id string, at Time) Job { return Job{ID: id, Submit: at, GPUs: 1, Work: 1} }
	w, err := NewWorkload("w", []Job{j("10", 7), j("x", 3), j("9", 7), j("b", 7), j("2", 3)},
		origin.Origin{Field: "model", Source: "drawn"})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, j := range w.Jobs {
		ids = append(ids, j.ID)
	}
	same(t, "ids", ids, "2", "x", "9", "10", "b")
	if first, last := w.Span(); first != 3 || last != 7 || len(w.Origins) != 1 {
		t.Errorf("span %v to %v, origins %v", first, last, w.Origins)
	}
	if first, last := (&Workload{}).Span(); first != 0 || last != 0 {
		t.Errorf("the span of nothing is %v to %v", first, last)
	}
}

// Two workloads have one hash exactly when all fields of all jobs are the same, wherever a text
// ends.
func TestHashHasEveryField(t *testing.T) {
	base := Job{ID: "id", GPUs: 1, Work: 1, Model: "m", User: "u"}
	changes := map[string]func(j *Job){
		"ID": func(j *Job) { j.ID = "x" }, "Submit": func(j *Job) { j.Submit++ }, "GPUs": func(j *Job) { j.GPUs++ },
		"MinGPUs": func(j *Job) { j.MinGPUs++ },
		"MaxGPUs": func(j *Job) { j.MaxGPUs++ }, "WorkerGPUs": func(j *Job) { j.WorkerGPUs++ },
		"Work": func(j *Job) { j.Work++ }, "Iterations": func(j *Job) { j.Iterations++ },
		"IterS": func(j *Job) { j.IterS++ },
		"Model": func(j *Job) { j.Model = "x" }, "User": func(j *Job) { j.User = "x" },
		"VC": func(j *Job) { j.VC = "x" }, "Group": func(j *Job) { j.Group = "x" },
		"Request": func(j *Job) { j.Request++ }, "GPUType": func(j *Job) { j.GPUType = "x" },
		"State": func(j *Job) { j.State = "x" }, "Deadline": func(j *Job) { j.Deadline++ },
		"BatchSize": func(j *Job) { j.BatchSize++ }, "ShareMilli": func(j *Job) { j.ShareMilli++ },
		"CPUMilli": func(j *Job) { j.CPUMilli++ }, "MemMiB": func(j *Job) { j.MemMiB++ },
		"GPUMiB": func(j *Job) { j.GPUMiB++ }, "GPUUtilFrac": func(j *Job) { j.GPUUtilFrac = .5 },
		"Priority": func(j *Job) { j.Priority++ }, "Drawn": func(j *Job) { j.Drawn |= origin.VC },
		"a letter from one text to the next": func(j *Job) { j.ID, j.Model = "i", "dm" },
		"a text from one field to another":   func(j *Job) { j.User, j.VC = "", "u" },
	}
	seen := map[string]string{(&Workload{Jobs: []Job{base}}).Hash(): "the base",
		(&Workload{Jobs: []Job{base, base}}).Hash(): "two jobs"}
	for name, change := range changes {
		j := base
		change(&j)
		h := (&Workload{Name: "another name", Jobs: []Job{j}}).Hash()
		if was, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", name, was)
		}
		seen[h] = name
	}
	if a, b := (&Workload{Name: "a", Jobs: []Job{base}}).Hash(),
		(&Workload{Name: "b", Jobs: []Job{base}}).Hash(); a != b {
		t.Error("the name of a workload is in its hash")
	}
	// Results name workloads by it: this is the hash from before jobs had groups and requests.
	if got, want := (&Workload{Jobs: []Job{base, base}}).Hash(),
		"2cea0edac6b5d7430aad1a236b3393aa63f141e9b25fed68fb50e36ccd02017f"; got != want {
		t.Errorf("two jobs without group and request have the hash %s, expected %s", got, want)
	}
	ran := base
	ran.Record = &recorded.Run{Wait: 1, Machines: "m"}
	if seen[(&Workload{Jobs: []Job{ran}}).Hash()] != "the base" {
		t.Error("what another scheduler did with a job is in the hash")
	}
	if n := reflect.TypeFor[Job]().NumField(); n != len(changes)-2+1 {
		t.Errorf("a job has %d fields, the test changes %d and the record", n, len(changes)-2)
	}
}
