package evaluate

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/run/trial"
)

// An agent of a mixture is measured on all its scenarios in turn, each on its own hardware and as
// it is measured there alone.
func TestMixtureInOneGo(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, text := range map[string]string{
		"a.yaml": "cluster: ethernet:2x4x8\nspeed: collective\ncuts: {load: 1.3, windows: 4, warm: 0, horizon: 24}\n",
		"b.yaml": "cluster: 1x4x8\nspeed: contended\ncosts: {restore_s: 20}\ncuts: {workload: bursty, load: 0.9, " +
			"windows: 4, warm: 0, horizon: 24}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	slices.Sort(files)
	agent := trainedWith(t, delaytimer.IDV1, "regime=true,mixture="+strings.Join(files, "+"), 1)
	measure := func(r Request) (*Setup, []Row) {
		s, err := Build(shipped.All(), r)
		if err != nil {
			t.Fatal(err)
		}
		done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Summarise(done)
		if err != nil {
			t.Fatal(err)
		}
		return s, rows
	}
	r := request(agent)
	r.Baselines, r.Windows = []string{"dally", "dally-nowait"}, 6
	s, rows := measure(r)
	if !slices.Equal(s.Regimes, []string{"a", "b"}) {
		t.Fatalf("regimes are %v", s.Regimes)
	}
	mixed, err := s.PerRegime(rows, "dally")
	if err != nil {
		t.Fatal(err)
	}
	sum := make([]float64, len(mixed))
	for k, file := range files {
		alone := r
		alone.Options, alone.Windows = []string{"mixture=", "scenario=" + file}, 3
		_, single := measure(alone)
		for p := range rows {
			ratio := 0.0
			for w := range 3 {
				if got, want := rows[p].JCT[2*w+k], single[p].JCT[w]; got != want {
					t.Errorf("%s, scenario %d, window %d: %v, alone %v", rows[p].Policy, k, w, got, want)
				}
				ratio += single[p].JCT[w] / single[slices.IndexFunc(single,
					func(r Row) bool { return r.Policy == "dally" })].JCT[w] / 3
			}
			if got := mixed[p].Regimes[k].Point; math.Abs(got-100*(ratio-1)) > 1e-9 {
				t.Errorf("%s in %s: %v %%, expected %v", rows[p].Policy, s.Regimes[k], got, 100*(ratio-1))
			}
			sum[p] += 100 * (ratio - 1) / 2
		}
		if got, want := rows[0].Runs[k].Row.Keys.Cluster, []string{"ethernet:2x4x8", "1x4x8"}[k]; got != want {
			t.Errorf("the row of scenario %d says cluster %q, expected %q", k, got, want)
		}
	}
	for p, m := range mixed {
		if math.Abs(m.Mean.Point-sum[p]) > 1e-9 {
			t.Errorf("%s: mean %v, expected %v", m.Policy, m.Mean.Point, sum[p])
		}
	}
	r.Windows = 5
	if _, err := Build(shipped.All(), r); err == nil || !strings.Contains(err.Error(),
		"windows are 5, expected a multiple of 2") {
		t.Errorf("five windows of two scenarios: %v", err)
	}
	if _, err := s.PerRegime(rows, "fifo"); err == nil {
		t.Error("a reference that is not there is taken")
	}
}
