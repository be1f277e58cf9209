package jobfile

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/float16"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	logical "github.com/apache/arrow/go/v15/parquet/schema"

	"tarry/traces/columns"
	"tarry/traces/jobcell"
)

// decode makes a cell of the i-th value that was read.
type decode func(b *buffers, i int) jobcell.Value

// decoder reports how values of a column are to be taken; unit is the unit of a duration by the
// file's Arrow schema, 0 where it is none. exact states that texts are as tarry wrote them. The
// error continues after the column's name.
func decoder(c *logical.Column, unit columns.Unit, exact bool) (decode, error) {
	refused := func(want string) (decode, error) {
		return nil, fmt.Errorf("holds %s, expected %s", kindOf(c), want)
	}
	const want = "numbers, texts, timestamps or durations"
	as := c.LogicalType()
	switch l := as.(type) {
	case *logical.DecimalLogicalType:
		return decimal(c.PhysicalType(), l.Scale())
	case *logical.TimestampLogicalType:
		return timestamp(l)
	case *logical.TimeLogicalType: // a time since midnight
		return integers(c.PhysicalType(), false, unitOf(l.TimeUnit())), nil
	case logical.IntervalLogicalType, logical.BSONLogicalType:
		return refused(want)
	case logical.DateLogicalType:
		return func(b *buffers, i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Instant, Int: int64(b.narrow[i]) * 86400e6}
		}, nil
	case logical.UUIDLogicalType:
		return func(b *buffers, i int) jobcell.Value {
			u := b.fixed[i]
			return jobcell.Value{Kind: jobcell.Name, Text: fmt.Sprintf("%x-%x-%x-%x-%x", []byte(u[:4]), []byte(u[4:6]),
				[]byte(u[6:8]), []byte(u[8:10]), []byte(u[10:]))}
		}, nil
	case logical.Float16LogicalType:
		return func(b *buffers, i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Real, Real: float64(float16.FromLEBytes(b.fixed[i]).Float32())}
		}, nil
	}
	switch c.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Int64:
		l, ok := as.(*logical.IntLogicalType)
		return integers(c.PhysicalType(), ok && !l.IsSigned(), unit), nil
	case parquet.Types.Int96:
		return func(b *buffers, i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Instant, Int: b.old[i].ToTime().UnixMicro()}
		}, nil
	case parquet.Types.Boolean:
		return truth, nil
	case parquet.Types.Float:
		return func(b *buffers, i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Real, Real: float64(b.single[i])}
		}, nil
	case parquet.Types.Double:
		return func(b *buffers, i int) jobcell.Value { return jobcell.Value{Kind: jobcell.Real, Real: b.real[i]} }, nil
	case parquet.Types.ByteArray:
		if exact {
			return func(b *buffers, i int) jobcell.Value {
				return jobcell.Value{Kind: jobcell.Name, Text: cut(b.bytes[i])}
			}, nil
		}
		return func(b *buffers, i int) jobcell.Value {
			return jobcell.Value{Kind: jobcell.Text, Text: strings.TrimSpace(cut(b.bytes[i]))}
		}, nil
	}
	return refused(want)
}

// cut gives a text, or so much of one as shows that it is longer than MaxText.
func cut(b []byte) string { return string(b[:min(len(b), MaxText+1)]) }

func truth(b *buffers, i int) jobcell.Value {
	v := jobcell.Value{Kind: jobcell.Truth}
	if b.truths[i] {
		v.Int = 1
	}
	return v
}

// kindOf names the type of a column.
func kindOf(c *logical.Column) string {
	if l := c.LogicalType(); l != nil && !l.IsNone() {
		return l.String()
	}
	return c.PhysicalType().String()
}

// integers takes whole numbers, which are durations where unit notes it.
func integers(t parquet.Type, unsigned bool, unit columns.Unit) decode {
	return func(b *buffers, i int) jobcell.Value {
		var v int64
		switch {
		case t == parquet.Types.Int64:
			v = b.wide[i]
			if unsigned && v < 0 {
				return jobcell.Unsigned(uint64(v))
			}
		case unsigned:
			v = int64(uint32(b.narrow[i]))
		default:
			v = int64(b.narrow[i])
		}
		if unit != 0 {
			return jobcell.Value{Kind: jobcell.Length, Int: unit.Micros(v)}
		}
		return jobcell.Value{Kind: jobcell.Whole, Int: v}
	}
}

// unitOf is the unit of a type of times; 0 where it is unknown.
func unitOf(u logical.TimeUnitType) columns.Unit {
	return map[logical.TimeUnitType]columns.Unit{logical.TimeUnitMillis: columns.Millisecond,
		logical.TimeUnitMicros: columns.Microsecond, logical.TimeUnitNanos: columns.Nanosecond}[u]
}

// timestamp takes instants.
func timestamp(l *logical.TimestampLogicalType) (decode, error) {
	unit := unitOf(l.TimeUnit())
	if unit == 0 {
		return nil, fmt.Errorf("holds timestamps of an unknown unit, expected milliseconds, microseconds or " +
			"nanoseconds")
	}
	local := !l.IsAdjustedToUTC()
	return func(b *buffers, i int) jobcell.Value {
		return jobcell.Value{Kind: jobcell.Instant, Local: local, Int: unit.Micros(b.wide[i])}
	}, nil
}

// decimal takes numbers with a fixed number of decimals, as the text of CSV.
func decimal(t parquet.Type, scale int32) (decode, error) {
	var digits func(b *buffers, i int) *big.Int
	switch t {
	case parquet.Types.Int32:
		digits = func(b *buffers, i int) *big.Int { return big.NewInt(int64(b.narrow[i])) }
	case parquet.Types.Int64:
		digits = func(b *buffers, i int) *big.Int { return big.NewInt(b.wide[i]) }
	case parquet.Types.ByteArray:
		digits = func(b *buffers, i int) *big.Int { return jobcell.Twos(b.bytes[i]) }
	default:
		digits = func(b *buffers, i int) *big.Int { return jobcell.Twos(b.fixed[i]) }
	}
	if scale < 0 || scale > 100 {
		return nil, fmt.Errorf("holds decimals with %d digits behind the point, expected 0 to 100", scale)
	}
	return func(b *buffers, i int) jobcell.Value {
		return jobcell.Decimal(digits(b, i), int(scale))
	}, nil
}

// buffers hold what one step reads of one column.
type buffers struct {
	wide   []int64
	narrow []int32
	old    []parquet.Int96
	truths []bool
	single []float32
	real   []float64
	bytes  []parquet.ByteArray
	fixed  []parquet.FixedLenByteArray
	levels []int16
}

// need makes room for n values.
func need[V any](to *[]V, n int) []V {
	if len(*to) < n {
		*to = make([]V, n)
	}
	return *to
}

// read reads the next values of a column; without NULL values.
func (b *buffers) read(r file.ColumnChunkReader, n int64) (rows int64, values int, err error) {
	levels := need(&b.levels, stepRows)
	switch r := r.(type) {
	case *file.Int64ColumnChunkReader:
		return r.ReadBatch(n, need(&b.wide, stepRows), levels, nil)
	case *file.Int32ColumnChunkReader:
		return r.ReadBatch(n, need(&b.narrow, stepRows), levels, nil)
	case *file.Int96ColumnChunkReader:
		return r.ReadBatch(n, need(&b.old, stepRows), levels, nil)
	case *file.BooleanColumnChunkReader:
		return r.ReadBatch(n, need(&b.truths, stepRows), levels, nil)
	case *file.Float32ColumnChunkReader:
		return r.ReadBatch(n, need(&b.single, stepRows), levels, nil)
	case *file.Float64ColumnChunkReader:
		return r.ReadBatch(n, need(&b.real, stepRows), levels, nil)
	case *file.ByteArrayColumnChunkReader:
		return r.ReadBatch(n, need(&b.bytes, stepRows), levels, nil)
	case *file.FixedLenByteArrayColumnChunkReader:
		return r.ReadBatch(n, need(&b.fixed, stepRows), levels, nil)
	}
	return 0, 0, fmt.Errorf("a column of %v cannot be read", r.Type())
}
