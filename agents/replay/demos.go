package replay

import (
	"fmt"

	"tarry/env/vec"
	"tarry/internal/pack"
)

// demosRecord names the record of demonstrations and its version.
const demosRecord = "tarry/replay/demos/1"

// Demos are the steps of a demonstrator: a Buffer that grows, so that all of them are kept.
type Demos struct{ Buffer }

// NewDemos has none yet, of envs environments.
func NewDemos(shape Shape, envs int) *Demos { return &Demos{*NewBuffer(shape, envs, 0)} }

// Held is how many steps there are; 0 in a store that is nil.
func (d *Demos) Held() int {
	if d == nil {
		return 0
	}
	return d.Len()
}

// Add takes one step of all environments, as Buffer.Add does.
func (d *Demos) Add(actions []float64, batch *vec.Batch, discount []float64) {
	d.resize(d.count + d.envs)
	d.Buffer.Add(actions, batch, discount)
}

// resize makes room for that many rows, of which the first are in use.
func (d *Demos) resize(rows int) {
	s := d.shape
	d.obs, d.action = room(d.obs, rows*s.Obs), room(d.action, rows*s.Action)
	d.reward, d.discount = room(d.reward, rows), room(d.discount, rows)
	d.mask, d.terminated, d.ended = room(d.mask, rows*s.Mask), room(d.terminated, rows), room(d.ended, rows)
	d.head, d.size = d.count, rows
}

// room gives a slice that many entries.
func room[T any](x []T, n int) []T {
	if n <= len(x) {
		return x[:n]
	}
	return append(x, make([]T, n-len(x))...)
}

// MarshalBinary saves all of them.
func (d *Demos) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(demosRecord)
	w.Int(d.count)
	if d.count > 0 {
		w.Bytes(d.plain()) // so that the bytes bound the rows
	}
	return w.Seal(), nil
}

// UnmarshalBinary sets demonstrations of the same shape to saved ones. On an error there are none.
func (d *Demos) UnmarshalBinary(data []byte) error {
	r := pack.NewReader(demosRecord, data)
	n := r.Int()
	d.count = 0
	d.resize(0)
	// A row takes more than eight bytes: a count that the data cannot hold must not become memory.
	if r.Err() == nil && (n < 0 || n%d.envs != 0 || n > len(data)/8) {
		r.Fail(fmt.Errorf("replay: %d demonstrated steps do not fit %d environments and %d bytes", n, d.envs,
			len(data)))
	}
	if r.Err() != nil || n == 0 {
		return r.Close()
	}
	inner := r.Bytes()
	if err := r.Close(); err != nil {
		return err
	}
	d.resize(n)
	if err := d.Buffer.UnmarshalBinary(inner); err != nil {
		d.resize(0)
		return err
	}
	if d.count != n {
		err := fmt.Errorf("replay: %d demonstrated steps are stored, expected %d", d.count, n)
		d.count = 0
		d.resize(0)
		clear(d.cut)
		return err
	}
	return nil
}

// Share is how many of a minibatch's transitions are demonstrated: the share, rounded, but neither
// none nor all.
func Share(share float64, batch int) int {
	return min(max(int(float64(share*float64(batch))+0.5), 1), batch-1)
}
