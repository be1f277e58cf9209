package pick

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// small is a machine of 16 processors that is busy: queues of tens of jobs.
const small = "cluster=1x2x8,window_jobs=200,windows=6,load=1.4,workload=poisson"

func config(t testing.TB, text string) Config {
	t.Helper()
	return schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
}

func made(t testing.TB, c Config) *Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func baseline(t testing.TB, text string) sim.Policy {
	t.Helper()
	return schedtest.Policy(t, policies.All(), text)
}

// wild picks by what it sees.
func wild(obs []float64, mask []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	n := 0
	for _, ok := range mask {
		if ok {
			n++
		}
	}
	action[0] = float64(int(math.Abs(x)*1e4) % n)
}

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{"cluster=1x2x8,window_jobs=60,windows=4,load=1.3,workload=poisson",
		"cluster=1x2x8,window_jobs=60,windows=4,load=1.6,backfill=fcfs,jobs=5,hidden=2,part=validation",
		"cluster=1x2x8,window_jobs=50,windows=4,load=1.3,reward=relative,reference=f1",
		"cluster=1x2x8,window_jobs=50,windows=4,load=1.3,reward=jct,horizon=20"} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env,
				error) {
				return schedtest.Over(simulation.All(), Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
}

// The return of an episode is minus the mean bounded slowdown of the window's jobs, the part before
// the first question included.
func TestReturnIsBoundedSlowdown(t *testing.T) {
	for _, text := range []string{small, small + ",backfill=fcfs,jobs=8"} {
		e := made(t, config(t, text))
		for window := range 3 {
			sum, err := schedenv.Play(e, 1, fmt.Sprintf("window=%d", window), wild)
			if err != nil {
				t.Fatal(err)
			}
			want := 0.0
			for j, r := range schedtest.Read(e.Engine(), len(e.Workload())) {
				job := &e.Workload()[j]
				want += max(1, (r.End-job.Submit).Seconds()/max(10, job.RunTime().Seconds())) /
					float64(len(e.Workload()))
			}
			if math.Abs(sum.Return/want+1) > 1e-9 || want < 2 {
				t.Errorf("%s, window %d: return %v, bounded slowdown %v", text, window, sum.Return, want)
			}
		}
	}
}

// Who follows a baseline, or starts as one, is it: record for record.
func TestFollowing(t *testing.T) {
	for _, fill := range []string{"", ",backfill=fcfs"} {
		for _, order := range []string{"fcfs", "sjf", "f1", "wfp3", "unicep"} {
			text := "picked:order=" + order + fill
			c := config(t, small+",jobs=200"+fill)
			e := made(t, c)
			want := schedtest.Records(t, &c.Config, 1, baseline(t, text))
			got, steps := schedtest.Demonstrated(t, e.Env, "window=1", text)
			if !slices.Equal(got, want) || steps < 50 {
				t.Errorf("%s: another run, %d questions", text, steps)
			}
			if order == "wfp3" || order == "unicep" {
				continue
			}
			started := made(t, config(t, small+",start="+order+fill))
			p, err := started.AsParametric(startOf(started))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(schedtest.Records(t, &c.Config, 1, p), want) {
				t.Errorf("start=%s%s is not %s", order, fill, text)
			}
		}
	}
	if err := made(t, config(t, small)).Follow("srtf"); err == nil ||
		!strings.Contains(err.Error(), "srtf cannot be followed: it does not pick one job after another, "+
			"expected picked") {
		t.Errorf("error %v", err)
	}
}

func startOf(e *Env) (v []float64) {
	for _, p := range e.Parameters() {
		v = append(v, p.Start)
	}
	return v
}

// vectors are the start and some others.
func vectors(e *Env) [][]float64 {
	out := [][]float64{startOf(e)}
	for k := range 3 {
		var v []float64
		for i, p := range e.Parameters() {
			v = append(v, p.Start+p.Sigma*math.Sin(float64(7*k+i*i)))
		}
		out = append(out, v)
	}
	return out
}

// A vector that plays a window by itself, one that answers question by question, and picked with
// its text file are the same agent.
func TestVectors(t *testing.T) {
	for _, text := range []string{"", ",hidden=3", ",backfill=fcfs", ",backfill=fcfs,hidden=2,start=f1",
		",predict=none,start=fcfs"} {
		c := config(t, small+",jobs=200"+text)
		e := made(t, c)
		if err := trait.CheckParameters(e.Parameters()); err != nil {
			t.Fatal(err)
		}
		for k, params := range vectors(e) {
			p, err := e.AsParametric(params)
			if err != nil {
				t.Fatal(err)
			}
			want := schedtest.Records(t, &c.Config, 1, p)
			got, _ := schedtest.Play(t, e.Env, "window=1", func(obs []float64, _ []bool, action []float64) {
				if err := e.Answer(action, obs, params); err != nil {
					t.Fatal(err)
				}
			})
			path := filepath.Join(t.TempDir(), "w.txt")
			out, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Export(out, params); err != nil {
				t.Fatal(err)
			}
			out.Close()
			spec := "picked:weights=" + path
			if c.Backfill {
				spec += ",backfill=fcfs"
			}
			if !slices.Equal(got, want) || !slices.Equal(schedtest.Records(t, &c.Config, 1, baseline(t, spec)), want) {
				t.Errorf("%s, vector %d: answers or the file lead to other records", text, k)
			}
			o, err := e.Play(context.Background(), params, schedenv.Train, 1)
			if err != nil {
				t.Fatal(err)
			}
			bsld := 0.0
			for j, r := range want {
				job := &e.Workload()[j]
				bsld += max(1, (r.End-job.Submit).Seconds()/max(10, job.RunTime().Seconds())) / float64(len(want))
			}
			if o.Metrics[0].Name != "bsld" || math.Abs(o.Metrics[0].Value/bsld-1) > 1e-12 ||
				math.Abs(o.Cost*o.Metrics[1].Value/bsld-1) > 1e-12 {
				t.Errorf("%s, vector %d: Play says %v, the records %v", text, k, o, bsld)
			}
			if k == 0 && text == "" && o.Cost != 1 {
				t.Errorf("SJF costs %v relative to itself", o.Cost)
			}
		}
	}
}

// Play depends on its arguments alone and leaves an episode as it is.
func TestPlayIsPure(t *testing.T) {
	e := made(t, config(t, small))
	e.Keep(2)
	seed := uint64(3)
	obs, _, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	before, first, windows := slices.Clone(obs), map[string]float64{}, []int{0, 1, 2}
	for round := range 3 {
		for _, window := range windows {
			for k, v := range vectors(e) {
				o, err := e.Play(context.Background(), v, schedenv.Validation, window)
				if err != nil {
					t.Fatal(err)
				}
				key := fmt.Sprint(window, k)
				if round == 0 {
					first[key] = o.Cost
				} else if o.Cost != first[key] {
					t.Errorf("window and vector %s: %v, before %v", key, o.Cost, first[key])
				}
			}
		}
		slices.Reverse(windows) // some are found, others made anew
	}
	if !slices.Equal(obs, before) {
		t.Error("the episode under way has changed")
	}
	if _, err := e.Play(context.Background(), startOf(e)[1:], schedenv.Train, 0); err == nil ||
		!strings.Contains(err.Error(), "parameters, expected") {
		t.Errorf("error %v", err)
	}
}

// The same agent outside and inside the loop gives the same run, also where the list is too short
// for the queue.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{small, small + ",jobs=5", small + ",backfill=fcfs,jobs=7"} {
		c := config(t, text)
		schedtest.Inside(t, text, made(t, c).Env, c, 2, wild, AsPolicy)
	}
}

// With the list too short, it has the jobs with the shortest requests, in order of arrival:
// an agent that picks the shortest is SJF.
func TestShortList(t *testing.T) {
	c := config(t, small+",jobs=4")
	e, full := made(t, c), 0
	got, _ := schedtest.Play(t, e.Env, "window=1", func(obs []float64, mask []bool, action []float64) {
		if mask[3] {
			full++
		}
		if err := e.Answer(action, obs, startOf(e)); err != nil {
			t.Fatal(err)
		}
	})
	if full == 0 || !slices.Equal(got, schedtest.Records(t, &c.Config, 1, baseline(t, "picked:order=sjf"))) {
		t.Errorf("%d questions with a full list, or another run than SJF's", full)
	}
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, text := range []string{"jobs=6", "jobs=6,backfill=fcfs"} {
		c := config(t, "hidden=2,"+text)
		simtest.Policy(t, func() sim.Policy {
			p, err := AsPolicy(c, wild)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}, simtest.Options{Seeds: 12})
		e := made(t, c)
		simtest.Policy(t, func() sim.Policy {
			p, err := e.AsParametric(vectors(e)[2])
			if err != nil {
				t.Fatal(err)
			}
			return p
		}, simtest.Options{Seeds: 12})
	}
}

// Nothing but the request is known: with the requests as they are, no pick depends on how long the
// jobs run in truth. Without a predictor requests are the run times, and agents declare it.
func TestRunTimesAreHidden(t *testing.T) {
	for _, text := range []string{"jobs=5", "jobs=5,backfill=fcfs"} {
		c := config(t, text)
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Knows(); got != know.Estimate|know.Work {
			t.Errorf("%s: without a predictor it knows %v", text, got)
		}
		c.Predictor = func(schedenv.Part, int, string) (sim.Predictor, error) { return nil, nil }
		e := made(t, c)
		for name, fresh := range map[string]func(*sim.Workload) sim.Policy{
			"agent": func(*sim.Workload) sim.Policy {
				p, err := AsPolicy(c, wild)
				if err != nil {
					t.Fatal(err)
				}
				return p
			},
			"vector": func(*sim.Workload) sim.Policy {
				p, err := e.AsParametric(vectors(e)[1])
				if err != nil {
					t.Fatal(err)
				}
				return p
			},
		} {
			if got := fresh(nil).Knows(); got != know.Estimate {
				t.Errorf("%s, %s: it knows %v", text, name, got)
			}
			for seed := range uint64(40) {
				if what, err := simtest.Foresees(fresh, seed, simtest.Options{}); err != nil || what != "" {
					t.Fatalf("%s, %s, seed %d: %v %s", text, name, seed, err, what)
				}
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"hidden=999":                      "hidden",
		"weights=/none":                   "/none",
		"weights=/none,hidden=2":          "start and hidden belong to the file of weights",
		"jobs=1":                          "jobs",
		"start=srtf":                      "start",
		"backfill=easy":                   "backfill",
		"warm=3":                          "warm is 10800s, expected 0: a window begins with an empty cluster",
		"reward=bsld,gamma=0.9":           "gamma is 0.9 with reward bsld, expected 1",
		"trace=csv:/no.csv,backfill=fcfs": "/no.csv",
	} {
		if _, err := Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// BenchmarkPlay plays a window of the published training's size under vectors about the start.
func BenchmarkPlay(b *testing.B) {
	for _, text := range []string{"", ",hidden=8", ",backfill=fcfs"} {
		b.Run("256 jobs"+text, func(b *testing.B) {
			e := made(b, config(b, "windows=4,load=1.2"+text))
			vs, k := vectors(e), 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Play(context.Background(), vs[k%len(vs)], schedenv.Train, 1); err != nil {
					b.Fatal(err)
				}
				k++
			}
		})
	}
}
