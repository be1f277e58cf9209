package replay

import (
	"math/rand/v2"
	"slices"

	"tarry/env/vec"
)

// Shape is how many numbers a step has.
type Shape struct {
	// Obs, Action and Mask are the lengths of each; Mask 0 = no mask.
	Obs, Action, Mask int
}

// Buffer is the last steps of several environments that are stepped together: row after row in
// the order step*envs + environment, in a ring.
type Buffer struct {
	shape Shape
	envs  int
	size  int // rows that it has room for
	head  int // row that the next step's first goes to
	count int // rows in use

	obs, action, reward, discount []float64
	mask, terminated, ended       []bool
	cut                           map[int]last // by row: where an episode was cut
	now                           last         // what the environments show now, one after the other
}

// last is an observation with its mask.
type last struct {
	obs  []float64
	mask []bool
}

// Transition is what a step, or several in a row, led to. Its slices belong to the buffer.
type Transition struct {
	Obs    []float64
	Mask   []bool // nil without a mask
	Action []float64
	// Reward is the discounted sum, Discount the discount of what comes after; 0 after the end
	// of the problem, where Next has no meaning.
	Reward, Discount float64
	Next             []float64
	NextMask         []bool
}

// NewBuffer has room for at least that many rows, at least 1, of envs environments.
func NewBuffer(shape Shape, envs, rows int) *Buffer {
	size := (rows + envs - 1) / envs * envs
	return &Buffer{shape: shape, envs: envs, size: size,
		obs: make([]float64, size*shape.Obs), action: make([]float64, size*shape.Action),
		reward: make([]float64, size), discount: make([]float64, size),
		mask: make([]bool, size*shape.Mask), terminated: make([]bool, size), ended: make([]bool, size),
		cut: map[int]last{}, now: last{make([]float64, envs*shape.Obs), make([]bool, envs*shape.Mask)}}
}

// Len is the number of rows in use.
func (b *Buffer) Len() int { return b.count }

// Begin takes what the environments show at first.
func (b *Buffer) Begin(batch *vec.Batch) { b.show(batch) }

func (b *Buffer) show(batch *vec.Batch) {
	copy(b.now.obs, batch.Obs)
	copy(b.now.mask, batch.Mask)
}

// Add takes one step of all environments: their actions, one after the other, what came of them,
// and the discount over each.
func (b *Buffer) Add(actions []float64, batch *vec.Batch, discount []float64) {
	s, first := b.shape, b.head
	copy(b.obs[first*s.Obs:], b.now.obs)
	copy(b.mask[first*s.Mask:], b.now.mask)
	copy(b.action[first*s.Action:], actions)
	copy(b.reward[first:], batch.Reward)
	copy(b.discount[first:], discount)
	for i := range b.envs {
		row := first + i
		b.terminated[row], b.ended[row] = batch.Terminated[i], batch.Done(i)
		delete(b.cut, row)
		if batch.Done(i) && !batch.Terminated[i] {
			b.cut[row] = last{slices.Clone(batch.FinalObs[i*s.Obs : (i+1)*s.Obs]),
				slices.Clone(part(batch.FinalMask, i, s.Mask))}
		}
	}
	b.show(batch)
	b.head = (first + b.envs) % b.size
	b.count = min(b.count+b.envs, b.size)
}

// Draw picks a row uniformly; at least one must be in use.
func (b *Buffer) Draw(r *rand.Rand) int { return r.IntN(b.count) }

// At is the transition that begins with a row and lasts for up to steps of its environment. It
// is shorter where the episode ends or the steps so far do. scale divides the rewards.
func (b *Buffer) At(row, steps int, scale float64) Transition {
	s := b.shape
	t := Transition{Obs: b.obs[row*s.Obs : (row+1)*s.Obs], Mask: part(b.mask, row, s.Mask),
		Action: b.action[row*s.Action : (row+1)*s.Action], Discount: 1}
	for {
		t.Reward += float64(t.Discount * b.reward[row] / scale)
		t.Discount *= b.discount[row]
		if steps--; steps < 1 || b.ended[row] || b.newest(row) {
			break
		}
		row = (row + b.envs) % b.size
	}
	if b.terminated[row] {
		t.Discount = 0
	}
	t.Next, t.NextMask = b.next(row)
	return t
}

// newest reports whether a row is of the last step.
func (b *Buffer) newest(row int) bool { return (row/b.envs*b.envs+b.envs)%b.size == b.head }

// next is what the step of a row led to.
func (b *Buffer) next(row int) ([]float64, []bool) {
	s := b.shape
	if c, ok := b.cut[row]; ok {
		return c.obs, part(c.mask, 0, s.Mask)
	}
	if b.newest(row) {
		i := row % b.envs
		return b.now.obs[i*s.Obs : (i+1)*s.Obs], part(b.now.mask, i, s.Mask)
	}
	row = (row + b.envs) % b.size
	return b.obs[row*s.Obs : (row+1)*s.Obs], part(b.mask, row, s.Mask)
}

// part is block i of n entries, nil if n is 0.
func part(x []bool, i, n int) []bool {
	if n == 0 {
		return nil
	}
	return x[i*n : (i+1)*n]
}
