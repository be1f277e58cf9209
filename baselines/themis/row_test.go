package themis_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/gandiva"
	"tarry/baselines/queueing"
	"tarry/baselines/slaq"
	"tarry/baselines/themis"
	"tarry/baselines/tiresias"
	"tarry/sim/cluster"
)

// TestRowOfSchedulers measures what the row of docs/schedulers.csv states: the largest ratio of
// rigid jobs under other schedulers as a multiple of that under themis, the geometric mean over
// eight seeds with Student's 95 % interval of its logarithm.
func TestRowOfSchedulers(t *testing.T) {
	if testing.Short() {
		t.Skip("eight seeds of six schedulers")
	}
	const n, quantile = 8, 2.364624
	top, err := cluster.New(cluster.Uniform(2, 8, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/schedulers.csv")
	if err != nil {
		t.Fatal(err)
	}
	largest := func(s scheduler) (out [n]float64) {
		for seed := range out {
			out[seed] = slices.Max(ratios(t, economy(t, "poisson,jobs=200,load=0.95", uint64(seed), top.GPUs(), false),
				top, s))
		}
		return out
	}
	mine := largest(scheduler{"themis", themis.New, ""})
	for _, s := range []scheduler{{"tiresias", tiresias.New, ""}, {"slaq", slaq.New, ""}, {"las", queueing.NewLAS, ""},
		{"gandiva", gandiva.New, ""}, {"srtf", queueing.NewSRTF, ""}} {
		mean, squares := 0.0, 0.0
		for seed, worst := range largest(s) {
			x := math.Log(worst / mine[seed])
			mean, squares = mean+x/n, squares+x*x
		}
		half := quantile * math.Sqrt(max(0, squares-n*mean*mean)/(n-1)/n)
		if want := fmt.Sprintf("%s %.1f [%.1f, %.1f]", s.name, math.Exp(mean), math.Exp(mean-half),
			math.Exp(mean+half)); !strings.Contains(string(text), want) {
			t.Errorf("docs/schedulers.csv does not say %q", want)
		}
	}
}
