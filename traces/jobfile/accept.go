package jobfile

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	logical "github.com/apache/arrow/go/v15/parquet/schema"

	"tarry/sim"
)

// needed lists the columns without which there is no job.
func needed() []string { return []string{"id", "submit_us", "gpus", "work_us"} }

// values says how a column's values are to be taken.
type values struct {
	// unsigned integers have the high bit as a value.
	unsigned bool
	// times and per make microseconds of a column of times: value x times / per; 0 stands for 1.
	times, per int64
}

// micros is a value of a column of times in microseconds, rounded half away from zero; false when it does not fit.
func (v values) micros(x int64) (sim.Time, bool) {
	switch {
	case v.times > 1 && (x > math.MaxInt64/v.times || x < math.MinInt64/v.times):
		return 0, false
	case v.times > 1:
		return sim.Time(x * v.times), true
	case v.per > 1:
		q, r := x/v.per, x%v.per
		switch {
		case 2*r >= v.per:
			q++
		case 2*r <= -v.per:
			q--
		}
		return sim.Time(q), true
	}
	return sim.Time(x), true
}

func unitOf(u arrow.TimeUnit) values {
	switch u {
	case arrow.Second:
		return values{times: 1e6}
	case arrow.Millisecond:
		return values{times: 1e3}
	case arrow.Nanosecond:
		return values{per: 1e3}
	}
	return values{}
}

// accept says how values of a logical type are to be taken; the error continues after the column's name.
func (c *column) accept(l logical.LogicalType, a arrow.DataType) (values, error) {
	if c.text != nil || c.real != nil {
		switch l.(type) {
		case logical.StringLogicalType, logical.NoLogicalType, logical.UnknownLogicalType, logical.JSONLogicalType, logical.EnumLogicalType:
			return values{}, nil
		}
		return values{}, fmt.Errorf("holds %v, expected %s", l, map[bool]string{true: "text", false: "numbers"}[c.text != nil])
	}
	if d, ok := a.(*arrow.DurationType); ok {
		if c.time == nil {
			return values{}, fmt.Errorf("holds %v, expected whole numbers", d)
		}
		return unitOf(d.Unit), nil
	}
	switch l := l.(type) {
	case logical.NoLogicalType, logical.UnknownLogicalType:
		return values{}, nil
	case *logical.IntLogicalType:
		return values{unsigned: !l.IsSigned()}, nil
	case *logical.TimestampLogicalType:
		return c.timestamp(l)
	}
	want := "whole numbers"
	if c.time != nil {
		want = "whole microseconds, timestamps or durations"
	}
	return values{}, fmt.Errorf("holds %v, expected %s", l, want)
}

// timestamp accepts instants where an instant is meant.
func (c *column) timestamp(l *logical.TimestampLogicalType) (values, error) {
	switch {
	case c.time == nil:
		return values{}, fmt.Errorf("holds %v, expected whole numbers", l)
	case c.name == "work_us" || c.name == "request_us":
		return values{}, fmt.Errorf("holds %v, expected whole microseconds or durations: %s is a length of time, not an instant", l, strings.TrimSuffix(c.name, "_us"))
	}
	switch l.TimeUnit() {
	case logical.TimeUnitMillis:
		return unitOf(arrow.Millisecond), nil
	case logical.TimeUnitMicros:
		return unitOf(arrow.Microsecond), nil
	case logical.TimeUnitNanos:
		return unitOf(arrow.Nanosecond), nil
	}
	return values{}, errors.New("holds timestamps of an unknown unit, expected milliseconds, microseconds or nanoseconds")
}

// tooLarge is the panic of bounded, and the error that it becomes.
type tooLarge int

func (n tooLarge) Error() string {
	return fmt.Sprintf("a page of the Parquet file has %d bytes, expected at most %d: write smaller pages or shorter names", int(n), MaxPage)
}

// bounded refuses pages that no list of jobs needs, before they take memory.
type bounded struct{ memory.Allocator }

func (m bounded) Allocate(n int) []byte {
	if n > MaxPage {
		panic(tooLarge(n))
	}
	return m.Allocator.Allocate(n)
}

func (m bounded) Reallocate(n int, b []byte) []byte {
	if n > MaxPage {
		panic(tooLarge(n))
	}
	return m.Allocator.Reallocate(n, b)
}
