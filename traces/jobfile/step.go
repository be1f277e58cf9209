package jobfile

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"tarry/sim"
)

// stepRows is how many jobs are assembled at a time.
const stepRows = 4096

// buffers hold what one step reads of one column.
type buffers struct {
	wide   []int64
	narrow []int32
	real   []float64
	bytes  []parquet.ByteArray
	levels []int16
	// faults are the values of the step that cannot be read, by their place in it.
	faults map[int][]Fault
}

// fill reads the column's next values into the jobs. A missing value leaves zero; where one is needed it is a fault.
func (b *buffers) fill(r file.ColumnChunkReader, c *column, jobs []sim.Job) error {
	n := int64(len(jobs))
	if b.levels == nil {
		b.wide, b.narrow = make([]int64, stepRows), make([]int32, stepRows)
		b.real = make([]float64, stepRows)
		b.bytes, b.levels = make([]parquet.ByteArray, stepRows), make([]int16, stepRows)
	}
	optional := r.Descriptor().MaxDefinitionLevel() > 0
	for at := int64(0); at < n; {
		rows, values, err := b.read(r, n-at)
		if err != nil {
			return err
		}
		if rows == 0 {
			return fmt.Errorf("%d values, expected one for each of the rows: the file is damaged", at)
		}
		next := 0
		for i := range rows {
			if optional && b.levels[i] == 0 {
				if slices.Contains(needed(), c.name) {
					b.fault(int(at+i), c, "NULL", "a value")
				}
				continue
			}
			if next >= values {
				return fmt.Errorf("fewer values than rows: the file is damaged")
			}
			b.set(c, &jobs[at+i], int(at+i), next)
			next++
		}
		at += rows
	}
	return nil
}

func (b *buffers) read(r file.ColumnChunkReader, n int64) (rows int64, values int, err error) {
	switch r := r.(type) {
	case *file.Int64ColumnChunkReader:
		return r.ReadBatch(n, b.wide, b.levels, nil)
	case *file.Int32ColumnChunkReader:
		return r.ReadBatch(n, b.narrow, b.levels, nil)
	case *file.Float64ColumnChunkReader:
		return r.ReadBatch(n, b.real, b.levels, nil)
	case *file.ByteArrayColumnChunkReader:
		return r.ReadBatch(n, b.bytes, b.levels, nil)
	}
	return 0, 0, fmt.Errorf("a column of %v cannot be read", r.Type())
}

// set puts the i-th value read into a job, the at-th of the step.
func (b *buffers) set(c *column, j *sim.Job, at, i int) {
	switch {
	case c.text != nil && len(b.bytes[i]) > MaxText:
		b.fault(at, c, string(b.bytes[i][:64])+"...", fmt.Sprintf("a text of at most %d bytes, this one has %d", MaxText, len(b.bytes[i])))
	case c.text != nil:
		*c.text(j) = string(b.bytes[i])
	case (c.time != nil || c.wide != nil) && c.as.unsigned && b.wide[i] < 0:
		b.fault(at, c, fmt.Sprint(uint64(b.wide[i])), fmt.Sprintf("at most %d", math.MaxInt64))
	case c.time != nil:
		t, ok := c.as.micros(b.wide[i])
		if !ok {
			b.fault(at, c, fmt.Sprint(b.wide[i]), "a time that fits 64 bits in microseconds")
		}
		*c.time(j) = t
	case c.wide != nil:
		*c.wide(j) = b.wide[i]
	case c.real != nil:
		*c.real(j) = b.real[i]
	case c.as.unsigned && b.narrow[i] < 0:
		b.fault(at, c, fmt.Sprint(uint32(b.narrow[i])), fmt.Sprintf("at most %d", math.MaxInt32))
	case c.int != nil:
		*c.int(j) = b.narrow[i]
	case b.narrow[i] < 0 || b.narrow[i] > math.MaxUint16:
		b.fault(at, c, fmt.Sprint(b.narrow[i]), fmt.Sprintf("0 to %d", math.MaxUint16))
	default:
		j.Drawn = sim.Field(b.narrow[i])
	}
}

func (b *buffers) fault(at int, c *column, value, want string) {
	if b.faults == nil {
		b.faults = map[int][]Fault{}
	}
	b.faults[at] = append(b.faults[at], Fault{c.name, value, want})
}
