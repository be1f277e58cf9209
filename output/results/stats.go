//go:build !js

package results

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// longestBound is the longest text that is kept as a bound of a row group: longer ones would make
// the footer large, and a shortened one is no value of the column.
const longestBound = 1 << 10

// bounds are the statistics of the numbers of a row group.
func (c *numbers) bounds() metadata.EncodedStatistics {
	s := metadata.EncodedStatistics{HasNullCount: true, Signed: c.kind != reflect.Uint64 || c.column.signed}
	var lo, hi uint64
	switch {
	case c.kind == reflect.Float64:
		l, h := c.floatBounds()
		if math.IsNaN(l) {
			return s
		}
		lo, hi = math.Float64bits(l), math.Float64bits(h)
	case c.width == 4:
		lo, hi = c.bitBounds(func(v uint64) uint64 { return uint64(uint32(v)) ^ 1<<31 })
	case s.Signed:
		lo, hi = c.bitBounds(func(v uint64) uint64 { return v ^ 1<<63 })
	default:
		lo, hi = c.bitBounds(func(v uint64) uint64 { return v })
	}
	s.SetMin(binary.LittleEndian.AppendUint64(nil, lo)[:c.width])
	s.SetMax(binary.LittleEndian.AppendUint64(nil, hi)[:c.width])
	return s
}

// floatBounds are the least and the largest number. NaN is no bound; a lower bound of 0 is written
// as -0 and an upper one as +0, as Parquet asks. Arrow v15 bounds a column of infinities by the
// largest finite number.
func (c *numbers) floatBounds() (lo, hi float64) {
	lo, hi = math.NaN(), math.NaN()
	c.each(func(bits uint64) {
		v := math.Float64frombits(bits)
		switch {
		case v != v:
		case lo != lo:
			lo, hi = v, v
		case v < lo:
			lo = v
		case v > hi:
			hi = v
		}
	})
	if lo == 0 {
		lo = math.Copysign(0, -1)
	}
	if hi == 0 {
		hi = math.Abs(hi)
	}
	return lo, hi
}

// bitBounds are the bits of the least and the largest number; order turns bits into what compares
// as the numbers do.
func (c *numbers) bitBounds(order func(uint64) uint64) (lo, hi uint64) {
	first := true
	c.each(func(v uint64) {
		if first || order(v) < order(lo) {
			lo = v
		}
		if first || order(v) > order(hi) {
			hi = v
		}
		first = false
	})
	return lo, hi
}

// textBounds are the statistics of texts. Arrow v15 forgets a minimum that is the empty text, so
// its own bounds of texts are off.
func textBounds(lo, hi string) metadata.EncodedStatistics {
	s := metadata.EncodedStatistics{HasNullCount: true}
	if len(lo) <= longestBound && len(hi) <= longestBound {
		// copies: the texts are the caller's. An empty text must not be nil, which stands for none.
		s.Min, s.Max = append([]byte{}, lo...), append([]byte{}, hi...)
		s.HasMin, s.HasMax = true, true
	}
	return s
}
