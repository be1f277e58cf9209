package deepbootref

import (
	"os"
	"path/filepath"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
	"tarry/sim/speed/polluxsim"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

func TestReferences(t *testing.T) { reftest.References(t, setup(), "deepboot") }

// Every kind of number that differs is found.
func TestEdits(t *testing.T) {
	dir := sharedata.Path(t, "reference/deepboot")
	files := map[string]string{}
	for _, name := range []string{resultsFile, placementsFile, meansFile, workloadFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	with := setup()
	with.Beside = []string{filepath.Dir(filepath.Dir(sharedata.Path(t, "profiles", "pollux-sim")))}
	const all, but = "mine: 234 of 234 agree", "mine: 233 of 234 agree"
	reftest.Edits(t, with, files, map[string]reftest.Edit{
		"right": {resultsFile, "", "", all, ""},
		"an end": {resultsFile, "aryl,cifar10-8,training,1081,5164", "aryl,cifar10-8,training,1081,5163", but,
			"is 5164, there"},
		"a delay": {resultsFile, "dp,cifar10-6,training,53,640,587,4,504,76", "dp,cifar10-6,training,53,640,587,4,504,77",
			but, "delay_s of cifar10-6 under dp by its placements is 76, there 77"},
		"a placement": {placementsFile, "optimus,deepspeech2-7,1440,,1+1+1+1", "optimus,deepspeech2-7,1440,,2+1+1",
			"mine: 233 of 234", "change 1 of deepspeech2-7"},
		"a mean": {meansFile, "dp,10,2212.2", "dp,10,2422.2", but, "mean_jct_s of dp"},
	})
}

// task is a task of an application for some seconds.
func task(id, submit int, app string, seconds float64) *job {
	return &job{id: id, name: app, app: "infer-" + app, model: app, service: true, submit: submit, target: 1, batch: 1,
		duration: seconds, end: -1, began: -1, ends: -1, restarts: -1, pod: -1}
}

// A task starts in 8 s, the next of its application runs in its pod at once, guarded or asleep; a third that
// comes while the pod is busy needs one of its own.
func TestPods(t *testing.T) {
	jobs := []*job{task(0, 61, "bert", 5), task(1, 80, "bert", 5), task(2, 82, "bert", 5), task(3, 200, "bert", 7)}
	w := &world{policy: deepBoot{}, nodes: 2, gpus: 1, jobs: jobs}
	if err := w.run(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{74, 85, 95, 207} {
		if jobs[i].end != want {
			t.Errorf("task %d ends at %v s, expected %v", i, jobs[i].end, want)
		}
	}
	if jobs[0].reuses || !jobs[1].reuses || jobs[2].reuses || !jobs[3].reuses {
		t.Error("tasks 1 and 3 alone are to run in pods of others")
	}
}

// Guard times: 30 s, 15 s more for each reuse in a row, at most 120 s.
func TestGuard(t *testing.T) {
	for reuses, want := range []int{30, 45, 60, 75, 90, 105, 120, 120} {
		if p := (pod{reuses: reuses}); p.guard() != want {
			t.Errorf("after %d reuses it is guarded for %d s, expected %d", reuses, p.guard(), want)
		}
	}
}

// trains is a job that trains on a number of GPUs of its own choice.
func trains(t *testing.T, id, submit, gpus, batch int) *job {
	t.Helper()
	table, err := polluxsim.Open(sharedata.Path(t, "profiles", "pollux-sim"))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := table.Profile("cifar10")
	return &job{id: id, name: "trains", app: "cifar10", model: "cifar10", profile: p, limits: p.Limits(), submit: submit,
		target: gpus, batch: batch, end: -1, began: -1, ends: -1, restarts: -1, pod: -1, duration: -1}
}

// On a full cluster a task takes a GPU of training under Tiresias; under Aryl it takes the second node,
// which the job leaves.
func TestTasksTakeGPUs(t *testing.T) {
	table, err := polluxsim.Open(sharedata.Path(t, "profiles", "pollux-sim"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		policy policy
		aryl   bool
		left   []int
	}{
		"tiresias": {&tiresias{runs: map[int]bool{}, seen: map[int]int{}, executed: map[int]int{}, met: map[int]bool{}},
			false, []int{1, 2}},
		"aryl": {aryl{}, true, []int{2}},
	} {
		w := &world{table: table, policy: c.policy, aryl: c.aryl, nodes: 2, gpus: 2,
			jobs: []*job{trains(t, 0, 10, 4, 512), task(1, 90, "ncf", 5)}}
		if err := w.run(); err != nil {
			t.Fatal(err)
		}
		j := w.jobs[0]
		if w.jobs[1].end != 99 || len(j.moves) < 2 || j.moves[1].at != 90 || total(j.moves[1].after) != total(c.left) {
			t.Errorf("%s: the task ends at %v s, and training has %+v, expected %v from 90 s on", name, w.jobs[1].end,
				j.moves, c.left)
		}
	}
}
