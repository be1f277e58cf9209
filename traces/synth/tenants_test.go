package synth

import (
	"math"
	"strings"
	"testing"
)

// Virtual clusters have the shares of expected GPU-time that were asked for, whatever part of the
// jobs goes by size, and the jobs are the same.
func TestVirtualClusters(t *testing.T) {
	plain := generate(t, "poisson:jobs=20000", 3)
	for spec, want := range map[string][]float64{
		"vcs=4":                       {.25, .25, .25, .25},
		"vcs=4,apart=1":               {.25, .25, .25, .25},
		"vcs=4,apart=0.5":             {.25, .25, .25, .25},
		"vcs=3,apart=1,vc_skew=1":     {6. / 11, 3. / 11, 2. / 11},
		"vcs=2,vc_skew=2":             {.8, .2},
		"vcs=1,apart=1":               {1},
		"vcs=3,apart=1,users=3":       {1. / 3, 1. / 3, 1. / 3},
		"vcs=4,apart=1,law=lognormal": {.25, .25, .25, .25},
	} {
		w := generate(t, "poisson:jobs=20000,"+spec, 3)
		c, err := Parse("poisson:" + spec)
		if err != nil {
			t.Fatal(err)
		}
		work := map[int32]float64{}
		for _, cl := range c.classes() {
			work[cl.gpus] = float64(cl.gpus) * cl.run.mean()
		}
		got, sum, gpus, jobs := make([]float64, len(want)), 0.0, make([]float64, len(want)), make([]float64, len(want))
		owner := map[string]string{}
		for i := range w.Jobs {
			j, old := &w.Jobs[i], &plain.Jobs[i]
			if !strings.Contains(spec, "law") && (j.ID != old.ID || j.GPUs != old.GPUs || j.Work != old.Work ||
				j.Submit != old.Submit || j.Model != old.Model) {
				t.Fatalf("%s: job %s is %v, without it %v", spec, j.ID, j, old)
			}
			if vc, ok := owner[j.User]; ok && vc != j.VC {
				t.Fatalf("%s: user %s is in %s and in %s", spec, j.User, vc, j.VC)
			}
			owner[j.User] = j.VC
			k := int(j.VC[2] - '1')
			got[k], sum = got[k]+work[j.GPUs], sum+work[j.GPUs]
			gpus[k], jobs[k] = gpus[k]+float64(j.GPUs), jobs[k]+1
		}
		for k, x := range want {
			if math.Abs(got[k]/sum-x) > 0.02 {
				t.Errorf("%s: vc%d has %.3f of the expected GPU-time, expected %.3f", spec, k+1, got[k]/sum, x)
			}
			if wider := k > 0 && gpus[k]/jobs[k] > 1.2*gpus[k-1]/jobs[k-1]; strings.Contains(spec, "apart=1") &&
				len(c.classes()) > 1 && k > 0 && !wider {
				t.Errorf("%s: jobs of vc%d ask for %.2f GPUs in the mean, those of vc%d for %.2f", spec, k+1,
					gpus[k]/jobs[k], k, gpus[k-1]/jobs[k-1])
			}
		}
		if n := len(owner); n > c.Users || n < min(c.Users, len(want)) {
			t.Errorf("%s: %d users of %d", spec, n, c.Users)
		}
	}
}

// With apart=1 no job of a virtual cluster is smaller than one of those before.
func TestVirtualClustersBySize(t *testing.T) {
	w := generate(t, "poisson:jobs=5000,vcs=3,apart=1", 1)
	most, least := map[string]int32{}, map[string]int32{}
	for _, j := range w.Jobs {
		most[j.VC] = max(most[j.VC], j.GPUs)
		if least[j.VC] == 0 || j.GPUs < least[j.VC] {
			least[j.VC] = j.GPUs
		}
	}
	if most["vc1"] > least["vc2"] || most["vc2"] > least["vc3"] || most["vc1"] >= most["vc3"] {
		t.Errorf("the largest jobs are %v, the smallest %v", most, least)
	}
}

func TestFaultsOfVirtualClusters(t *testing.T) {
	for spec, want := range map[string]string{
		"poisson:apart=1":       "without vcs",
		"poisson:vcs=60":        "vcs is 60 with users 50",
		"recur:vcs=3":           "vcs is 3 with templates 6",
		"poisson:vcs=3,apart=2": "apart is",
	} {
		if _, err := Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected it to say %q", spec, err, want)
		}
	}
}
