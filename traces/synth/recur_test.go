package synth

import (
	"math"
	"testing"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// The table is the law turned round, and its expectation the law's.
func TestTableIsTheLaw(t *testing.T) {
	grid := scores()
	for name, list := range map[string][]class{"multi": multiClasses(), "philly": phillyClasses(),
		"helios":    heliosClasses(),
		"lognormal": {{1, 1, lognormalOf(100, 4, math.Inf(1))}}} {
		for _, c := range list {
			tab := newTable(c, grid)
			for z := -4.0; z <= 4; z += 0.1 {
				if got, want := c.run.cdf(tab.run(z)), fixmath.NormalCDF(z); math.Abs(got-want) > 0.004 {
					t.Errorf("%s, %d GPUs: %.5f of the runs are below that of score %.1f, expected %.5f", name, c.gpus,
						got, z, want)
				}
			}
			if got, want := tab.mean(0, 1), c.run.mean(); math.Abs(got/want-1) > 0.03 {
				t.Errorf("%s, %d GPUs: the mean run by the table is %.1f s, by the law %.1f", name, c.gpus, got, want)
			}
			if last := len(tab.logs) - 1; tab.log(-99) != tab.logs[0] || tab.log(99) != tab.logs[last] || last != 256 {
				t.Errorf("%s, %d GPUs: scores beyond the table leave it, or it has %d entries", name, c.gpus, last+1)
			}
		}
	}
}

// Over many sites the runs of each demand have the law's spread and median, however much of it is
// between templates.
func TestRunsKeepTheLaw(t *testing.T) {
	for _, spec := range []string{"recur:site=0,jobs=60,users=60,arrivals=batch,session=1",
		"recur-drift:site=0,jobs=60,users=60,arrivals=batch,drift=1"} {
		var n, below, sum, squares float64
		for seed := range uint64(200) {
			for _, j := range generate(t, spec, seed).Jobs {
				if j.GPUs == 8 {
					x := math.Log(j.Work.Seconds() / 8 / 3600)
					n, sum, squares = n+1, sum+x, squares+x*x
					if x < 0 {
						below++
					}
				}
			}
		}
		mean := sum / n
		law := multiClasses()[3].run
		if sd := math.Sqrt(squares/n - mean*mean); math.Abs(below/n-law.cdf(3600)) > 0.04 || math.Abs(sd-1.17) > 0.05 {
			t.Errorf("%s: %.3f of %.0f runs are below the law's median, the deviation of their logs is %.3f, "+
				"expected %.3f and 1.17 (1.2 before the cut at a day)", spec, below/n, n, sd, law.cdf(3600))
		}
	}
}

// Workloads of one site have the same users with the same templates, whatever their seed; without a
// site they do not.
func TestSite(t *testing.T) {
	type what struct {
		user, model string
		gpus        int32
	}
	all := func(spec string, seed uint64) map[what]bool {
		m := map[what]bool{}
		for _, j := range generate(t, spec, seed).Jobs {
			m[what{j.User, j.Model, j.GPUs}] = true
		}
		return m
	}
	common := func(a, b map[what]bool) (n int) {
		for w := range a {
			if b[w] {
				n++
			}
		}
		return n
	}
	for spec, same := range map[string]bool{"recur:renew=0,stay=0,users=5,jobs=3000": true,
		"recur:renew=0,stay=0,users=5,jobs=3000,site=0": false} {
		a, b := all(spec, 1), all(spec, 2)
		if got := common(a, b); (got == len(a) && got == len(b)) != same || len(a) > 30 {
			t.Errorf("%s: %d and %d templates of two seeds, %d in common", spec, len(a), len(b), got)
		}
	}
	// Who comes later is the same user, too.
	a, b := all("recur:renew=0,stay=20,users=5,jobs=3000", 1), all("recur:renew=0,stay=20,users=5,jobs=3000", 2)
	if got := common(a, b); float64(got) < 0.5*float64(min(len(a), len(b))) {
		t.Errorf("%d and %d templates of two seeds with new users, %d in common", len(a), len(b), got)
	}
}

// Sessions, new users and new templates come as often as they are asked for.
func TestTurnover(t *testing.T) {
	jobs := generate(t, "recur:users=1,templates=1000,session=4,renew=0,stay=0,jobs=20000,models=none", 1).Jobs
	rows := 1.0
	for i := 1; i < len(jobs); i++ {
		if jobs[i].GPUs != jobs[i-1].GPUs {
			rows++
		}
	}
	// Two templates in a row have the same demand with probability sum of squared shares, 0.195 in
	// the law.
	if got := 20000 / rows; got < 4 || got > 7 {
		t.Errorf("%.2f jobs of one demand in a row, expected 4 to 7 for sessions of 4", got)
	}
	users := map[string]bool{}
	for _, j := range generate(t, "recur:stay=100,jobs=20000", 1).Jobs {
		users[j.User] = true
	}
	if n := len(users); n < 200 || n > 280 {
		t.Errorf("%d users in 20000 jobs when one of 40 leaves after 100 on average, expected about 240", n)
	}
	models := map[string]bool{}
	for _, j := range generate(t, "recur:users=1,templates=1,renew=10,stay=0,jobs=2000", 1).Jobs {
		models[j.Model] = true
	}
	if len(models) < 5 {
		t.Errorf("200 templates after one another have %d models, expected all six or nearly", len(models))
	}
}

// The rate follows the templates of the moment, so that the load is met while they change.
func TestRecurringLoad(t *testing.T) {
	for _, spec := range []string{"recur:jobs=30000,load=0.7", "recur-drift:jobs=30000,arrivals=bursty," +
		"load=1.1,gpus=64", "recur:jobs=30000,arrivals=diurnal,request=3"} {
		c, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		work := 0.0
		w := generate(t, spec, 3)
		for i := range w.Jobs {
			work += w.Jobs[i].Work.Seconds()
		}
		_, last := w.Span()
		if got := work / last.Seconds() / float64(c.GPUs); math.Abs(got/c.Load-1) > 0.06 {
			t.Errorf("%s: load %.3f", spec, got)
		}
	}
	c, err := Parse("recur:rate=0.01,jobs=20000")
	if err != nil {
		t.Fatal(err)
	}
	w, err := Generate(c, rng.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if _, last := w.Span(); math.Abs(20000/last.Seconds()/0.01-1) > 0.03 || c.MeanRate() != 0.01 {
		t.Errorf("rate %g, stated %g, expected 0.01", 20000/last.Seconds(), c.MeanRate())
	}
}

// Requests are round times that runs never exceed, and mostly the same for a template.
func TestRequests(t *testing.T) {
	w := generate(t, "recur:request=3,renew=0,stay=0,jobs=4000,users=8,request_error=0.5", 1)
	asked := map[[2]any]map[sim.Time]int{}
	factors := 0
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if run := j.Work / sim.Time(j.GPUs); j.Request < run || j.Request != sim.Seconds(round(j.Request.Seconds())) ||
			j.Drawn&origin.Request == 0 {
			t.Fatalf("job %+v asks for %v and runs for %v", j, j.Request, run)
		} else if j.Request > 3*run {
			factors++
		}
		k := [2]any{j.User, [2]any{j.Model, j.GPUs}}
		if asked[k] == nil {
			asked[k] = map[sim.Time]int{}
		}
		asked[k][j.Request]++
	}
	same := 0
	for _, times := range asked {
		most := 0
		for _, n := range times {
			most = max(most, n)
		}
		same += most
	}
	if share := float64(same) / float64(len(w.Jobs)); share < 0.75 {
		t.Errorf("%.2f of the jobs ask for what is usual for user, model and size, expected more than 0.75", share)
	}
	if share := float64(factors) / float64(len(w.Jobs)); share < 0.5 || share > 0.75 {
		t.Errorf("%.2f of the jobs ask for more than three times their run, expected about 0.6: half and what is "+
			"rounded up", share)
	}
	if j := generate(t, "recur:jobs=1", 1).Jobs[0]; j.Request != 0 || j.Drawn&origin.Request != 0 {
		t.Errorf("without request= a job asks for %v", j.Request)
	}
}
