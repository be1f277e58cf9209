package deadline

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

func parse(t *testing.T, text string) *Law {
	t.Helper()
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func workload(t *testing.T, n int) *sim.Workload {
	t.Helper()
	js := make([]sim.Job, n)
	for i := range js {
		g := int32(1 + i%4)
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(i) * sim.Second, Work: sim.Time(g) * 100 *
			sim.Second}
	}
	w, err := sim.NewWorkload("w", js)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var seed = rng.Source{Seed: 3}

// Without a range deadlines are exact: arrival + tightness x run time alone, whatever number of
// GPUs the job asks for.
func TestTightness(t *testing.T) {
	w, err := parse(t, "tightness=1.5").Apply(workload(t, 9), seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range w.Jobs {
		if j.Deadline != j.Submit+150*sim.Second || j.Drawn != origin.Deadline {
			t.Errorf("job %s of %d GPUs comes at %v and has deadline %v (drawn: %v), expected 150 s later", j.ID,
				j.GPUs, j.Submit, j.Deadline, j.Drawn)
		}
	}
	half := &sim.Job{ID: "h", GPUs: 1, ShareMilli: 500, Work: 10 * sim.Second} // alone on half a GPU: 20 s
	parse(t, "tightness=2").job(half, seed.Stream(draws))
	short := &sim.Job{ID: "s", GPUs: 1, Work: 1, Submit: 5}
	parse(t, "min=0,max=0").job(short, seed.Stream(draws))
	if half.Deadline != 40*sim.Second || short.Deadline != 6 {
		t.Errorf("deadlines %v and %v, expected 40 s and one microsecond after the arrival", half.Deadline,
			short.Deadline)
	}
}

// Factors are uniform in min..max, the part without deadline is 1 - fraction, and a smaller
// fraction leaves the others' deadlines alone.
func TestLaw(t *testing.T) {
	const n = 20000
	all, err := parse(t, "min=0.5,max=1.5").Apply(workload(t, n), seed)
	if err != nil {
		t.Fatal(err)
	}
	some, err := parse(t, "min=0.5,max=1.5,fraction=0.7").Apply(workload(t, n), seed)
	if err != nil {
		t.Fatal(err)
	}
	tight, err := parse(t, "min=0.5,max=1.5,tightness=0.5").Apply(workload(t, n), seed)
	if err != nil {
		t.Fatal(err)
	}
	var sum, sum2 float64
	have := 0
	for i := range all.Jobs {
		j, k, l := &all.Jobs[i], &some.Jobs[i], &tight.Jobs[i]
		f := (j.Deadline - j.Submit).Seconds() / 100
		sum, sum2 = sum+f, sum2+float64(f*f)
		if f < 0.5 || f > 1.5 || k.Deadline != 0 && k.Deadline != j.Deadline ||
			math.Abs((l.Deadline-l.Submit).Seconds()-50*f) > 2e-6 {
			t.Fatalf("job %d has factor %v, deadline %v of %v with fewer deadlines, %v with half the time", i, f,
				k.Deadline, j.Deadline, l.Deadline)
		}
		if k.Deadline > 0 {
			have++
		}
	}
	mean := sum / n
	if sd := math.Sqrt(sum2/n - mean*mean); math.Abs(mean-1) > 0.01 || math.Abs(sd-1/math.Sqrt(12)) > 0.01 ||
		math.Abs(float64(have)/n-0.7) > 0.015 {
		t.Errorf("factors have mean %v and deviation %v, and %d of %d jobs deadlines; expected 1, 0.289 and 70 %%",
			mean, sd, have, n)
	}
}

// The trace's deadlines stay, go, or stay where there are some.
func TestTraceDeadlines(t *testing.T) {
	if l := parse(t, "trace"); l != nil || parse(t, "") != nil {
		t.Errorf("the trace decides, and there is the law %v", l)
	}
	w := workload(t, 3)
	w.Jobs[1].Deadline = 7 * sim.Second
	none, err := parse(t, "none").Apply(w, seed)
	if err != nil {
		t.Fatal(err)
	}
	keep, err := parse(t, "keep=true").Apply(w, seed)
	if err != nil {
		t.Fatal(err)
	}
	if none.Jobs[1].Deadline != 0 || keep.Jobs[1].Deadline != 7*sim.Second || keep.Jobs[1].Drawn != 0 ||
		keep.Jobs[2].Deadline != 102*sim.Second || w.Jobs[2].Deadline != 0 {
		t.Errorf("deadlines %v and %v from %v", none.Jobs[1].Deadline, keep.Jobs, w.Jobs)
	}
}

// A stream of jobs gets the deadlines that a list gets.
func TestStreamIsApply(t *testing.T) {
	l, w := parse(t, "min=0.2,max=3,fraction=0.6"), workload(t, 500)
	want, err := l.Apply(w, seed)
	if err != nil {
		t.Fatal(err)
	}
	change, s, j := l.Changes(seed), w.Stream(), sim.Job{}
	for i := 0; s.Next(&j); i++ {
		if change(&j); j != want.Jobs[i] {
			t.Fatalf("job %d of the stream is %+v, expected %+v", i, j, want.Jobs[i])
		}
	}
	if n := testing.AllocsPerRun(100, func() { change(&j) }); n != 0 {
		t.Errorf("%v allocations per job", n)
	}
}

// What is printed is read back, in one spelling.
func TestSpelling(t *testing.T) {
	for text, want := range map[string]string{"fraction=1.0,tightness=2": "tightness=2", "none": "none",
		"fraction=0": "none", "max=1.5,min=0.5": "tightness=1,min=0.5,max=1.5",
		"keep=true,fraction=0.5": "tightness=1,fraction=0.5,keep=true"} {
		l := parse(t, text)
		if got := l.String(); got != want {
			t.Errorf("%s is written %s, expected %s", text, got, want)
		}
		if again := parse(t, l.String()); !l.None() && *again != *l {
			t.Errorf("%s read back is %+v, expected %+v", text, again, l)
		}
	}
	for text, want := range map[string]string{"tightness=0": "1e-06", "min=2": "min is 2 and max 1",
		"fraction=2": "0..1", "tight=1": "tightness", "soon": "trace, none or", "keep=1": "true"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q", text, err, want)
		}
	}
}
