package replay

import (
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"

	"tarry/internal/pack"
)

// table is rows of width numbers, of environments that take turns.
type table struct {
	x           []float64
	width, envs int
}

// squeeze writes tables in little room, without loss of a bit. Numbers are written as bytes, put
// together by their place in the number (first all lowest bytes, column after column), which zstd
// compresses: signs, exponents and the zeros of round numbers lie side by side.
//
// Where many numbers occur again, as in a queue that moves up, each is written once, in the
// order of the rows, and the table is one of codes: isNew stands for the next number of that list,
// isSame for the number of the environment's step before, seen+i for the i-th of the list.
type squeeze struct {
	enc   *zstd.Encoder
	dec   *zstd.Decoder
	plane []byte
	out   []byte
}

const (
	isNew = iota
	isSame
	seen
)

func newSqueeze() (*squeeze, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	return &squeeze{enc: enc}, err
}

// newStretch reads what squeeze wrote, in frames of up to so many bytes: a damaged one must not
// become memory. It never writes beyond the room that it is given.
func newStretch(most int) (*squeeze, error) {
	const window = 16 << 20 // what the encoder may refer to
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderMaxMemory(uint64(max(most, window))))
	return &squeeze{dec: dec}, err
}

// put writes a table.
func (q *squeeze) put(w *pack.Writer, t table) {
	codes, list := t.codes()
	w.Int(len(list)) // 0 = the numbers themselves
	if len(list) == 0 {
		planes(q, w, t.columns(), 8)
		return
	}
	planes(q, w, list, 8)
	planes(q, w, codes, 4)
}

// rows is how many the table has.
func (t *table) rows() int { return len(t.x) / max(t.width, 1) }

// columns are the bits of the numbers, column by column.
func (t *table) columns() []uint64 {
	bits, rows := make([]uint64, len(t.x)), t.rows()
	for i := range rows {
		for j, v := range t.x[i*t.width : (i+1)*t.width] {
			bits[j*rows+i] = math.Float64bits(v)
		}
	}
	return bits
}

// codes are the codes of the numbers, column by column, and the list that they refer to, in the
// order of the rows; nil where it would save nothing.
func (t *table) codes() (codes []uint32, list []uint64) {
	most, rows, back := len(t.x)/2, t.rows(), t.envs*t.width
	codes, place := make([]uint32, len(t.x)), map[uint64]uint32{}
	for i := range rows {
		for j := range t.width {
			at := i*t.width + j
			u, code := math.Float64bits(t.x[at]), &codes[j*rows+i]
			if at >= back && u == math.Float64bits(t.x[at-back]) {
				*code = isSame
				continue
			}
			was, ok := place[u]
			if *code = was; ok {
				continue
			}
			if len(list) == most || len(list) == math.MaxUint32-seen {
				return nil, nil
			}
			place[u] = seen + uint32(len(list))
			list = append(list, u) // the code is isNew, 0
		}
	}
	return codes, list
}

// planes writes numbers of so many bytes, in a frame for each place of a byte.
func planes[T uint32 | uint64](q *squeeze, w *pack.Writer, x []T, size int) {
	q.plane = room(q.plane, len(x))
	for k := range size {
		for i, v := range x {
			q.plane[i] = byte(v >> (8 * k))
		}
		q.bytes(w, q.plane)
	}
}

// bytes writes a frame.
func (q *squeeze) bytes(w *pack.Writer, raw []byte) {
	q.out = q.enc.EncodeAll(raw, q.out[:0])
	w.Bytes(q.out)
}

// truths writes truth values.
func (q *squeeze) truths(w *pack.Writer, x []bool) {
	q.plane = room(q.plane, len(x))
	for i, v := range x {
		q.plane[i] = 0
		if v {
			q.plane[i] = 1
		}
	}
	q.bytes(w, q.plane)
}

// take reads what put wrote.
func (q *squeeze) take(r *pack.Reader, t table) {
	n := r.Int()
	if r.Err() == nil && (n < 0 || n > len(t.x)/2) {
		r.Fail(fmt.Errorf("replay: a list of %d numbers, expected at most %d", n, len(t.x)/2))
	}
	if r.Err() != nil {
		return
	}
	if n == 0 {
		t.decodeColumns(takePlanes[uint64](q, r, len(t.x), 8))
		return
	}
	list, codes := takePlanes[uint64](q, r, n, 8), takePlanes[uint32](q, r, len(t.x), 4)
	if r.Err() == nil {
		t.decode(r, codes, list)
	}
}

// decodeColumns undoes columns.
func (t *table) decodeColumns(bits []uint64) {
	rows := t.rows()
	for i := range rows {
		for j := range t.width {
			t.x[i*t.width+j] = math.Float64frombits(bits[j*rows+i])
		}
	}
}

// decode undoes codes.
func (t *table) decode(r *pack.Reader, codes []uint32, list []uint64) {
	rows, back, used := t.rows(), t.envs*t.width, 0
	for at := range t.x {
		code := codes[at%t.width*rows+at/t.width]
		switch {
		case code == isNew && used < len(list):
			t.x[at] = math.Float64frombits(list[used])
			used++
		case code == isSame && at >= back:
			t.x[at] = t.x[at-back]
		case code >= seen && int(code-seen) < used:
			t.x[at] = math.Float64frombits(list[code-seen])
		default:
			r.Fail(fmt.Errorf("replay: number %d has the code %d, with %d of %d numbers seen", at, code, used,
				len(list)))
			return
		}
	}
	if used != len(list) {
		r.Fail(fmt.Errorf("replay: %d of a list of %d numbers are used", used, len(list)))
	}
}

// takePlanes reads n numbers that planes wrote; zeros after a fault.
func takePlanes[T uint32 | uint64](q *squeeze, r *pack.Reader, n, size int) []T {
	x := make([]T, n)
	for k := range size {
		for i, v := range q.read(r, n) {
			x[i] |= T(v) << (8 * k)
		}
	}
	return x
}

// read gives exactly n bytes, of a frame; none after a fault.
func (q *squeeze) read(r *pack.Reader, n int) []byte {
	frame := r.Bytes()
	if r.Err() != nil {
		return nil
	}
	out, err := q.dec.DecodeAll(frame, room(q.out, n)[:0:n])
	if err == nil && len(out) != n {
		err = fmt.Errorf("it has %d", len(out))
	}
	if err != nil {
		r.Fail(fmt.Errorf("replay: a part of %d bytes cannot be decompressed: %w", n, err))
		return nil
	}
	q.out = out
	return out
}

// takeTruths reads what truths wrote.
func (q *squeeze) takeTruths(r *pack.Reader, x []bool) {
	for i, v := range q.read(r, len(x)) {
		if v > 1 {
			r.Fail(fmt.Errorf("replay: a truth value is %d, expected 0 or 1", v))
			return
		}
		x[i] = v == 1
	}
}
