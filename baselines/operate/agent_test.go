package operate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/service"
)

// always is a network that chooses one more wherever it may: no weights, and a bias.
const always = `tarry network 1
observation 11
choices 3
first 0
masked true
answers logits
clip 0
network mlp tanh
matrix 0/weight 11 3
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
matrix 0/bias 1 3
0 1 2
`

// wrote writes a file of weights.
func wrote(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net.txt")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// By hand, a choice every 2 s: two replicas serve the load of 10 with headroom 1.1 and 1.5. From 3 s on
// 25 need four: the choices of 4 s and 6 s are one more each, a microsecond later.
func TestLearnedByHand(t *testing.T) {
	m := day(series.Step{Value: 10}, series.Step{At: 3e6, Value: 25})
	job := sim.Job{ID: "a", GPUs: 1, Work: sim.Seconds(7.5)}
	starts := func(spec string) (out []string) {
		lines, _ := play(t, m, spec, job)
		for _, l := range lines {
			if l = strings.ReplaceAll(l, "1e-06", "0.000001"); strings.HasPrefix(l, "replica") {
				_, span, _ := strings.Cut(l, "] ")
				from, _, _ := strings.Cut(span, "-")
				out = append(out, from)
			}
		}
		slices.Sort(out)
		return out
	}
	same(t, "least-1.5", starts("learned:every_s=2"), "0", "0", "4.000001", "6.000001")
	same(t, "recent", starts("learned:every_s=2,rule=recent"), "0", "0", "4.000001")
	same(t, "coming", starts("learned:every_s=2,rule=coming"), "0", "0", "0.000001")
	same(t, "fixed", starts("learned:every_s=2,rule=fixed"), "0", "0", "0.000001", "2.000001")
	same(t, "a network", starts("learned:every_s=2,weights="+wrote(t, always)), "0", "0", "0.000001", "2.000001")
}

// Fewer only after six epochs in a row.
func TestLifecycleRule(t *testing.T) {
	r := Reading{spec: &service.Spec{Replicas: 9, RatePerS: 10}, rate: 10, Load: 10, Wanted: 5, least: 1}
	calm, got := 0, []int{}
	for i := range 9 {
		if r.Load = 10; i == 2 {
			r.Load = 60
		}
		got = append(got, lifecycle(&r, &calm))
	}
	if want := []int{Same, Same, More, Same, Same, Same, Same, Same, Fewer}; !slices.Equal(got, want) {
		t.Errorf("choices %v, expected %v", got, want)
	}
	r.Wanted, r.Load = 1, 5
	if got := lifecycle(&r, &calm); got != Same {
		t.Errorf("choice %d of the last replica", got)
	}
}

// What a learner sees, by hand.
func TestReading(t *testing.T) {
	r := Reading{spec: &service.Spec{Replicas: 4, RatePerS: 10}, rate: 10, least: 1, free: 0.25,
		now:  6 * 3600 * sim.Second,
		Load: 30, Last: 20, Highest: 100, Coming: 7, Backlog: 2400, Attained: 0.5, Wanted: 2, Ready: 1}
	got := make([]float64, NumReadingFeatures)
	r.Write(got)
	want := []float64{0.75, 0.5, 2, 0.5, 0.25, 0.5, 0.5, 0.5, 1, 0, 0.25}
	for i := range want {
		if d := got[i] - want[i]; d > 1e-12 || d < -1e-12 {
			t.Errorf("number %d is %v, expected %v", i, got[i], want[i])
		}
	}
	if n := strings.Count(strings.TrimSpace(ReadingFeatures), "\n") + 1; n != NumReadingFeatures {
		t.Errorf("%d features are described, expected %d", n, NumReadingFeatures)
	}
	mask := make([]bool, NumScaleChoices)
	for wanted, most := range map[int][]bool{1: {false, true, true}, 4: {true, true, false}, 2: {true, true, true}} {
		if r.Wanted = wanted; !slices.Equal(most, func() []bool { r.Mask(mask); return mask }()) {
			t.Errorf("mask %v with %d replicas", mask, wanted)
		}
	}
}

func TestLearnedFaults(t *testing.T) {
	good := wrote(t, always)
	for spec, want := range map[string]string{"weights=" + good + ",rule=fixed": "one of the two",
		"weights=none.txt": "none.txt",
		"weights=" + wrote(t, strings.Replace(always, "masked true", "masked false", 1)): "masked",
		"every_s=0": "every_s", "rule=most": "rule", "notice_s=3,lend=all": "notice_s"} {
		s := param.Parse("learned", spec)
		_, err := NewLearned(s)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", spec, err, want)
		}
	}
}
