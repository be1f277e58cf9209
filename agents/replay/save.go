package replay

import (
	"fmt"
	"maps"
	"slices"

	"tarry/internal/pack"
)

// The records of both, with the version of their layout. Demonstrations and older checkpoints have
// the plain one.
const (
	bufferRecord = "tarry/replay/2"
	plainRecord  = "tarry/replay/1"
	scaleRecord  = "tarry/replay/scale/1"
)

// MarshalBinary saves the rows in use and what the environments show, compressed table by table.
func (b *Buffer) MarshalBinary() ([]byte, error) {
	w := pack.NewWriter(bufferRecord)
	b.saveSizes(w)
	q, err := newSqueeze()
	if err != nil {
		return nil, err
	}
	for _, t := range b.tables(b.count) {
		q.put(w, t)
	}
	for _, x := range b.truths(b.count) {
		q.truths(w, x)
	}
	w.Float64s(b.now.obs)
	w.Bools(b.now.mask)
	b.saveCuts(w)
	return w.Seal(), nil
}

// tables are the numbers of the first n rows, truths their truth values.
func (b *Buffer) tables(n int) []table {
	s := b.shape
	return []table{{b.obs[:n*s.Obs], s.Obs, b.envs}, {b.action[:n*s.Action], s.Action, b.envs},
		{b.reward[:n], 1, b.envs}, {b.discount[:n], 1, b.envs}}
}

func (b *Buffer) truths(n int) [][]bool {
	return [][]bool{b.mask[:n*b.shape.Mask], b.terminated[:n], b.ended[:n]}
}

func (b *Buffer) saveSizes(w *pack.Writer) {
	s := b.shape
	for _, v := range []int{s.Obs, s.Action, s.Mask, b.envs, b.size, b.head, b.count} {
		w.Int(v)
	}
}

// plain saves the same without compression.
func (b *Buffer) plain() []byte {
	w := pack.NewWriter(plainRecord)
	s, n := b.shape, b.count
	b.saveSizes(w)
	for _, x := range [][]float64{b.obs[:n*s.Obs], b.action[:n*s.Action], b.reward[:n], b.discount[:n], b.now.obs} {
		w.Float64s(x)
	}
	for _, x := range [][]bool{b.mask[:n*s.Mask], b.terminated[:n], b.ended[:n], b.now.mask} {
		w.Bools(x)
	}
	b.saveCuts(w)
	return w.Seal()
}

// saveCuts saves where episodes were cut.
func (b *Buffer) saveCuts(w *pack.Writer) {
	w.Int(len(b.cut))
	for _, row := range slices.Sorted(maps.Keys(b.cut)) {
		w.Int(row)
		w.Float64s(b.cut[row].obs)
		w.Bools(b.cut[row].mask)
	}
}

// UnmarshalBinary sets a buffer of the same shape and size to a saved one, in either layout. On an
// error it is empty.
func (b *Buffer) UnmarshalBinary(data []byte) error {
	read, r := b.readTables, pack.NewReader(bufferRecord, data)
	if r.Err() != nil {
		if older := pack.NewReader(plainRecord, data); older.Err() == nil {
			read, r = b.readPlain, older
		}
	}
	head, n := b.readSizes(r)
	read(r, n)
	clear(b.cut)
	b.readCuts(r, n)
	err := r.Close()
	if b.head, b.count = head, n; err != nil {
		b.head, b.count = 0, 0
		clear(b.cut)
	}
	return err
}

// readSizes reads where the ring stands; the sizes must be the buffer's own. It has no rows after a
// fault.
func (b *Buffer) readSizes(r *pack.Reader) (head, n int) {
	s := b.shape
	for _, f := range []struct {
		name string
		want int
	}{{"observation", s.Obs}, {"action", s.Action}, {"mask", s.Mask}, {"environments", b.envs}, {"room", b.size}} {
		if got := r.Int(); got != f.want && r.Err() == nil {
			r.Fail(fmt.Errorf("replay: %s is %d, expected %d", f.name, got, f.want))
		}
	}
	head, n = r.Int(), r.Int()
	if r.Err() == nil && (n < 0 || n > b.size || n%b.envs != 0 || head != n%b.size &&
		(n < b.size || head < 0 || head >= b.size || head%b.envs != 0)) {
		r.Fail(fmt.Errorf("replay: head %d and %d rows do not fit %d rows of %d environments", head, n, b.size, b.envs))
	}
	if r.Err() != nil {
		n = 0
	}
	return head, n
}

// readTables reads n rows and what the environments show, as MarshalBinary wrote them.
func (b *Buffer) readTables(r *pack.Reader, n int) {
	q, err := newStretch(n * max(b.shape.Obs, b.shape.Action, b.shape.Mask, 8))
	if err != nil {
		r.Fail(err)
		return
	}
	defer q.dec.Close()
	for _, t := range b.tables(n) {
		q.take(r, t)
	}
	for _, x := range b.truths(n) {
		q.takeTruths(r, x)
	}
	r.Float64s(b.now.obs)
	r.Bools(b.now.mask)
}

// readPlain reads them as plain wrote them.
func (b *Buffer) readPlain(r *pack.Reader, n int) {
	s := b.shape
	for _, x := range [][]float64{b.obs[:n*s.Obs], b.action[:n*s.Action], b.reward[:n], b.discount[:n], b.now.obs} {
		r.Float64s(x)
	}
	for _, x := range [][]bool{b.mask[:n*s.Mask], b.terminated[:n], b.ended[:n], b.now.mask} {
		r.Bools(x)
	}
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
