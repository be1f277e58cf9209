package objective

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tarry/internal/sharedata"
)

// instance is a line of the reference files: an optimisation problem with its optimal value.
type instance struct {
	ID                  int         `json:"id"`
	Style               string      `json:"style"`
	Throughput          [][]float64 `json:"throughput"`
	Scale               []int       `json:"scale"`
	Weight              []float64   `json:"weight"`
	Workers             []int       `json:"workers"`
	Steps               []float64   `json:"steps"`
	Cost                []float64   `json:"cost"`
	SLOS                []*float64  `json:"slo_s"`
	ElapsedS            []float64   `json:"elapsed_s"`
	IsolatedElapsedS    []float64   `json:"isolated_elapsed_s"`
	IsolatedThroughput  []float64   `json:"isolated_throughput"`
	Status              string      `json:"status"`
	Objective           *float64    `json:"objective"`
	ObjectiveWithoutSLO float64     `json:"objective_without_slo"`
	MakespanS           *float64    `json:"makespan_s"`
	GavelBisectionTS    *float64    `json:"gavel_bisection_T_s"`
}

// input is the problem of an instance.
func (i *instance) input() *Input {
	in := &Input{Workers: i.Workers, Scale: i.Scale, Weight: i.Weight, Steps: i.Steps, Cost: i.Cost,
		ElapsedS: i.ElapsedS, IsolatedS: i.IsolatedElapsedS}
	for _, row := range i.Throughput {
		in.Throughput = append(in.Throughput, row...)
	}
	for _, s := range i.SLOS {
		if s == nil {
			in.SLOS = append(in.SLOS, math.Inf(1))
		} else {
			in.SLOS = append(in.SLOS, *s)
		}
	}
	return in
}

// referenceFiles lists NAME.jsonl of all folders of results.
func referenceFiles(t testing.TB, name string) []string {
	t.Helper()
	return sharedata.References(t, filepath.Join("*", name+".jsonl"))
}

// instances reads every instance of a kind.
func instances(t testing.TB, name string) (all []*instance) {
	t.Helper()
	for _, file := range referenceFiles(t, name) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for n := 1; lines.Scan(); n++ {
			i := new(instance)
			if err := json.Unmarshal(lines.Bytes(), i); err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			all = append(all, i)
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		f.Close()
	}
	return all
}

// check solves an instance with an allocator that may be warm from another, and compares.
func check(t *testing.T, name string, a Allocator, i *instance, want float64, tolerance float64) (worst float64) {
	t.Helper()
	in := i.input()
	if err := in.Validate(); err != nil {
		t.Fatalf("%s %d: %v", name, i.ID, err)
	}
	var x Matrix
	got, err := a.Allocate(in, &x)
	if err == nil {
		err = feasible(in, &x)
	}
	if err != nil {
		t.Errorf("%s %d (%s, %d jobs): %v", name, i.ID, i.Style, len(i.Scale), err)
		return 0
	}
	if got == want {
		return 0
	}
	d := math.Abs(got-want) / math.Abs(want)
	if !(d <= tolerance) {
		t.Errorf("%s %d (%s, %d jobs): %v, expected %v: %.3g off", name, i.ID, i.Style, len(i.Scale), got, want, d)
	}
	return d
}

// feasible checks the constraints that all allocators keep.
func feasible(in *Input, x *Matrix) error {
	time, used := make([]float64, in.Jobs()), make([]float64, in.Types())
	for m := range in.Rows() {
		for j, v := range x.Row(m) {
			if !(v >= 0) {
				return fmt.Errorf("row %d has %v of type %d", m, v, j)
			}
			if m < in.Jobs() {
				time[m] += v
				used[j] += v * float64(in.Scale[m])
				continue
			}
			p := in.Pairs[m-in.Jobs()]
			time[p.A] += v
			time[p.B] += v
			used[j] += v * float64(in.Scale[p.A])
		}
	}
	for m, v := range time {
		if v > 1+1e-9 {
			return fmt.Errorf("job %d runs %v of the time", m, v)
		}
	}
	for j, v := range used {
		if v > float64(in.Workers[j])*(1+1e-9)+1e-9 {
			return fmt.Errorf("type %d: %v GPUs used of %d", j, v, in.Workers[j])
		}
	}
	return nil
}

// TestReferenceMaxMin and the tests below hold every instance to the optimum of other solvers, each
// with one allocator for all.
func TestReferenceMaxMin(t *testing.T) {
	a, worst := &MaxMin{Typed: true}, 0.0
	all := instances(t, "max_min_fairness")
	for _, i := range all {
		worst = max(worst, check(t, "max-min", a, i, *i.Objective, 1e-9))
	}
	t.Logf("%d instances, worst difference %.3g", len(all), worst)
}

func TestReferenceMakespan(t *testing.T) {
	a, b, worst := &Makespan{Typed: true}, &Makespan{Typed: true, Bisect: true}, 0.0
	all := instances(t, "min_makespan")
	for _, i := range all {
		want, bisected := math.Inf(1), math.Inf(1)
		if i.Status == "optimal" {
			want, bisected = *i.MakespanS, *i.GavelBisectionTS
		}
		worst = max(worst, check(t, "makespan", a, i, want, 1e-9))
		check(t, "bisection", b, i, bisected, 1e-12)
	}
	t.Logf("%d instances, worst difference %.3g", len(all), worst)
}

func TestReferenceThroughput(t *testing.T) {
	a, b, worst := &Throughput{Priced: true, Limits: true}, &Throughput{Priced: true}, 0.0
	all := instances(t, "max_throughput_per_cost")
	for _, i := range all {
		want := i.ObjectiveWithoutSLO
		if i.Status == "optimal" {
			want = *i.Objective
		}
		worst = max(worst, check(t, "throughput", a, i, want, 1e-9),
			check(t, "throughput without SLO", b, i, i.ObjectiveWithoutSLO, 1e-9))
		if a.Missed() != (i.Status == "infeasible_slo") {
			t.Errorf("throughput %d: SLOs dropped %v, expected %s", i.ID, a.Missed(), i.Status)
		}
	}
	t.Logf("%d instances, worst difference %.3g", len(all), worst)
}

func TestReferenceFinishTime(t *testing.T) {
	a, worst := &FinishTime{Typed: true}, 0.0
	all := instances(t, "finish_time_fairness")
	for _, i := range all {
		want := math.Inf(1)
		if i.Status == "optimal" {
			want = *i.Objective
		}
		worst = max(worst, check(t, "finish time", a, i, want, 1e-9))
	}
	t.Logf("%d instances, worst difference %.3g", len(all), worst)
}
