package results

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

// Column is a column of a table whose shape is not known beforehand, such as the data behind a picture.
// Exactly one of Text and Numbers is given.
type Column struct {
	// Name is the column's.
	Name string
	// Text or Numbers are its values; NaN = none.
	Text    []string
	Numbers []float64
}

// WriteColumns writes a table of columns of equal length, whole or not at all, with the rules of Write.
// The name of the table goes into the file's metadata. The target has no keys.
func WriteColumns(ctx context.Context, t Target, table string, cols []Column) error {
	if err := writeColumns(ctx, t, table, cols); err != nil {
		return fmt.Errorf("results: write table %s to %s: %w", table, t.Path, err)
	}
	return nil
}

func writeColumns(ctx context.Context, t Target, table string, cols []Column) (err error) {
	described, rows, err := describe(cols)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	temp, err := createTemp(t.Path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.abort()
		}
	}()
	out := &sink{w: bufio.NewWriter(temp.f)}
	if err := writeRows(out, t, table, described, rows); err != nil {
		return err
	}
	return temp.commit()
}

// writeRows writes the file's content. The Parquet writer panics when the disk is full.
func writeRows(out *sink, t Target, table string, cols []column, rows reflect.Value) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parquet writer: %v", r)
		}
		if out.err != nil {
			err = out.err
		}
	}()
	kv := metadata.NewKeyValueMetadata()
	kv.Append(metaPrefix+"table", table)
	for _, e := range t.Meta.entries() {
		kv.Append(metaPrefix+e.key, *e.value)
	}
	f, err := newParquetFile(out, cols, kv)
	if err != nil {
		return err
	}
	var enc encoder
	for from := 0; from < rows.Len(); from += groupRows {
		part := rows.Slice(from, min(rows.Len(), from+groupRows))
		if err := f.group(part.Len(), len(cols), func(i int, w file.ColumnChunkWriter, chunk statistics) error {
			return enc.column(w, chunk, cols[i], part)
		}); err != nil {
			return err
		}
	}
	return f.finish()
}

// describe turns columns into the rows of a struct that is made for them.
func describe(cols []Column) ([]column, reflect.Value, error) {
	var errs []error
	var fields []reflect.StructField
	var out []column
	seen := map[string]bool{}
	rows := -1
	for i, c := range cols {
		n, kind := len(c.Numbers), reflect.Float64
		if c.Text != nil {
			n, kind = len(c.Text), reflect.String
		}
		switch {
		case c.Name == "" || seen[c.Name]:
			errs = append(errs, fmt.Errorf("column %d is called %q, expected a name that no other column has", i+1, c.Name))
		case c.Text != nil && c.Numbers != nil:
			errs = append(errs, fmt.Errorf("column %q has texts and numbers, expected one of them", c.Name))
		case rows >= 0 && n != rows:
			errs = append(errs, fmt.Errorf("column %q has %d values, the others %d", c.Name, n, rows))
		}
		seen[c.Name], rows = true, n
		typ := map[reflect.Kind]reflect.Type{reflect.Float64: reflect.TypeFor[float64](), reflect.String: reflect.TypeFor[string]()}[kind]
		fields = append(fields, reflect.StructField{Name: "C" + strconv.Itoa(i), Type: typ})
		out = append(out, column{name: c.Name, kind: kind, index: []int{i}})
	}
	if len(cols) == 0 {
		errs = append(errs, errors.New("no column"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, reflect.Value{}, err
	}
	values := reflect.MakeSlice(reflect.SliceOf(reflect.StructOf(fields)), rows, rows)
	for i, c := range cols {
		for r := range rows {
			if c.Text != nil {
				values.Index(r).Field(i).SetString(c.Text[r])
			} else {
				values.Index(r).Field(i).SetFloat(c.Numbers[r])
			}
		}
	}
	return out, values, nil
}
