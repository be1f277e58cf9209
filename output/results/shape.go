//go:build !js

package results

import (
	"reflect"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// shape is what all files with the same columns have in common, and the memory that their columns
// are gathered in.
type shape struct {
	cols, axes []column
	keys       partCheck
	codec      Codec
	schema     *schema.Schema
	props      *parquet.WriterProperties
	footer     []byte   // how a footer begins
	words      string   // the columns as Arrow readers know them
	values     []buffer // empty, by column
	rows       any      // memory of rows that are not taken apart yet
}

// shapeOf makes the shape of a target's files, or finds it: most files of a process have their columns
// from the type of the rows alone. A target whose folders or axes decide on the columns has a shape
// of its own.
func shapeOf[T Row](s *scratch, t Target) (*shape, error) {
	row, own := reflect.TypeFor[T](), len(t.Part) > 0 || len(t.Axes) > 0
	if f := s.shapes[row]; !own && f != nil && f.codec == t.Meta.Codec {
		return f, nil
	}
	all, err := columnsOf[T]()
	if err != nil {
		return nil, err
	}
	f := &shape{codec: t.Meta.Codec, axes: axisColumns(t.Axes)}
	if f.cols, f.keys, err = t.Part.split(all); err != nil {
		return nil, err
	}
	for _, c := range f.cols {
		f.values = append(f.values, newBuffer(c, offsetOf(row, c.index)))
	}
	for _, c := range f.axes {
		f.values = append(f.values, newBuffer(c, 0))
	}
	if err := f.layOut(); err != nil {
		return nil, err
	}
	if !own {
		if s.shapes == nil {
			s.shapes = map[reflect.Type]*shape{}
		}
		s.shapes[row] = f
	}
	return f, nil
}

// layOut makes the schemas of the columns.
func (f *shape) layOut() error {
	all := f.all()
	root, props, err := fileSchema(all, f.codec)
	if err != nil {
		return err
	}
	f.schema, f.props, f.footer = schema.NewSchema(root), props, schemaOf(root)
	f.words, err = arrowSchema(all)
	return err
}

// all are the columns of the file.
func (f *shape) all() []column { return append(f.cols[:len(f.cols):len(f.cols)], f.axes...) }

// forget empties the columns of a file that was given up.
func (f *shape) forget() {
	for _, v := range f.values {
		v.forget()
	}
}
