package probe

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"tarry/env"
)

// The best policy earns, discounted by gamma^Elapsed, what Value states. A truncated episode is
// completed by the value of its last observation.
func TestBestEarnsValue(t *testing.T) {
	const gamma = 0.8
	for _, p := range append(All(), Privileged(), Rare()) {
		e := p.New()
		for k := range 50 {
			seed := uint64(k)
			obs, _, err := e.Reset(&seed, "")
			if err != nil {
				t.Fatal(err)
			}
			want := p.Value(gamma, obs)
			got, weight := 0.0, 1.0
			for done := false; !done; {
				s, err := e.Step(p.Best(obs))
				if err != nil {
					t.Fatalf("%s: %v", p.ID, err)
				}
				got += weight * s.Reward
				weight *= math.Pow(gamma, s.Info.Elapsed)
				obs, done = s.Obs, s.Done()
				if s.Truncated {
					got += weight * p.Value(gamma, obs)
				}
			}
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: seed %d: the best policy earns %v, want %v", p.ID, k, got, want)
			}
		}
	}
}

// No action earns more than the best one, and some action earns less where there is a choice.
func TestNothingBeatsBest(t *testing.T) {
	for _, p := range append(All(), Privileged(), Rare()) {
		e := p.New()
		_, box := e.Spec().Action.(env.Box)
		if !box && env.MaskLen(e.Spec().Action) == 1 {
			continue // there is no choice
		}
		worse := 0
		for seed := range uint64(40) {
			for try := range 24 {
				obs, info, err := e.Reset(&seed, "")
				if err != nil {
					t.Fatal(err)
				}
				value := p.Value(0.9, obs)
				a := candidate(e.Spec().Action, try)
				if env.CheckAction(e.Spec(), info.Mask, a) != nil {
					continue
				}
				s, err := e.Step(a)
				if err != nil {
					t.Fatal(err)
				}
				if s.Reward > value+1e-12 {
					t.Fatalf("%s: action %v on %v earns %v, more than the best, %v", p.ID, a, obs, s.Reward, value)
				}
				if s.Reward < value-1e-12 {
					worse++
				}
			}
		}
		if worse == 0 {
			t.Errorf("%s: every action is best", p.ID)
		}
	}
}

// candidate is one of up to 24 actions that cover a space.
func candidate(s env.Space, k int) []float64 {
	switch s := s.(type) {
	case env.Discrete:
		return []float64{float64(k % s.N)}
	case env.MultiDiscrete:
		return []float64{float64(k % s.N[0]), float64(k / s.N[0] % s.N[1])}
	default:
		return []float64{-1 + 2*float64(k)/23}
	}
}

// Where episodes are only ever cut, the best policy earns Rate in the long run, and the
// differential values fit together: a step earns the difference of the values before and after it.
func TestRates(t *testing.T) {
	rates := 0
	for _, p := range append(All(), Privileged(), Rare()) {
		if p.Rate == 0 {
			continue
		}
		rates++
		e := p.New()
		seed, total, time, mean, n := uint64(1), 0.0, 0.0, 0.0, 0
		obs, _, err := e.Reset(&seed, "")
		for done := false; !done; n++ {
			before := p.Differential(obs)
			s, e := e.Step(p.Best(obs))
			if err = errors.Join(err, e); err != nil {
				t.Fatal(err)
			}
			total += s.Reward
			time += s.Info.Elapsed
			mean += before
			if got := s.Reward - p.Rate*s.Info.Elapsed + p.Differential(s.Obs); math.Abs(got-before) > 1e-12 {
				t.Errorf("%s: differential value %v before a step, %v by what came of it", p.ID, before, got)
			}
			if obs, done = s.Obs, s.Done(); s.Terminated {
				t.Errorf("%s ends", p.ID)
			}
		}
		if total/time != p.Rate || mean != 0 {
			t.Errorf("%s: rate %v and mean differential value %v, expected %v and 0", p.ID, total/time,
				mean/float64(n), p.Rate)
		}
	}
	if rates != 2 {
		t.Errorf("%d probes never end, expected 2", rates)
	}
}

// What is random takes all its values, about equally often.
func TestStartsAreSpread(t *testing.T) {
	for id, want := range map[string]int{
		"probe/Constant-v0": 1, "probe/Seen-v0": 2, "probe/Delayed-v0": 1, "probe/Choice-v0": 1, "probe/Match-v0": 2,
		"probe/Masked-v0":  15,
		"probe/Endless-v0": 1, "probe/Waiting-v0": 4, "probe/Slots-v0": 120, "probe/Pair-v0": 4, "probe/Target-v0": 2,
		"probe/Paced-v0": 1,
	} {
		for _, p := range append(All(), Privileged(), Rare()) {
			if p.ID != id {
				continue
			}
			e := p.New()
			seen := map[string]int{}
			const n = 6000
			for range n {
				obs, _, err := e.Reset(nil, "")
				if err != nil {
					t.Fatal(err)
				}
				seen[fmt.Sprint(obs)]++
			}
			if len(seen) != want {
				t.Errorf("%s: %d different starts, want %d", id, len(seen), want)
			}
			for obs, k := range seen {
				share := 1 / float64(want)
				if math.Abs(float64(k)/n-share) > 6*math.Sqrt(share/n) {
					t.Errorf("%s: %s came %d times of %d, want a share of %v", id, obs, k, n, share)
				}
			}
		}
	}
	if len(All()) != 13 { // Limits has a test of its own
		t.Errorf("%d probes, want all of them tested here", len(All()))
	}
}

// Limits draws three or five jobs, open ones and closed ones in all places; the right choice is legal and
// takes all limits, and the bits of closed jobs decide it at times.
func TestLimitsAreSpread(t *testing.T) {
	e := limits().New()
	jobs, right, closed, turned, legal := map[int]int{}, map[int]int{}, 0, 0, 0
	const n = 6000
	for range n {
		obs, info, err := e.Reset(nil, "")
		if err != nil {
			t.Fatal(err)
		}
		best, present, ones, openOnes, open := limitOf(obs), 0, 0, 0, 0
		for i := range limitPlaces {
			row := obs[i*limitFeatures:][:limitFeatures]
			some := 0
			for _, ok := range info.Mask[i*limitChoices:][:limitChoices] {
				if ok {
					some++
				}
			}
			if (row[0] == 1) != (some > 0) {
				t.Fatalf("a job of %v has %d legal limits", row, some)
			}
			legal += some
			if row[0] > 0 {
				present++
				ones += int(row[2])
			}
			if row[0] == 1 {
				open++
				openOnes += int(row[2])
			}
		}
		if !info.Mask[best] {
			t.Fatalf("the right choice %d is illegal on %v", best, obs)
		}
		jobs[present]++
		right[best]++
		closed += present - open
		if (2*ones > present) != (2*openOnes > open) {
			turned++
		}
	}
	for _, k := range []int{3, 5} {
		if math.Abs(float64(jobs[k])/n-0.5) > 0.03 || len(jobs) != 2 {
			t.Errorf("numbers of jobs %v of %d", jobs, n)
		}
	}
	for c := range limitPlaces * limitChoices {
		if want := 1.0 / limitPlaces / 4; float64(right[c])/n < want*0.8 {
			t.Errorf("choice %d was right %d times of %d", c, right[c], n)
		}
	}
	if closed < n/2 || turned < n/20 || legal < 4*n {
		t.Errorf("%d closed jobs, which decided %d times, and %d legal choices of %d starts", closed, turned, legal, n)
	}
}

func Example() {
	for _, p := range append(All(), Privileged(), Rare())[:3] {
		obs, _, err := p.New().Reset(nil, "")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s tests %s: value %.2f\n", p.ID, p.Isolates, p.Value(0.9, obs))
	}
	// Output:
	// probe/Constant-v0 tests the loss of the value network and its optimiser: value 1.00
	// probe/Seen-v0 tests gradients through the value network: value -1.00
	// probe/Delayed-v0 tests discounting and bootstrapping: value 0.90
}

// Mixed earns Value with the probabilities Chances, over all sequences of actions; other probabilities
// earn less, and one action alone next to nothing. Nothing is seen, and luck is the instance's.
func TestMixedByAllSequences(t *testing.T) {
	p := Mixed()
	var sequences [][4]int
	var returns []float64
	e := p.New()
	for k := range 81 {
		s, sums := [4]int{k / 27, k / 9 % 3, k / 3 % 3, k % 3}, [2]float64{}
		for i, seed := range []uint64{3, 4} {
			obs, _, err := e.Reset(&seed, "")
			for _, a := range s {
				if err != nil || obs[0] != 0 || len(obs) != 1 {
					t.Fatal(obs, err)
				}
				var step env.Step
				step, err = e.Step([]float64{float64(a)})
				sums[i] += step.Reward
				obs = step.Obs
			}
			sums[i] -= math.Copysign(16, sums[i])
		}
		if math.Abs(sums[0]-sums[1]) > 1e-9 {
			t.Fatalf("actions %v earn %v without luck", s, sums)
		}
		sequences, returns = append(sequences, s), append(returns, sums[0])
	}
	mean := func(chances [3]float64) (sum float64) {
		for k, s := range sequences {
			weight := 1.0
			for _, a := range s {
				weight *= chances[a]
			}
			sum += weight * returns[k]
		}
		return sum
	}
	best := p.Value(1, nil)
	if got := mean([3]float64(p.Chances)); math.Abs(got-best) > 1e-9 {
		t.Errorf("%v earn %v, expected %v", p.Chances, got, best)
	}
	for i := 0.0; i <= 20; i++ {
		for j := 0.0; j <= 20-i; j++ {
			if got := mean([3]float64{i / 20, j / 20, (20 - i - j) / 20}); got > best+1e-9 {
				t.Errorf("%v, %v and the rest earn %v, more than %v", i/20, j/20, got, best)
			}
		}
	}
	for a, want := range []float64{0, 0, 0.1} {
		one := [3]float64{}
		one[a] = 1
		if got := mean(one); math.Abs(got-want) > 1e-9 {
			t.Errorf("action %d alone earns %v, expected %v", a, got, want)
		}
	}
}
