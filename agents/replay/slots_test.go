package replay

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/env/vec"
)

// Rows are drawn in proportion to their weights, and never where the weight is 0; changing a weight
// changes the sum by as much.
func TestPriorities(t *testing.T) {
	for _, n := range []int{1, 2, 5, 16, 33} {
		p, r := NewPriorities(n), rand.New(rand.NewPCG(uint64(n), 1))
		want, sum := make([]float64, n), 0.0
		for range 5 * n {
			row := r.IntN(n)
			want[row] = float64(r.IntN(4))
			p.Set(row, want[row])
		}
		want[0] = 2
		p.Set(0, 2)
		for row, w := range want {
			if sum += w; p.Of(row) != w {
				t.Errorf("weight %v, expected %v", p.Of(row), w)
			}
		}
		if p.Sum() != sum {
			t.Errorf("sum %v, expected %v", p.Sum(), sum)
		}
		const draws = 20_000
		count := make([]float64, n)
		for k := range draws { // evenly spaced, so that counts are exact but for one
			count[p.Draw(float64(k)/draws)]++
		}
		for row, w := range want {
			if got := count[row]; math.Abs(got-draws*w/sum) > 1.5 || w == 0 && got > 0 {
				t.Errorf("%d rows: row %d of weight %v was drawn %v times of %d", n, row, w, got, draws)
			}
		}
		if row := p.Draw(math.Nextafter(1, 0)); want[row] == 0 {
			t.Errorf("the last number draws row %d of weight 0", row)
		}
	}
}

// played gives a store what an environment did: for each step a reward, the time it took, and whether
// the episode ended.
func played(s *Slots, steps [][4]float64) (ended int) {
	for i, x := range steps {
		b := &vec.Batch{Obs: []float64{float64(i + 1)}, Reward: x[:1], Elapsed: x[1:2],
			Terminated: []bool{x[2] == 1}, Truncated: []bool{x[2] == 2}, FinalObs: []float64{-1}}
		ended += s.Add([]float64{float64(i)}, b, []float64{x[3]})
	}
	return ended
}

func oneOf(rows int) *Slots {
	s := NewSlots(SlotConfig{Shape: Shape{Obs: 1, Action: 1}, Envs: 1, Rows: rows, Alpha: 0.5, Beta: 0.5, BetaStep: 0.25,
		Eps: 0.01, Clip: 4})
	s.Begin(&vec.Batch{Obs: []float64{0}})
	return s
}

// All decisions of a slot have its rewards, and lead to what came after it.
func TestSlotsByHand(t *testing.T) {
	s := oneOf(8)
	// slots: steps 0-2 (1+2+4), 3 (10, ends the episode), 4-5 (3, cut), 6 (under way)
	ended := played(s, [][4]float64{{1, 0, 0, 1}, {2, 0, 0, 1}, {4, 1, 0, 0.5}, {10, 2, 1, 0.25}, {0, 0, 0, 1},
		{3, 0, 2, 1}, {7, 0, 0, 1}})
	if rows := s.Fill(nil); ended != 3 || s.Held() != 7 || len(rows) != 6 {
		t.Fatalf("%d slots ended, %d steps are held, %v can be drawn", ended, s.Held(), rows)
	}
	for row, want := range [][3]float64{{7, 0.5, 3}, {7, 0.5, 3}, {7, 0.5, 3}, {10, 0, 4}, {3, 1, -1}, {3, 1, -1}} {
		tr := s.At(row)
		if tr.Reward != want[0] || tr.Discount != want[1] || tr.Discount > 0 && tr.Next[0] != want[2] ||
			tr.Obs[0] != float64(row) || tr.Action[0] != float64(row) {
			t.Errorf("row %d is %+v, expected reward, discount and next %v", row, tr, want)
		}
	}
	if mean, _ := s.Mean(); mean != (3*7+10+2*3)/6.0 {
		t.Errorf("mean return %v", mean)
	}
	// priorities: max(1, 7-0), max(1, 10-7), max(1, 3-31/4), to the power 1/2
	for row, want := range []float64{7, 7, 7, 3, 1, 1, 0} {
		if got := s.tree.Of(row); math.Abs(got-math.Sqrt(want)) > 1e-12 {
			t.Errorf("row %d has the weight %v, expected the root of %v", row, got, want)
		}
	}
	s.Missed(0, -9)
	s.Missed(1, 0.24)
	if a, b := s.tree.Of(0), s.tree.Of(1); a != 2 || math.Abs(b-0.5) > 1e-12 {
		t.Errorf("errors of 9 and 0.24 have the weights %v and %v, expected 2 and 0.5", a, b)
	}
	// the next steps take the place of the first: their slot is a row shorter each time
	played(s, [][4]float64{{1, 1, 0, 1}, {5, 0, 0, 1}})
	if rows := s.Fill(nil); len(rows) != 7 || s.tree.Of(0) != 0 || s.At(6).Reward != 8 || s.At(7).Reward != 8 {
		t.Errorf("%v can be drawn, the last slot has %v", rows, s.At(7).Reward)
	}
}

// The correction is (probability x steps)^-beta, its largest 1; beta rises.
func TestSlotsCorrect(t *testing.T) {
	s := oneOf(4)
	played(s, [][4]float64{{1, 1, 0, 1}, {1, 1, 0, 1}, {17, 1, 0, 1}, {1, 1, 0, 1}})
	r := rand.New(rand.NewPCG(1, 1))
	for _, beta := range []float64{0.5, 0.75, 1, 1} {
		rows, weights, most := make([]int, 16), make([]float64, 16), 0.0
		s.Minibatch(rows, weights, r)
		want := make([]float64, 16)
		for k, row := range rows {
			want[k] = math.Pow(s.tree.Of(row)/s.tree.Sum()*4, -beta)
			most = max(most, want[k])
		}
		for k := range rows {
			if math.Abs(weights[k]-want[k]/most) > 1e-12 {
				t.Errorf("beta %v: weight %v, expected %v", beta, weights[k], want[k]/most)
			}
		}
		if s.tree.Of(2) != 4 || !bytes.Contains(bytesOf(rows), []byte{2, 2, 2}) { // 4 of 7 parts
			t.Errorf("rows %v, expected mostly 2", rows)
		}
	}
}

func bytesOf(rows []int) (out []byte) {
	for _, r := range rows {
		out = append(out, byte(r))
	}
	return out
}

// A store that is saved and read back continues as the other; what is damaged leaves it empty.
func TestSlotsSaved(t *testing.T) {
	s := oneOf(4)
	played(s, [][4]float64{{1, 1, 0, 1}, {1, 0, 0, 1}, {17, 1, 0, 1}, {1, 1, 2, 1}, {2, 0, 0, 1}})
	rows, weights := make([]int, 2), make([]float64, 2)
	s.Minibatch(rows, weights, rand.New(rand.NewPCG(1, 1)))
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := oneOf(4)
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	more := [][4]float64{{3, 1, 0, 1}, {4, 1, 1, 1}}
	played(s, more)
	played(again, more)
	a, err1 := s.MarshalBinary()
	b, err2 := again.MarshalBinary()
	if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("a store that was read back continues in another way, errors %v, %v", err1, err2)
	}
	for cut := range len(data) {
		if err := again.UnmarshalBinary(data[:cut]); err == nil || again.Held() != 0 || again.Ready() {
			t.Fatalf("%d of %d bytes are read, error %v", cut, len(data), err)
		}
	}
}
