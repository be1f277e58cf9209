package arrowfmt

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/float16"

	"tarry/traces/intake"
	"tarry/traces/jobcell"
)

// cell makes a cell of the i-th value. Places that lie outside of a damaged buffer give NULL.
func (a *array) cell(i int) jobcell.Value {
	if len(a.valid) > 0 && (i/8 >= len(a.valid) || a.valid[i/8]>>(i%8)&1 == 0) {
		return jobcell.Value{}
	}
	f := &a.physical
	if a.indexed {
		at := a.whole(i)
		if at < 0 || at >= int64(len(a.values)) {
			return jobcell.Value{}
		}
		return a.values[at]
	}
	switch f.kind {
	case kindBool:
		return jobcell.Value{Kind: jobcell.Truth, Int: int64(a.data[i/8] >> (i % 8) & 1)}
	case kindInt:
		if n := a.whole(i); f.signed || f.width < 8 || n >= 0 {
			return jobcell.Value{Kind: jobcell.Whole, Int: n}
		}
		return jobcell.Unsigned(binary.LittleEndian.Uint64(a.data[8*i:]))
	case kindFloat:
		return jobcell.Value{Kind: jobcell.Real, Real: a.real(i)}
	case kindDecimal:
		return jobcell.Decimal(a.big(i), f.scale)
	case kindDate:
		if f.unit == 0 {
			return jobcell.Value{Kind: jobcell.Instant, Int: a.whole(i) * 86400e6}
		}
		return jobcell.Value{Kind: jobcell.Instant, Int: f.unit.Micros(a.whole(i))}
	case kindTimestamp:
		return jobcell.Value{Kind: jobcell.Instant, Int: f.unit.Micros(a.whole(i))}
	case kindTime, kindDuration:
		return jobcell.Value{Kind: jobcell.Length, Int: f.unit.Micros(a.whole(i))}
	case kindUtf8, kindBinary, kindLargeUtf8, kindLargeBinary:
		from, ok1 := a.offset(i)
		to, ok2 := a.offset(i + 1)
		if !ok1 || !ok2 || from > to || to > len(a.data) {
			return jobcell.Value{}
		}
		return text(a.data[from:to])
	case kindUtf8View, kindBinaryView:
		return a.view(i)
	}
	return jobcell.Value{}
}

// text makes a cell of a text, or of so much of one as shows that it is too long.
func text(b []byte) jobcell.Value {
	return jobcell.Value{Kind: jobcell.Text, Text: strings.TrimSpace(string(b[:min(len(b), intake.MaxName+1)]))}
}

// whole gives the i-th value as a whole number.
func (a *array) whole(i int) int64 {
	w := a.physical.width
	b := a.data[w*i:]
	signed := a.physical.signed || a.physical.kind != kindInt
	switch w {
	case 1:
		if signed {
			return int64(int8(b[0]))
		}
		return int64(b[0])
	case 2:
		if signed {
			return int64(int16(binary.LittleEndian.Uint16(b)))
		}
		return int64(binary.LittleEndian.Uint16(b))
	case 4:
		if signed {
			return int64(int32(binary.LittleEndian.Uint32(b)))
		}
		return int64(binary.LittleEndian.Uint32(b))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// real gives the i-th value as a float.
func (a *array) real(i int) float64 {
	b := a.data[a.physical.width*i:]
	switch a.physical.width {
	case 2:
		return float64(float16.FromLEBytes(b[:2]).Float32())
	case 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// big gives the i-th value as a number in two's complement.
func (a *array) big(i int) *big.Int {
	w := a.physical.width
	b := slices.Clone(a.data[w*i : w*i+w])
	slices.Reverse(b) // the largest byte first
	return jobcell.Twos(b)
}

// offset gives where the i-th text begins.
func (a *array) offset(i int) (int, bool) {
	var at int64
	if a.physical.width == 4 {
		at = int64(int32(binary.LittleEndian.Uint32(a.offsets[4*i:])))
	} else {
		at = int64(binary.LittleEndian.Uint64(a.offsets[8*i:]))
	}
	return int(at), at >= 0 && at <= maxBuffer
}

// view gives the text of the i-th view: its length, and up to 12 bytes, or four of them and where
// all of them are.
func (a *array) view(i int) jobcell.Value {
	const inside = 12
	v := a.data[16*i : 16*i+16]
	n := int64(binary.LittleEndian.Uint32(v))
	if n <= inside {
		return text(v[4 : 4+n])
	}
	in, at := int64(binary.LittleEndian.Uint32(v[8:])), int64(binary.LittleEndian.Uint32(v[12:]))
	if in >= int64(len(a.more)) || at > int64(len(a.more[in])) || n > int64(len(a.more[in]))-at {
		return jobcell.Value{}
	}
	return text(a.more[in][at : at+n])
}
