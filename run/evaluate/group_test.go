package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/internal/stats"
	"tarry/output/results"
	"tarry/run/trial"
)

// seedsAndOthers measures three seeds of one agent, another agent and two baselines.
func seedsAndOthers(t *testing.T) (*Setup, []Row) {
	t.Helper()
	var dirs []string
	for seed := range uint64(3) {
		dirs = append(dirs, trainedWith(t, delaytimer.ID, options, seed+1))
	}
	dirs = slices.Insert(dirs, 1, trainedWith(t, delaytimer.ID, options+",load=0.5", 1))
	r := request(dirs...)
	r.Windows, r.Options = 5, []string{"load=0.9"}
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

// Agents that differ in their seed alone are one agent, and each is shown too; its numbers are over
// all its seeds on all windows, and each seed's numbers are as alone.
func TestSeedsAreOneAgent(t *testing.T) {
	s, rows := seedsAndOthers(t)
	chosen := rows[1]
	if all := Evals(rows); len(all) != 6*5 { // the chosen seed is not there twice
		t.Errorf("%d rows of evals", len(all))
	}
	rows = slices.Delete(rows, 1, 2)
	var names []string
	for _, r := range rows {
		names = append(names, fmt.Sprint(r.Policy[:min(10, len(r.Policy))], " ", r.Seeds, "x", r.Windows()))
	}
	if got, want := strings.Join(names, ", "), "ppo (3 see 3x5, ppo-1-best 1x5, ppo-2-best 1x5, ppo-3-best 1x5, "+
		"ppo-1-best 1x5, dally 1x5, fifo 1x5"; strings.ReplaceAll(got, "last", "best") != want {
		t.Fatalf("rows are %s, expected %s", got, want)
	}
	group := rows[0]
	best := slices.MaxFunc(s.Agents[:3], func(a, b *Frozen) int { return cmp.Compare(a.validation, b.validation) })
	if at := int(best.seed); chosen.Policy != "ppo (seed by validation)" || !chosen.Chosen || chosen.Member ||
		chosen.TrainSeed != best.seed || !slices.Equal(chosen.JCT, rows[at].JCT) {
		t.Errorf("seed %d did best on validation, the chosen row is %+v", best.seed, chosen)
	}
	if group.Diff.N != 0 || group.Policy != "ppo (3 seeds)" ||
		!strings.HasPrefix(group.Agent, "3 seeds of ppo of tarry/DelayTimer-v0") {
		t.Errorf("the first row is %q, %q, difference %+v", group.Policy, group.Agent, group.Diff)
	}
	if group.TrainSeed != results.NoSeed || group.SHA256 != "" {
		t.Errorf("three seeds together have seed %d, checkpoint %q", group.TrainSeed, group.SHA256)
	}
	all, of := stats.Grid{group.JCT[:5], group.JCT[5:10], group.JCT[10:]}, func(i int) []float64 { return rows[i].JCT }
	for i, run := range group.Runs {
		if group.JCT[i] != run.Row.JCTMean {
			t.Errorf("run %d is compared by %v, its mean is %v and all jobs finished", i, group.JCT[i], run.Row.JCTMean)
		}
	}
	for k := range 3 {
		if !slices.Equal(all[k], of(k+1)) {
			t.Errorf("seed %d of the group has other runs than alone", k)
		}
		want := stats.Mean(of(k+1)) - stats.Mean(all.Pool())
		if got := rows[k+1].Diff.Point; math.Abs(got-want) > 1e-6 {
			t.Errorf("seed %d differs from its group by %v, expected %v", k, got, want)
		}
	}
	if got, want := group.IQM.Point, stats.IQM(all.Pool()); got != want ||
		!(group.IQM.Lo <= got && got <= group.IQM.Hi) {
		t.Errorf("interquartile mean %+v, expected %v", group.IQM, want)
	}
	for i := 4; i < len(rows); i++ {
		d, want := rows[i].Diff, stats.Mean(of(i))-stats.Mean(all.Pool())
		if math.Abs(d.Point-want) > 1e-6 || !(d.Lo <= d.Point && d.Point <= d.Hi) {
			t.Errorf("%s: difference %+v, expected %v", rows[i].Policy, d, want)
		}
		if got, want := rows[i].Improvement.Point, stats.Below(all, stats.Grid{of(i)}); got != want {
			t.Errorf("%s: improvement %v, expected %v", rows[i].Policy, got, want)
		}
	}
	evals := Evals(rows)
	if n := len(evals); n != 6*5 {
		t.Fatalf("%d rows of evals, expected one for each of 6 policies and 5 windows", n)
	}
	seeds := map[uint64]string{}
	for _, e := range evals[:15] {
		seeds[e.TrainSeed] = e.CheckpointSHA256
	}
	if len(seeds) != 3 || len(seeds[1]) != 64 || len(seeds[3]) != 64 || seeds[1] == seeds[3] {
		t.Errorf("seeds of training and checkpoints are %v, expected 1 to 3 and three hashes", seeds)
	}
	if e := evals[29]; e.TrainSeed != results.NoSeed || e.CheckpointSHA256 != "" {
		t.Errorf("a baseline has seed %d of training and checkpoint %q", e.TrainSeed, e.CheckpointSHA256)
	}
}

// The same agents give the same numbers again.
func TestNumbersOfSeedsAreRepeatable(t *testing.T) {
	_, rows := seedsAndOthers(t)
	s, again := seedsAndOthers(t)
	for i, r := range rows {
		if r.Policy != again[i].Policy || fmt.Sprint(r.Diff, r.IQM, r.Profile) != fmt.Sprint(again[i].Diff,
			again[i].IQM, again[i].Profile) {
			t.Errorf("%s: numbers differ when they are made again", r.Policy)
		}
	}
	if s.JSON == "" || len(rows[0].Profile) != len(Taus()) {
		t.Error("no description, or a profile of another length")
	}
}

func TestAgentGivenTwice(t *testing.T) {
	dir := trained(t, delaytimer.ID, options)
	if _, err := Build(shipped.All(), request(dir, dir)); err == nil ||
		!strings.Contains(err.Error(), "holds an agent that is given already: ppo-2-last") {
		t.Errorf("an agent given twice gives %v", err)
	}
}
