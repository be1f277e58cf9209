package order

import (
	"math"
	"testing"

	"tarry/baselines/score"
)

// The shipped agent for several workloads (docs/results/order.md) is the specialist of recur-1.1, the batch
// list's where no more jobs come, and a rule of three terms where predictions are uncertain; each with
// its own least run.
func TestOneAgent(t *testing.T) {
	one, err := score.Load("order")
	if err != nil {
		t.Fatal(err)
	}
	busy, err := vectorOf(weights, "recur-1.1", 7)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := vectorOf(weights, "batch", 4)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := score.New(score.BaseTerms(), 0)
	if err != nil {
		t.Fatal(err)
	}
	n, margin := plain.Len(), one.Globals.Margin
	if margin != busy[n] || !one.Globals.Auto() {
		t.Errorf("margin %v and timers %v, expected %v and tuned ones", margin, one.Globals, busy[n])
	}
	x := score.Inputs{score.Rank: 5, score.Spread: 0.9, score.GPUs: 1.4, score.Attained: 3, score.Age: 6,
		score.Wait: 2, score.Preempted: 0.7, score.Exposed: 0.1, score.Slowed: 0.2, score.Level: 0.5, score.Pressure: 0.8}
	doubted := x[score.Rank] + 0.1*x[score.Attained] - 0.3*x[score.Preempted]
	for _, c := range []struct{ lull, doubt, want, lnMinRun float64 }{
		{0, 0, plain.With(busy[:n], &x), busy[n+1]},
		{1, 0, margin / batch[n] * plain.With(batch[:n], &x), batch[n+1]},
		{0, 1, margin / 0.5 * doubted, 0},
	} {
		at := x
		at[score.Lull], at[score.Doubt] = c.lull, c.doubt
		if got := one.Func.Score(&at); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("lull %v, doubt %v: score %v, expected %v", c.lull, c.doubt, got, c.want)
		}
		now := one.Globals.At(score.Common{Lull: c.lull, Doubt: c.doubt})
		if got := math.Log(now.MinRun); math.Abs(got-c.lnMinRun) > 1e-9 {
			t.Errorf("lull %v, doubt %v: ln of the least run %v, expected %v", c.lull, c.doubt, got, c.lnMinRun)
		}
	}
}
