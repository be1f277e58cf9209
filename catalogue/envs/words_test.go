package envs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/classic/deeprm"
	"tarry/env/classic/parallelqueues"
	"tarry/env/dispatch"
	"tarry/env/inspect"
	"tarry/env/layout"
	"tarry/env/replicas"
	"tarry/sim/rng"
)

// workloads are option texts of an environment: small clusters under several kinds of load.
func workloads(id string) []string {
	switch {
	case begins(id):
		out := []string{"cluster=1x4x4,window_jobs=60,windows=4", "cluster=1x32x1,window_jobs=40,windows=4,load=2," +
			"backfill=fcfs,workload=bursty"}
		if id == inspect.ID {
			return append(out, "cluster=1x32x1,window_jobs=40,windows=4,protocol=schedinspector")
		}
		out[1] += ",jobs=8"
		return out
	case id == dispatch.ID:
		return []string{"windows=4", "windows=4,load=8,turns=2", "windows=4,protocol=kais"}
	case id == deeprm.ID:
		return []string{"steps=60", "protocol=deeprm,observe=image"}
	case id == replicas.ID:
		return []string{"windows=4", "windows=4,services=day-night:own=2,lend=none,every_s=120,hours=12"}
	case id == parallelqueues.ID:
		return []string{"observe=open", "observe=lengths,service=pareto", "protocol=published"}
	case modelID(id) || !strings.HasPrefix(id, "tarry/"):
		return []string{""}
	}
	out := []string{"cluster=4x2x4,warm=6,horizon=36,windows=4",
		"cluster=2x2x8,warm=0,horizon=60,windows=3,load=2,workload=bursty,checkpoint_s=30,restore_s=10",
		"cluster=4x2x4,warm=6,horizon=30,windows=3,load=1.5,reward=slowdown," +
			"faults.machine_mtbf_s=72000,faults.machine_mttr_s=7200,faults.gpu_mtbf_s=200000,faults.gpu_mttr_s=3600",
		"cluster=1x4x4,warm=2,horizon=30,windows=3,load=1.2,speed=contended,predict=request,elastic=min=1"}
	switch {
	case strings.Contains(id, "DelayTimer"):
		out = append(out, out[0]+",regime=true", out[2]+",hide=timers+queue")
	case strings.Contains(id, "Order-v0"):
		out = append(out, out[1]+",globals=false,jobs=8,features=all+left+request", out[0]+",gates=true")
	case strings.Contains(id, "Order-v1"):
		out = append(out, "cluster=v100:4x1x4+k80:4x1x4,warm=2,horizon=30,windows=3,load=1.5,jobs=16")
	}
	return out
}

// TestWords: each number of an observation has a meaning, a unit and a range, and over several
// workloads lies in that range; each number or choice of an action has a meaning; rewards and ends
// are stated.
func TestWords(t *testing.T) {
	for _, entry := range All() {
		t.Run(entry.ID, func(t *testing.T) {
			steps := 0
			for _, options := range workloads(entry.ID) {
				text := strings.TrimSuffix(entry.ID+":"+options, ":")
				e, err := All().Make(simulation.All(), text)
				if err != nil {
					t.Fatal(err)
				}
				observed(t, text, e.Spec())
				acted(t, text, e.Spec())
				if a := e.Spec().About(); a.Reward == "" || !strings.Contains(a.Ends, "terminated") &&
					!strings.Contains(a.Ends, "truncated") {
					t.Errorf("%s: reward %q, ends %q", text, a.Reward, a.Ends)
				}
				steps += walked(t, text, e, 200)
			}
			if steps < 200 {
				t.Errorf("%d steps, expected 200 or more", steps)
			}
		})
	}
}

// observed holds the words of an observation: no gap, no overlap, nothing unsaid.
func observed(t *testing.T, text string, s *env.Spec) {
	t.Helper()
	have := make([]int, s.Observation.Len())
	names := map[string]bool{}
	for _, r := range s.About().Observation {
		for i := range r.Items {
			if at := r.First + i*r.Step; at >= len(have) {
				t.Fatalf("%s: %s.%s is number %d of %d", text, r.Segment, r.Name, at, len(have))
			} else {
				have[at]++
			}
		}
		name := r.Segment + "." + r.Name
		if lo, hi := r.Bounds(); names[name] || r.Unit == "" || r.Doc == "" || !(lo <= hi) || strings.Contains(r.Name, " ") {
			t.Errorf("%s: %s: %+v, expected a name of its own, a range, a unit and a meaning", text, name, r.Feature)
		}
		names[name] = true
	}
	for at, n := range have {
		if n != 1 {
			t.Errorf("%s: number %d has %d meanings, expected 1", text, at, n)
		}
	}
}

// acted holds the words of an action: each number with its bounds, or each choice.
func acted(t *testing.T, text string, s *env.Spec) {
	t.Helper()
	box, real := s.Action.(env.Box)
	n := s.Action.Len()
	if d, ok := s.Action.(env.Discrete); ok {
		n = d.N
	}
	have := make([]int, n)
	for _, f := range s.Guide.Action {
		for _, at := range numbers(t, f.Name) {
			if at >= n {
				t.Fatalf("%s: action %s, expected numbers below %d", text, f.Name, n)
			}
			have[at]++
			if lo, hi := f.Bounds(); real && (lo != box.Low[at] || hi != box.High[at] || f.Unit == "") {
				t.Errorf("%s: action %s has the range %s and the unit %q, expected %v..%v and one", text, f.Name, f.Range,
					f.Unit, box.Low[at], box.High[at])
			}
		}
		if f.Doc == "" {
			t.Errorf("%s: action %s has no meaning", text, f.Name)
		}
	}
	for at, k := range have {
		if k != 1 {
			t.Errorf("%s: action %d has %d meanings, expected 1", text, at, k)
		}
	}
}

// numbers reads "3", "0..5" or "0,2..10".
func numbers(t *testing.T, name string) (out []int) {
	t.Helper()
	read := func(cell string) int {
		x, err := strconv.Atoi(cell)
		if err != nil {
			t.Fatalf("action %q: %v", name, err)
		}
		return x
	}
	start, end, ok := strings.Cut(name, "..")
	if !ok {
		end = start
	}
	step := 1
	if first, second, stepped := strings.Cut(start, ","); stepped {
		start, step = first, read(second)-read(first)
	}
	for at := read(start); at <= read(end); at += step {
		out = append(out, at)
	}
	return out
}

// walked plays random legal actions and holds each observation to the stated ranges.
func walked(t *testing.T, text string, e env.Env, most int) (steps int) {
	t.Helper()
	rows, agent := e.Spec().About().Observation, rng.Source{Seed: 1}.Stream("words")
	action, seed := make([]float64, e.Spec().Action.Len()), uint64(1)
	outside := map[string]bool{}
	for steps < most {
		obs, info, err := e.Reset(&seed, "")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		seed++
		for done := false; !done && steps < most; steps++ {
			ranged(t, text, rows, obs, outside)
			if err := e.Spec().Action.Sample(action, agent, info.Mask); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			s, err := e.Step(action)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			obs, info, done = s.Obs, s.Info, s.Done()
		}
		ranged(t, text, rows, obs, outside)
	}
	return steps
}

// ranged reports numbers outside of their ranges, each feature once.
func ranged(t *testing.T, text string, rows []layout.Row, obs []float64, outside map[string]bool) {
	t.Helper()
	for k := range rows {
		r := &rows[k]
		for i := range r.Items {
			name := fmt.Sprintf("%s.%s", r.Segment, r.Name)
			if x := obs[r.First+i*r.Step]; !r.Contains(x) && !outside[name] {
				outside[name] = true
				t.Errorf("%s: %s of item %d is %v, expected a number in %s", text, name, i, x, r.Range)
			}
		}
	}
}
