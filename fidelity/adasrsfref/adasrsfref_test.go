package adasrsfref

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/effort"
	"tarry/internal/sharedata"
	"tarry/internal/stats"
)

// setup compares with both forms.
func setup() reference.Setup {
	return reference.Setup{Readers: []reference.Reader{Reader(), DualReader()}}
}

// Every stored run, job and decision of the shared data is reached and equal, in steps of the
// authors' program and in continuous time.
func TestShared(t *testing.T) {
	for name, want := range map[string]int{"adasrsf": 1539, "adadual": 12} {
		f, err := setup().Folder(sharedata.Path(t, filepath.Join("reference", name)))
		if err != nil {
			t.Fatal(err)
		}
		compared := compare
		if name == "adadual" {
			compared = compareDual
		}
		o, err := compared(context.Background(), f)
		if err != nil || o.Agree() != o.Of() || o.Of() < want || len(o.Short) > 0 {
			t.Errorf("%s: %d of %d, expected all of at least %d: %v %v", name, o.Agree(), o.Of(), want, err, o.Short)
		}
		for _, line := range o.Beyond {
			t.Log(line)
		}
	}
}

// rules parses the rules of a run or fails the test.
func rules(t *testing.T, placement, communication string, code bool) Rules {
	t.Helper()
	r, err := ParseRules(placement, communication, code)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// play replays jobs or fails the test.
func play(t *testing.T, jobs []Job, nodes, gpus int, r Rules) []Result {
	t.Helper()
	out, err := Replay(jobs, nodes, gpus, r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// One job of two nodes: each iteration is forward, backward and the transfer alone.
func TestAlone(t *testing.T) {
	for _, communication := range []string{"srsf1", "srsf2", "adasrsf"} {
		got := play(t, []Job{{"resnet50", 2, 3, 10}}, 2, 1, rules(t, "lwf1", communication, false))
		if want := 3 * (25 + 37 + 99.2*0.856); math.Abs(got[0].MS-want) > 1e-9 {
			t.Errorf("%s: %v ms, expected %v", communication, got[0].MS, want)
		}
	}
}

// Two equal jobs of one iteration on the same two nodes, a GPU of each: one after the other (srsf1),
// both at once at 2 b + eta ms per MB (srsf2), and AdaDUAL, which waits as what is left is no more
// than the new message.
func TestTwoEqual(t *testing.T) {
	jobs := []Job{{"vgg16", 3, 1, 0}, {"vgg16", 3, 1, 0}}
	const compute, alone, both = 36 + 54, 526.4 * 0.856, 526.4 * (2*0.856 + 0.235)
	for communication, want := range map[string][2]float64{"srsf1": {compute + alone, compute + 2*alone},
		"srsf2": {compute + both, compute + both}, "adasrsf": {compute + alone, compute + 2*alone}} {
		got := play(t, jobs, 2, 4, rules(t, "bp", communication, false)) // 0:0 0:1 0:2, then the same: bp is first fit
		if got[0].GPUs[0] != got[1].GPUs[0] {
			t.Fatalf("GPUs %v and %v, expected first fit on the same", got[0].GPUs, got[1].GPUs)
		}
		if got[0].MS != compute || got[1].MS != 2*compute {
			t.Errorf("%s on one node: %v and %v ms, expected tasks in turn", communication, got[0].MS, got[1].MS)
		}
		// Of three workers on nodes of two GPUs the least loaded are others for the second job, and both cross.
		got = play(t, jobs, 3, 2, rules(t, "lwf1", communication, false))
		if math.Abs(got[0].MS-want[0]) > 1e-9 || math.Abs(got[1].MS-want[1]) > 1e-9 {
			t.Errorf("%s: %v and %v ms, expected %v", communication, got[0].MS, got[1].MS, want)
		}
	}
}

// drawn is a set as the authors draw theirs: 80, 14, 26, 30, 8 and 2 jobs of 1, 2, 4, 8, 16 and 32
// workers, with scale to 6 scale iterations within 1200 scale ms.
func drawn(seed uint64, scale int) (jobs []Job) {
	r := rand.New(rand.NewPCG(seed, 7))
	for i, n := range []int{80, 14, 26, 30, 8, 2} {
		for range n {
			network := []string{"vgg16", "resnet50", "inception-v3", "lstm"}[r.IntN(4)]
			jobs = append(jobs, Job{network, 1 << i, scale + r.IntN(5*scale+1), float64(r.IntN(1200 * scale))})
		}
	}
	return jobs
}

// With messages of one size AdaDUAL never begins a second transfer: every job ends as with
// one transfer per node.
func TestEqualMessages(t *testing.T) {
	for seed := range uint64(4) {
		jobs := drawn(seed, 1)
		for i := range jobs {
			jobs[i].Network = "lstm"
		}
		for _, placement := range []string{"lwf1", "lwf4", "bp"} {
			a := play(t, jobs, 16, 4, rules(t, placement, "srsf1", false))
			b := play(t, jobs, 16, 4, rules(t, placement, "adasrsf", false))
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("seed %d, %s: AdaDUAL of equal messages is not one transfer per node", seed, placement)
			}
		}
	}
}

// Single transfers over one link without a penalty: however many run at once, the last ends when the
// first compute and all bytes are done.
func TestSameMakespan(t *testing.T) {
	jobs := []Job{{"vgg16", 2, 1, 0}, {"lstm", 2, 1, 0}, {"vgg16", 2, 1, 0}, {"lstm", 2, 1, 0}}
	const want = 32 + 47 + 0.856*2*(526.4+251.8)
	for n := 1; n <= 5; n++ {
		got, err := replayOver(link{b: 0.856}, jobs, 2, 1, Rules{Kappa: 1, Most: n})
		if err != nil {
			t.Fatal(err)
		}
		last := 0.0
		for _, x := range got {
			last = max(last, x.MS)
		}
		if math.Abs(last-want) > 1e-9 {
			t.Errorf("%d at once: the last ends after %v ms, expected %v", n, last, want)
		}
	}
}

// On an empty cluster LWF-1 gives a job of one worker the GPUs in order, and larger jobs whole nodes
// in order.
func TestEmptyCluster(t *testing.T) {
	var jobs []Job
	for range 6 {
		jobs = append(jobs, Job{"lstm", 1, 5, 0})
	}
	for i, x := range play(t, jobs, 3, 2, rules(t, "lwf1", "srsf1", false)) {
		if x.GPUs[0] != [2]int{i / 2, i % 2} {
			t.Errorf("job %d is on %v, expected least-loaded first fit", i, x.GPUs)
		}
	}
	got := play(t, []Job{{"lstm", 2, 5, 0}, {"lstm", 3, 5, 0}}, 3, 2, rules(t, "lwf1", "srsf1", false))
	if fmt.Sprint(got[0].GPUs, got[1].GPUs) != "[[0 0] [0 1]] [[1 0] [1 1] [2 0]]" {
		t.Errorf("jobs are on %v and %v, expected nodes in order", got[0].GPUs, got[1].GPUs)
	}
}

// Steps of 1 ms end every task within a millisecond: where nothing contends, a job is late by at
// most one per task.
func TestStepsAreNear(t *testing.T) {
	for _, network := range []string{"vgg16", "resnet50", "inception-v3", "lstm"} {
		jobs := []Job{{network, 4, 20, 5}}
		a := play(t, jobs, 4, 1, rules(t, "lwf1", "srsf1", false))[0].MS
		b := play(t, jobs, 4, 1, rules(t, "lwf1", "srsf1", true))[0].MS
		if b < a || b > a+20 {
			t.Errorf("%s: %v ms in steps, %v in continuous time, expected 0 to 20 more", network, b, a)
		}
	}
}

// The published gain of Ada-SRSF is due to its slip: on sets drawn as the authors draw theirs it is
// there with it, and not without it. -v prints the figures of docs/schedulers/a-srpt.md in long form.
func TestHeadline(t *testing.T) {
	scale := effort.Of(t, 1, 10)
	mean := map[string][]float64{}
	for seed := range uint64(effort.Of(t, 6, 12)) {
		for _, communication := range []string{"srsf1", "srsf2", "adasrsf", "adasrsf-mended"} {
			got := play(t, drawn(seed, scale), 16, 4, rules(t, "lwf1", communication, true))
			mean[communication] = append(mean[communication], Mean(got))
		}
	}
	for _, c := range []struct {
		a, b     string
		lo, high float64
	}{{"adasrsf", "srsf1", -35, -15}, {"adasrsf", "srsf2", -45, -20}, {"adasrsf-mended", "srsf1", -5, 10},
		{"adasrsf-mended", "srsf2", -15, 5}} {
		x, err := stats.Percent(stats.Grid{mean[c.a]}, stats.Grid{mean[c.b]})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s against %s: %+.1f %% [%+.1f, %+.1f]", c.a, c.b, x.Point, x.Lo, x.Hi)
		if !(x.Lo > c.lo && x.Hi < c.high) {
			t.Errorf("%s against %s: %v, expected within %v and %v", c.a, c.b, x, c.lo, c.high)
		}
	}
}

// What is damaged is found, and named.
func TestEdits(t *testing.T) {
	files := map[string]string{
		"s.jobs.csv":   "job,dnn,workers,iterations,submit_ms\n0,lstm,1,2,5\n",
		"s.events.csv": "placement,communication,job,jct_ms,gpus\nbp,srsf1,0,158.000000,0:0\n",
		"summary.csv": "set,nodes,gpus_per_node,placement,communication,source,jobs,mean_jct_ms,last_end_ms\n" +
			"s,1,1,bp,srsf1,rules,1,158.000,163.000\n",
	}
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":         {"summary.csv", "s,1", "s,1", "mine: 2 of 2 agree, worst 0 ms", ""},
		"a mean":        {"summary.csv", "158.000", "159.000", "mine: 1 of 2 agree, worst 1 ms", "row 1: off by 1"},
		"a time":        {"s.events.csv", "158.0", "157.0", "mine: 1 of 2 agree, worst 1 ms", "events.csv: row 1: off by 1"},
		"a GPU":         {"s.events.csv", "0:0", "0:1", "mine: 1 of 2 agree", "[0:0], there 0:1"},
		"no such job":   {"s.events.csv", "srsf1,0", "srsf1,4", "mine: 1 of 2 agree", "job 4: no such job was replayed"},
		"no such run":   {"s.events.csv", "srsf1", "srsf2", "mine: 1 of 2 agree", "no such job was replayed"},
		"a network":     {"s.jobs.csv", "lstm", "bert", "mine: 0 of 2 agree", `network "bert", expected vgg16`},
		"workers":       {"s.jobs.csv", "lstm,1", "lstm,2", "mine: 0 of 2 agree", "2 workers, expected 1 to 1"},
		"iterations":    {"s.jobs.csv", "1,2,5", "1,0,5", "mine: 0 of 2 agree", "0 iterations from 5 ms on"},
		"order":         {"s.jobs.csv", "\n0,", "\n3,", "mine: could not be compared: ", ""},
		"placement":     {"summary.csv", "bp", "lwf", "mine: 0 of 2 agree", `placement "lwf", expected bp, lwf1`},
		"communication": {"summary.csv", "srsf1", "srsf", "mine: 0 of 2 agree", `communication "srsf", expected srsf1`},
	})
	one := map[string]string{decisions: `[{"b": "1/2", "eta": "1/4", "old_left": "4", "new": "1", ` +
		`"ends_if_now": ["11/4", "5/4"], "ends_if_wait": ["2", "5/2"], "sum_if_now": "4", "sum_if_wait": "9/2", ` +
		`"admit": true, "threshold": "3"}]`}
	reftest.Edits(t, setup(), one, map[string]reftest.Edit{
		"right":       {decisions, "true", "true", "mine: 1 of 1 agree, worst 0 relative", ""},
		"a decision":  {decisions, "true", "false", "mine: 0 of 1 agree", "begins at once: true, there false"},
		"an end":      {decisions, "11/4", "12/4", "mine: 0 of 1 agree", "off by 0.0833"},
		"no fraction": {decisions, "11/4", "x", "mine: could not be compared: ", ""},
		"no size":     {decisions, `"new": "1"`, `"new": "0"`, "mine: 0 of 1 agree", "expected numbers above 0"},
	})
}

// Readers do not take other folders for theirs.
func TestOtherForms(t *testing.T) {
	_, out, _ := reftest.Play(t, setup(), map[string]string{"reference/mine/summary.csv": "a,b\n1,2\n"})
	if !strings.HasPrefix(out, "mine: not compared: no comparer yet") {
		t.Error(out)
	}
}
