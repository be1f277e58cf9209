package order

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// outcome is what Play states of the start on a window.
func outcome(t *testing.T, text string, window int) (cost float64, metrics map[string]float64) {
	t.Helper()
	e := made(t, config(t, text))
	o, err := e.Play(context.Background(), vectors(e)[0], schedenv.Train, window)
	if err != nil {
		t.Fatal(err)
	}
	metrics = map[string]float64{}
	for _, m := range o.Metrics {
		metrics[m.Name] = m.Value
	}
	return o.Cost, metrics
}

// A cost is what it is called, over the reference's.
func TestCosts(t *testing.T) {
	for _, c := range []struct {
		text string
		want func(m map[string]float64) float64
	}{
		{"", func(m map[string]float64) float64 { return m["jct_s"] / m["dally_jct_s"] }},
		{",cost=bsld", func(m map[string]float64) float64 { return m["slowdown"] / m["dally_slowdown"] }},
		{",cost=both,reference=easy", func(m map[string]float64) float64 {
			return math.Sqrt(m["jct_s"] / m["easy_jct_s"] * m["slowdown"] / m["easy_slowdown"])
		}},
	} {
		cost, m := outcome(t, asking+c.text, 1)
		if want := c.want(m); !(math.Abs(cost/want-1) < 1e-12) {
			t.Errorf("%q: the cost is %v, expected %v", c.text, cost, want)
		}
	}
}

// The reference easy is the policy of that name by users' requests, from the first job on, whatever
// the agent has.
func TestReferenceIsEASY(t *testing.T) {
	for _, text := range []string{asking, strings.Replace(asking, "warm=0", "warm=8", 1),
		strings.Replace(asking, "leases=false,backfill=request,margin=inf", "margin=1", 1)} {
		_, m := outcome(t, text+",reference=easy", 2)
		c := config(t, text)
		p, err := queueing.NewEASY(param.Parse("easy", "by=request"), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		list, want := schedtest.Records(t, &c.Config, 2, p), 0.0
		w, err := c.Source.Window(schedenv.Train, 2)
		if err != nil {
			t.Fatal(err)
		}
		for j, r := range list {
			want += (r.End - w.Jobs[j].Submit).Seconds() / float64(len(list))
		}
		if got := m["easy_jct_s"]; !(math.Abs(got/want-1) < 1e-12) {
			t.Errorf("%s: the reference is %v, EASY's records say %v", text, got, want)
		}
	}
}

// Window 2k of a mixture is window k of its first scenario, and 2k+1 window k of its second, also
// where vectors play by themselves.
func TestMixture(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{
		"a.yaml": "cluster: 1x4x4\nspeed: counting\npredict: last2\ncuts: {workload: 'recur,request=4', load: 1.2, " +
			"windows: 6, warm: 0, horizon: 48}\n",
		"b.yaml": "cluster: 2x2x2\nspeed: counting\npredict: last2\ncuts: {workload: 'recur,request=3,site=2', " +
			"load: 0.9, windows: 6, warm: 3, horizon: 40}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	const own = "leases=false,backfill=request,margin=inf,globals=false,median_s=3600,spread=2,reference=easy,cost=both"
	for r, file := range files {
		for k := range 2 {
			want, _ := outcome(t, own+",scenario="+file, k)
			if got, _ := outcome(t, own+",mixture="+strings.Join(files, "+"), 2*k+r); got != want {
				t.Errorf("window %d of scenario %d costs %v, as a part of the mixture %v", k, r, want, got)
			}
		}
	}
}
