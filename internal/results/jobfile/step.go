package jobfile

import (
	"fmt"

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
}

// fill reads the column's next values into the jobs. A missing value leaves zero.
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
				continue
			}
			if next >= values {
				return fmt.Errorf("fewer values than rows: the file is damaged")
			}
			b.set(c, &jobs[at+i], next)
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

func (b *buffers) set(c *column, j *sim.Job, i int) {
	switch {
	case c.text != nil:
		*c.text(j) = string(b.bytes[i])
	case c.time != nil:
		*c.time(j) = sim.Time(b.wide[i])
	case c.wide != nil:
		*c.wide(j) = b.wide[i]
	case c.real != nil:
		*c.real(j) = b.real[i]
	case c.int != nil:
		*c.int(j) = b.narrow[i]
	default:
		j.Drawn = sim.Field(b.narrow[i])
	}
}
