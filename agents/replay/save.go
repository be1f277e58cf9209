package replay

import (
	"fmt"
	"maps"
	"slices"

	"tarry/internal/pack"
)

// The records of both, with the version of their layout.
const (
	bufferRecord = "tarry/replay/1"
	scaleRecord  = "tarry/replay/scale/1"
)

// MarshalBinary saves the rows in use and what the environments show.
func (b *Buffer) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(bufferRecord)
	s, n := b.shape, b.count
	for _, v := range []int{s.Obs, s.Action, s.Mask, b.envs, b.size, b.head, n} {
		w.Int(v)
	}
	for _, x := range [][]float64{b.obs[:n*s.Obs], b.action[:n*s.Action], b.reward[:n], b.discount[:n], b.now.obs} {
		w.Float64s(x)
	}
	for _, x := range [][]bool{b.mask[:n*s.Mask], b.terminated[:n], b.ended[:n], b.now.mask} {
		w.Bools(x)
	}
	w.Int(len(b.cut))
	for _, row := range slices.Sorted(maps.Keys(b.cut)) {
		w.Int(row)
		w.Float64s(b.cut[row].obs)
		w.Bools(b.cut[row].mask)
	}
	return w.Seal(), nil
}

// UnmarshalBinary sets a buffer of the same shape and size to a saved one. On an error it is
// empty.
func (b *Buffer) UnmarshalBinary(data []byte) error {
	r := pack.NewReader(bufferRecord, data)
	s := b.shape
	for _, f := range []struct {
		name string
		want int
	}{{"observation", s.Obs}, {"action", s.Action}, {"mask", s.Mask}, {"environments", b.envs}, {"room", b.size}} {
		if got := r.Int(); got != f.want && r.Err() == nil {
			r.Fail(fmt.Errorf("replay: %s is %d, expected %d", f.name, got, f.want))
		}
	}
	head, n := r.Int(), r.Int()
	if r.Err() == nil && (n < 0 || n > b.size || n%b.envs != 0 || head != n%b.size && (n < b.size || head < 0 || head >= b.size || head%b.envs != 0)) {
		r.Fail(fmt.Errorf("replay: head %d and %d rows do not fit %d rows of %d environments", head, n, b.size, b.envs))
	}
	if r.Err() != nil {
		n = 0
	}
	for _, x := range [][]float64{b.obs[:n*s.Obs], b.action[:n*s.Action], b.reward[:n], b.discount[:n], b.now.obs} {
		r.Float64s(x)
	}
	for _, x := range [][]bool{b.mask[:n*s.Mask], b.terminated[:n], b.ended[:n], b.now.mask} {
		r.Bools(x)
	}
	clear(b.cut)
	b.readCuts(r, n)
	err := r.Close()
	if b.head, b.count = head, n; err != nil {
		b.head, b.count = 0, 0
		clear(b.cut)
	}
	return err
}

// readCuts reads where episodes were cut: exactly the rows that ended and are no ends.
func (b *Buffer) readCuts(r *pack.Reader, rows int) {
	cuts := 0
	for row := range rows {
		if b.ended[row] && !b.terminated[row] {
			cuts++
		}
	}
	if got := r.Int(); got != cuts && r.Err() == nil {
		r.Fail(fmt.Errorf("replay: %d last observations, expected %d", got, cuts))
	}
	for least := 0; cuts > 0 && r.Err() == nil; cuts-- {
		row := r.Int()
		c := last{make([]float64, b.shape.Obs), make([]bool, b.shape.Mask)}
		r.Float64s(c.obs)
		r.Bools(c.mask)
		if row < least || row >= rows || !b.ended[row] || b.terminated[row] {
			r.Fail(fmt.Errorf("replay: a last observation for row %d, where no episode was cut", row))
			return
		}
		b.cut[row], least = c, row+1
	}
}

// MarshalBinary saves the moments and the returns under way.
func (s *Scale) MarshalBinary() ([]byte, error) {
	m, err := s.moments.MarshalBinary()
	if err != nil {
		return nil, err
	}
	w := pack.NewWriter(scaleRecord)
	w.Bytes(m)
	w.Float64s(s.returns)
	return w.Seal(), nil
}

// UnmarshalBinary sets a scale for as many environments to a saved one.
func (s *Scale) UnmarshalBinary(data []byte) error {
	r := pack.NewReader(scaleRecord, data)
	m := r.Bytes()
	r.Float64s(s.returns)
	if err := r.Close(); err != nil {
		return err
	}
	return s.moments.UnmarshalBinary(m)
}
