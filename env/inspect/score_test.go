package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/policies"
	"tarry/env/schedtest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// A score that reads nothing but requests picks as SJF by requests does, record for record, and one that
// reads more does not; both keep the kernel's rules and can be resumed from a snapshot.
func TestScorePicks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "score.txt")
	text := "tarry-score 1\npredictor none\nfeatures request age wait\nhidden 0\n\n" +
		"margin = +Inf\nmin_run = 0.25\nt_rack = 0\nt_net = 0\n" +
		"law_median_s = 600\nlaw_spread = 2\npreempt = false\n\nrequest = 1\nage = 0\nwait = 0\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	aged := filepath.Join(t.TempDir(), "aged.txt")
	if err := os.WriteFile(aged, []byte(strings.Replace(text, "age = 0", "age = -2", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config(t, "load=1.4")
	for _, rest := range []string{"rule=never,backfill=none", "rule=full,backfill=none", "backfill=easy"} {
		records := func(base string) []sim.Record {
			p := schedtest.Policy(t, policies.All(), "inspected:"+base+","+rest+",by=request")
			return schedtest.Records(t, &c.Config, 1, p)
		}
		want := records("base=sjf")
		if got := records("score=" + path); !slices.Equal(got, want) {
			t.Errorf("%s: a score of requests is not sjf", rest)
		}
		if got := records("score=" + aged); slices.Equal(got, want) {
			t.Errorf("%s: a score of requests and age is sjf", rest)
		}
		for _, score := range []string{path, aged} {
			simtest.Policy(t, func() sim.Policy {
				return schedtest.Policy(t, policies.All(), "inspected:score="+score+","+rest+",by=request")
			}, simtest.Options{Seeds: 6})
		}
	}
}

// The bounds of the three conditions: a job is never wider than the cluster, once is 600 s, and the
// published bounds are the defaults.
func TestBounds(t *testing.T) {
	c := config(t, "load=1.4")
	records := func(text string) []sim.Record {
		return schedtest.Records(t, &c.Config, 1, schedtest.Policy(t, policies.All(), "inspected:backfill=none,"+text))
	}
	for bounds, rule := range map[string]string{"wide=1": "never",
		"wide=0,refused_s=600": "full-once", "wide=0.25,refused_s=4320": "wide-and-full"} {
		if !slices.Equal(records(bounds), records("rule="+rule)) {
			t.Errorf("%s is not %s", bounds, rule)
		}
	}
	if slices.Equal(records("wide=0"), records("wide=0.25")) {
		t.Error("the width changes nothing")
	}
	for text, want := range map[string]string{
		"inspected:rule=full,wide=0.5":     "wide is given with rule=full",
		"inspected:rule=never,refused_s=9": "refused_s is given with rule=never",
		"inspected:wide=2":                 "wide",
		"inspected:score=/none":            "/none",
		"inspected:base=sjf,score=missing": "score and base are given",
	} {
		if _, err := policies.All().Build(text, cluster.BestFit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
