package replay

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"tarry/env/vec"
	"tarry/internal/fixmath"
	"tarry/internal/pack"
)

// Slots keeps steps by the slot that they belong to, and draws them by priority. A slot is the steps
// of one environment up to the first that takes time, or ends the episode: decisions of one instant.
// All of them have the rewards of the whole slot. A step can be drawn once its slot has ended.
type Slots struct {
	cfg    SlotConfig
	buffer *Buffer
	tree   *Priorities
	reward []float64 // of the slot of each row
	ahead  []int     // how many steps after each row the slot ended
	open   []int     // steps of the slot under way, by environment
	gained []float64 // by it so far
	drawn  int       // minibatches so far
}

// SlotConfig states what is kept and how it is drawn.
type SlotConfig struct {
	// Shape is the shape of a step, Envs how many environments there are, Rows how many steps are
	// kept.
	Shape      Shape
	Envs, Rows int
	// Alpha is the exponent of priorities, 0 = all are drawn alike. Beta is the exponent of the
	// correction at first, which rises by BetaStep with each minibatch up to 1.
	Alpha, Beta, BetaStep float64
	// Eps is added to the size of an error, which Clip bounds.
	Eps, Clip float64
}

// NewSlots is empty.
func NewSlots(c SlotConfig) *Slots {
	b := NewBuffer(c.Shape, c.Envs, c.Rows)
	return &Slots{cfg: c, buffer: b, tree: NewPriorities(b.size), reward: make([]float64, b.size),
		ahead: make([]int, b.size), open: make([]int, c.Envs), gained: make([]float64, c.Envs)}
}

// Begin takes what the environments show at first.
func (s *Slots) Begin(batch *vec.Batch) { s.buffer.Begin(batch) }

// Held is the number of steps in use, Ready reports that some can be drawn.
func (s *Slots) Held() int { return s.buffer.Len() }

// Ready reports that there is a step that can be drawn.
func (s *Slots) Ready() bool { return s.tree.Sum() > 0 }

// Add takes one step of all environments, as Buffer.Add, and gives how many slots ended with it. A
// step enters with the priority max(1, reward of its slot - mean reward of the steps in store).
func (s *Slots) Add(actions []float64, batch *vec.Batch, discount []float64) (ended int) {
	first := s.buffer.head
	for i := range s.cfg.Envs {
		s.tree.Set(first+i, 0)
	}
	s.buffer.Add(actions, batch, discount)
	for i := range s.cfg.Envs {
		s.open[i] = min(s.open[i]+1, s.buffer.size/s.cfg.Envs)
		s.gained[i] += batch.Reward[i]
		if batch.Elapsed[i] == 0 && !batch.Done(i) {
			continue
		}
		s.end(first+i, i)
		ended++
	}
	return ended
}

// end ends the slot of an environment with a row.
func (s *Slots) end(row, i int) {
	mean, _ := s.Mean()
	weight := s.weight(max(1, s.gained[i]-mean))
	for k := range s.open[i] {
		s.reward[row], s.ahead[row] = s.gained[i], k
		s.tree.Set(row, weight)
		row = (row - s.cfg.Envs + s.buffer.size) % s.buffer.size
	}
	s.open[i], s.gained[i] = 0, 0
}

// Mean is the mean reward of the slots of all steps that can be drawn; false = there are none.
func (s *Slots) Mean() (float64, bool) {
	sum, n := 0.0, 0.0
	for row, r := range s.reward[:s.buffer.count] {
		if s.tree.Of(row) > 0 {
			sum += r
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / n, true
}

func (s *Slots) weight(priority float64) float64 { return fixmath.Pow(priority, s.cfg.Alpha) }

// Minibatch draws rows, one of each of as many equal parts of the sum of priorities, with the weights
// that correct for it: (probability x number of steps)^-beta, divided by the largest of them.
func (s *Slots) Minibatch(rows []int, weights []float64, r *rand.Rand) {
	beta := min(1, s.cfg.Beta+float64(float64(s.drawn)*s.cfg.BetaStep))
	s.drawn++
	n, most := float64(len(rows)), 0.0
	for k := range rows {
		rows[k] = s.tree.Draw((float64(k) + r.Float64()) / n)
		share := s.tree.Of(rows[k]) / s.tree.Sum()
		weights[k] = fixmath.Pow(float64(share*float64(s.buffer.count)), -beta)
		most = max(most, weights[k])
	}
	for k := range weights {
		weights[k] /= most
	}
}

// Fill gives all rows that can be drawn, in order, behind rows.
func (s *Slots) Fill(rows []int) []int {
	for row := range s.buffer.count {
		if s.tree.Of(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// At is the transition from a row to what came after its slot: Reward is the slot's.
func (s *Slots) At(row int) Transition {
	b, w := s.buffer, s.buffer.shape
	last := (row + s.ahead[row]*s.cfg.Envs) % b.size
	t := Transition{Obs: b.obs[row*w.Obs : (row+1)*w.Obs], Mask: part(b.mask, row, w.Mask),
		Action: b.action[row*w.Action : (row+1)*w.Action], Reward: s.reward[row], Discount: b.discount[last]}
	if b.terminated[last] {
		t.Discount = 0
	}
	t.Next, t.NextMask = b.next(last)
	return t
}

// Missed states by how much the return of a row was missed: its priority is the size of the error, bounded.
func (s *Slots) Missed(row int, by float64) {
	s.tree.Set(row, s.weight(min(math.Abs(by)+s.cfg.Eps, s.cfg.Clip)))
}

const slotsRecord = "tarry/replay/slots/1"

// MarshalBinary saves all of it.
func (s *Slots) MarshalBinary() ([]byte, error) {
	kept, err := s.buffer.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w, n := pack.NewWriter(slotsRecord), s.buffer.count
	w.Bytes(kept)
	w.Float64s(s.tree.sums[s.tree.first : s.tree.first+n])
	w.Float64s(s.reward[:n])
	for _, a := range s.ahead[:n] {
		w.Int(a)
	}
	for _, o := range s.open {
		w.Int(o)
	}
	w.Float64s(s.gained)
	w.Int(s.drawn)
	return w.Seal(), nil
}

// UnmarshalBinary sets a store of the same configuration to a saved one. On an error it is empty.
func (s *Slots) UnmarshalBinary(data []byte) error {
	r := pack.NewReader(slotsRecord, data)
	kept := r.Bytes()
	fresh := NewSlots(s.cfg)
	if r.Err() == nil {
		if err := fresh.buffer.UnmarshalBinary(kept); err != nil {
			r.Fail(err)
		}
	}
	n := fresh.buffer.count
	weights := make([]float64, n)
	r.Float64s(weights)
	r.Float64s(fresh.reward[:n])
	most := fresh.buffer.size / s.cfg.Envs
	for row := range n {
		fresh.ahead[row] = within(r, "steps to the end of a slot", most-1)
	}
	for i := range fresh.open {
		fresh.open[i] = within(r, "steps of a slot", most)
	}
	r.Float64s(fresh.gained)
	fresh.drawn = within(r, "minibatches", math.MaxInt32)
	for row, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			r.Fail(errors.New("replay: a priority is not a finite number of at least 0"))
			break
		}
		fresh.tree.Set(row, w)
	}
	if err := r.Close(); err != nil {
		*s = *NewSlots(s.cfg)
		return err
	}
	*s = *fresh
	return nil
}

// within reads a whole number from 0 to most.
func within(r *pack.Reader, what string, most int) int {
	n := r.Int()
	if r.Err() == nil && (n < 0 || n > most) {
		r.Fail(fmt.Errorf("replay: %d %s, expected 0 to %d", n, what, most))
	}
	if r.Err() != nil {
		return 0
	}
	return n
}
