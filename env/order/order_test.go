package order

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/baselines/score"
	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func config(t testing.TB, text string) Config {
	t.Helper()
	c := schedtest.Config(t, text, func(s *param.Set) Config { return Read(s, simulation.All(), ID) })
	c.Horizon = 0
	return c
}

func made(t testing.TB, c Config) *Env {
	t.Helper()
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wild scores by what it sees.
func wild(obs []float64, _ []bool, action []float64) {
	x := 0.0
	for i, o := range obs {
		x += o * float64(1+i%7)
	}
	for i := range action {
		action[i] = math.Sin(x*17 + float64(i*i))
	}
	for i := len(action) - numGlobals; i < len(action); i++ {
		action[i] = max(0, action[i])
	}
}

const small = "cluster=2x2x4,warm=8,horizon=60,load=1.1"

// asking is a log in little: users, requests, predictions, and an order that takes no GPUs away,
// behind reservations.
const asking = `cluster=2x2x4,warm=0,horizon=90,workload="recur,request=4",load=1.1,speed=counting,predict=last2,leases=false,backfill=request,margin=inf`

func TestCheckEnv(t *testing.T) {
	for _, options := range []string{"cluster=2x2x4,windows=4,warm=6,horizon=24,jobs=24",
		"cluster=2x2x8,windows=3,warm=6,horizon=30,checkpoint_s=30,restore_s=10,reward=relative,part=validation," +
			"globals=false,jobs=6,load=1.2",
		"cluster=2x2x4,windows=4,warm=6,horizon=24,jobs=24,leases=false,speed=contended,ties=submit,median_s=600," +
			"spread=0.5",
		strings.NewReplacer("horizon=90", "horizon=24,windows=4,jobs=24", ",predict=last2", "").Replace(asking)} {
		t.Run(options, func(t *testing.T) {
			envtest.CheckEnv(t, envtest.Config{New: func() (env.Env,
				error) {
				return schedtest.Over(simulation.All(), Make)(options)
			}, ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
		})
	}
}

// Before the agent is asked, and without an answer, it is Dally.
func TestBaseIsDally(t *testing.T) {
	for _, text := range []string{small, small + ",checkpoint_s=20,restore_s=5", small + ",leases=false"} {
		c := config(t, text)
		want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(c.Dally, nil))
		c.Warm, c.WarmBase = 1e9*sim.Second, true
		p, err := AsPolicy(c, wild)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(schedtest.Records(t, &c.Config, 1, p), want) {
			t.Errorf("%s: the records differ from Dally's", text)
		}
	}
}

// Who follows an order is that policy.
func TestFollowing(t *testing.T) {
	for _, x := range []struct{ options, baseline string }{
		{"globals=false,margin=0", "dally:order=srpt,evict=later"},
		{"globals=false,margin=0,checkpoint_s=20", "dally:order=srsf,evict=later"},
		{"globals=false,margin=inf", "dally:order=las"},
		{"globals=false,margin=inf", "dally"},
		{"globals=false,margin=inf,ties=submit,t_rack=1,t_net=2", "dally-manual:order=fifo,ties=submit," +
			"t_rack=1,t_net=2"},
		{"globals=true", "dally-manual:order=srpt,evict=later,t_rack=1,t_net=2"},
		{"globals=true", "dally-consolidated"},
		{"median_s=900,spread=1.5", "ranked:median_s=900,spread=1.5,margin=0.7,t_rack=2,t_net=3," +
			"features=rank:1+age:-0.2+pressure_gpus:0.1+wait2:0.3+lull_gpus:2+doubt_rank:0.5"},
	} {
		c := config(t, "cluster=2x2x4,warm=0,horizon=60,jobs=300,load=1.1,"+x.options)
		e := made(t, c)
		got, steps := schedtest.Demonstrated(t, e.Env, "window=1", x.baseline)
		p := schedtest.Policy(t, policies.All(), x.baseline)
		if !slices.Equal(got, schedtest.Records(t, &c.Config, 1, p)) {
			t.Errorf("%s, %s: the records differ from the baseline's", x.options, x.baseline)
		}
		if steps < 50 {
			t.Errorf("%s: only %d questions", x.options, steps)
		}
	}
	e := made(t, config(t, small))
	if err := e.Follow("srtf"); err == nil || !strings.Contains(err.Error(), "dally-shared, ranked") {
		t.Errorf("srtf gives %v", err)
	}
}

// The same agent outside and inside the loop gives the same run.
func TestAsPolicyIsTheEnvironment(t *testing.T) {
	for _, text := range []string{small, small + ",globals=false,jobs=5", small +
		",checkpoint_s=20,restore_s=5,leases=false", asking,
		small + ",services=\"steady:weekend=0,start_h=115\",operator=\"least:lend=all,least=0\""} {
		c := config(t, text+",warmup=base") // episodes begin after it
		schedtest.Inside(t, text, made(t, c).Env, c, 2, wild, AsPolicy)
	}
}

// With the list too short, it has the jobs that could choose first and the jobs that could be
// evicted.
func TestShortList(t *testing.T) {
	for _, jobs := range []int{2, 7, 12} {
		c := config(t, "cluster=2x2x8,warm=8,horizon=60,load=1.5,jobs="+fmt.Sprint(jobs))
		e := made(t, c)
		full, short := 0, 0
		_, steps := schedtest.Play(t, e.Env, "window=1", func(obs []float64, _ []bool, action []float64) {
			rows, n := obs[len(schedenv.ClusterFeatures())+1:], 0
			for i := range jobs {
				if rows[i*rowLen] == 1 {
					n++
				}
			}
			if n == jobs {
				full++
			} else {
				short++
			}
			wild(obs, nil, action)
		})
		if full == 0 || n(e.Engine(), len(e.Workload())) != len(e.Workload()) {
			t.Errorf("%d jobs: %d questions, %d with a full list", jobs, steps, full)
		}
	}
}

// n counts the jobs that have ended.
func n(e *sim.Engine, jobs int) (ended int) {
	for _, r := range schedtest.Read(e, jobs) {
		if r.End != sim.Never {
			ended++
		}
	}
	return ended
}

// The policy with an agent in it keeps the kernel's rules, and can be resumed from a snapshot.
func TestConformance(t *testing.T) {
	for _, leases := range []bool{false, true} {
		for _, globals := range []bool{false, true} {
			c := config(t, "median_s=20,spread=1,margin=0.1,jobs=6,t_rack=1,t_net=2")
			c.Warm, c.Globals = 0, globals
			c.Dally.LeaseS, c.Dally.NoLease = 60, !leases
			build := func() sim.Policy {
				p, err := AsPolicy(c, wild)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			simtest.Policy(t, build, simtest.Options{Seeds: 12})
		}
	}
	c := config(t, "cluster=2x2x4,median_s=20,spread=1,hidden=2")
	c.Warm, c.Dally.LeaseS = 0, 60
	e := made(t, c)
	simtest.Policy(t, func() sim.Policy {
		p, err := e.AsParametric(vectors(e)[2])
		if err != nil {
			t.Fatal(err)
		}
		return p
	}, simtest.Options{Seeds: 12})
}

// The law is fitted to the jobs in part train.
func TestFittedLaw(t *testing.T) {
	c := config(t, small)
	var logs []float64
	for i := range fitWindows {
		w, err := c.Source.Window(schedenv.Train, i*c.Source.Windows(schedenv.Train)/fitWindows)
		if err != nil {
			t.Fatal(err)
		}
		for j := range w.Jobs {
			logs = append(logs, math.Log(w.Jobs[j].RunTime().Seconds()))
		}
	}
	mean, square := 0.0, 0.0
	for _, x := range logs {
		mean += x / float64(len(logs))
	}
	for _, x := range logs {
		square += (x - mean) * (x - mean) / float64(len(logs))
	}
	if l := c.Rule.Law; math.Abs(math.Log(l.MedianS)-mean) > 1e-9 || math.Abs(l.Spread-math.Sqrt(square)) > 1e-9 ||
		l.Spread < 0.5 {
		t.Errorf("law %+v, want ln median %v, spread %v", l, mean, math.Sqrt(square))
	}
	if given := config(t, small+",median_s=500,spread=1.25").Rule.Law; given != (score.Law{MedianS: 500,
		Spread: 1.25}) {
		t.Errorf("law %+v", given)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"features=rank+rnak":             `the feature "rnak" is unknown`,
		"hidden=999":                     "hidden",
		"weights=/none":                  "/none",
		"weights=/none,hidden=2":         "features and hidden belong to the file of weights",
		"jobs=1":                         "jobs",
		"margin=-1":                      "margin",
		"median_s=0":                     "median_s",
		"trace=csv:/no.csv,globals=true": "/no.csv",
	} {
		if _, err := Make(simulation.All(), text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// A predictor set to none is none: the law is fitted to the windows, and nothing is
// declared.
func TestNoPredictorIsNone(t *testing.T) {
	if c := config(t, "predict=none"); c.Predictor != nil || c.Rule.Predictor != "" {
		t.Errorf("predict=none has the predictor %q", c.Rule.Predictor)
	}
	if c := config(t, "predict=size"); c.Predictor == nil || c.Rule.Predictor != "size" {
		t.Errorf("predict=size has the predictor %q", c.Rule.Predictor)
	}
}
