package order

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/score"
	"tarry/catalogue/policies"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
)

// vectors are the start and some others.
func vectors(e *Env) [][]float64 { return schedtest.Vectors(e.Parameters(), 4) }

// A vector that plays a window by itself, one that answers question by question, and the policy of
// its text file are the same agent.
func TestVectors(t *testing.T) {
	for _, text := range []string{small, small + ",globals=false", small + ",hidden=3", small +
		",checkpoint_s=20,leases=false,features=rank+gpus+exposed+slowed+running+wait",
		small + ",speed=contended,features=rank+attained+exposed+pressure_rank,hidden=2,margin=0",
		strings.Replace(small, "warm=8", "warm=0", 1) + ",ties=submit", asking, asking + ",globals=false",
		small + ",features=rank+gpus+pressure_gpus+lull_rank2+doubt_pressure_gpus",
		small + ",features=rank+lull_gpus,hidden=2",
		small + `,workload="recur,request=4",features=rank+left+request+pressure_request+left2,hidden=2`,
		small + ",gates=true,features=rank+gpus,min_run=0.1", small + ",globals=false,doubt_min_run=-1.5",
		small + ",doubt_min_run=1.5,lull_min_run=-1",
		small + `,workload="recur,request=4",backfill=request,globals=false`} {
		c := config(t, text+",warmup=base") // episodes and plays begin after it
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
			got, steps := schedtest.Play(t, e.Env, "window=1", func(obs []float64, _ []bool, action []float64) {
				if err := e.Answer(action, obs, params); err != nil {
					t.Fatal(err)
				}
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s, vector %d: answers lead to other records, after %d questions", text, k, steps)
			}
			o, err := e.Play(context.Background(), params, schedenv.Train, 1)
			if err != nil {
				t.Fatal(err)
			}
			jct := 0.0
			for j, r := range want {
				jct += (r.End - e.Workload()[j].Submit).Seconds() / float64(len(want))
			}
			if math.Abs(o.Metrics[0].Value/jct-1) > 1e-12 {
				t.Errorf("%s, vector %d: Play says %v, the records %v", text, k, o.Metrics[0].Value, jct)
			}
		}
	}
}

// Play depends on its arguments alone, and is measured against Dally.
func TestPlayIsPure(t *testing.T) {
	c := config(t, small)
	e := made(t, c)
	e.Keep(2)
	seed := uint64(3)
	obs, _, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(obs)
	first, windows := map[string]trait.Outcome{}, []int{0, 1, 2}
	for round := range 3 {
		for _, window := range windows {
			for k, v := range vectors(e) {
				o, err := e.Play(context.Background(), v, schedenv.Validation, window)
				if err != nil {
					t.Fatal(err)
				}
				key := fmt.Sprint(window, k)
				if round == 0 {
					first[key] = o
				} else if o.Cost != first[key].Cost || !slices.Equal(o.Metrics, first[key].Metrics) {
					t.Errorf("window and vector %s: %v, before %v", key, o, first[key])
				}
			}
		}
		slices.Reverse(windows) // some are found, others made anew
	}
	if !slices.Equal(obs, before) {
		t.Error("the episode under way has changed")
	}
	c.Part = schedenv.Validation
	want := 0.0
	list := schedtest.Records(t, &c.Config, 2, dally.NewPolicy(c.Dally, nil))
	w, err := c.Source.Window(schedenv.Validation, 2)
	if err != nil {
		t.Fatal(err)
	}
	for j, r := range list {
		want += (r.End - w.Jobs[j].Submit).Seconds() / float64(len(list))
	}
	if got := first["2 0"].Metrics[1]; got.Name != "dally_jct_s" || math.Abs(got.Value/want-1) > 1e-12 {
		t.Errorf("the reference is %v, Dally's records say %v", got, want)
	}
	if _, err := e.Play(context.Background(), vectors(e)[0], schedenv.Validation, 10_000); err == nil {
		t.Error("a window that is not there was played")
	}
	if _, err := e.Play(context.Background(), nil, schedenv.Validation, 0); err == nil {
		t.Error("no parameters were played")
	}
}

// What a vector is measured against has leases, whatever the agent has.
func TestReferenceHasLeases(t *testing.T) {
	c := config(t, small+",leases=false")
	e := made(t, c)
	o, err := e.Play(context.Background(), vectors(e)[0], schedenv.Train, 1)
	if err != nil {
		t.Fatal(err)
	}
	c.Dally.NoLease = false
	want := 0.0
	list := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(c.Dally, nil))
	w, err := c.Source.Window(schedenv.Train, 1)
	if err != nil {
		t.Fatal(err)
	}
	for j, r := range list {
		want += (r.End - w.Jobs[j].Submit).Seconds() / float64(len(list))
	}
	if got := o.Metrics[1].Value; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("the reference is %v, Dally with leases %v", got, want)
	}
}

// A window without a question is named as such.
func TestNoQuestion(t *testing.T) {
	c := config(t, "cluster=4x4x8,warm=0,jobs=8")
	c.Source = fixed{[]sim.Job{{ID: "a", GPUs: 1, Work: 1000 * sim.Second},
		{ID: "b", Submit: 2000 * sim.Second, GPUs: 1, Work: 1000 * sim.Second}}}
	e := made(t, c)
	if _, err := e.Play(context.Background(), vectors(e)[0], schedenv.Train, 0); !errors.Is(err, trait.ErrNoQuestion) {
		t.Errorf("error %v, expected none of a question", err)
	}
}

// fixed is one window for all parts.
type fixed struct{ jobs []sim.Job }

func (fixed) Windows(schedenv.Part) int { return 1 }

func (f fixed) Window(schedenv.Part, int) (*sim.Workload, error) {
	return sim.NewWorkload("fixed", slices.Clone(f.jobs))
}

// The text of a vector is the policy ranked, from the first job on.
func TestExport(t *testing.T) {
	c := config(t, "cluster=2x2x4,warm=12,horizon=60,jobs=200,load=1.1,hidden=2")
	e := made(t, c)
	params := vectors(e)[2]
	path := filepath.Join(t.TempDir(), "weights.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Export(f, params), f.Close()); err != nil {
		t.Fatal(err)
	}
	rule, err := score.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rule.Func.Weights(), params[:len(params)-numGlobals]) ||
		rule.Globals.Margin != params[len(params)-numGlobals] || rule.Law != c.Rule.Law {
		t.Errorf("the file has %+v", rule)
	}
	again := made(t, config(t, small+",weights="+path))
	for i, p := range again.Parameters() {
		if math.Abs(p.Start-params[i]) > 1e-12 || p.Name != e.Parameters()[i].Name {
			t.Errorf("parameter %s begins at %v, want %v", p.Name, p.Start, params[i])
		}
	}
	p, err := e.AsParametric(params)
	if err != nil {
		t.Fatal(err)
	}
	q := schedtest.Policy(t, policies.All(), "ranked:weights="+path)
	if !slices.Equal(schedtest.Records(t, &c.Config, 1, p), schedtest.Records(t, &c.Config, 1, q)) {
		t.Error("the vector and the policy of its text have other records")
	}
}

// With a predictor jobs have its laws, and the start of a search gains on a workload that carries
// information.
func TestPredicted(t *testing.T) {
	const recur = "cluster=2x2x4,warm=8,horizon=60,load=1.1,workload=recur,windows=20"
	cost := func(text string) (sum float64) {
		e := made(t, config(t, recur+text))
		for i := range 6 {
			o, err := e.Play(context.Background(), vectors(e)[0], schedenv.Train, i)
			if err != nil {
				t.Fatal(err)
			}
			sum += o.Cost / 6
		}
		return sum
	}
	with, without, blind := cost(",predict=ridge"), cost(""), cost(",predict=ridge,predicted=false")
	if !(with < without) || blind != without {
		t.Errorf("costs: with a predictor %v, without %v, with one that is not read %v", with, without, blind)
	}
}

// Behind a reservation a job may lose its GPUs with its lease and find a place at the same instant, when
// a victim's are free: it starts there.
func TestLeasesBehindReservations(t *testing.T) {
	c := config(t, "cluster=4x2x8,warm=0,horizon=0,window_jobs=400,windows=4,load=1.3")
	for w := range 4 {
		for j, r := range schedtest.Records(t, &c.Config, w, schedtest.Policy(t, policies.All(), "ranked:backfill=request")) {
			if r.End == sim.Never {
				t.Errorf("window %d: job %d does not end", w, j)
			}
		}
	}
}
