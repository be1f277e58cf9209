//go:build !js

package results

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// column is one field of a row struct.
type column struct {
	name  string
	kind  reflect.Kind
	index []int // path of the field in the struct
	delta bool
	// later states that files of earlier versions lack the column, signed that a uint64 is written
	// as a signed integer.
	later, signed bool
	// unit, doc and none are the data dictionary: the unit, the meaning, and what a missing value
	// stands for.
	unit, doc, none string
}

// columnsOf lists the columns of T in the order of their declaration. It fails
// when the struct's tags are wrong.
func columnsOf[T Row]() ([]column, error) {
	var zero T
	t := reflect.TypeOf(zero)
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("results: row type %v is not a struct", t)
	}
	cols, errs := appendColumns(nil, t, nil)
	seen := map[string]bool{}
	for _, c := range cols {
		if seen[c.name] {
			errs = append(errs, fmt.Errorf("results: %v declares column %q twice", t, c.name))
		}
		seen[c.name] = true
	}
	return cols, errors.Join(errs...)
}

func appendColumns(cols []column, t reflect.Type, at []int) (_ []column, errs []error) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), at...), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			var more []error
			cols, more = appendColumns(cols, f.Type, index)
			errs = append(errs, more...)
			continue
		}
		options := strings.Split(f.Tag.Get("col"), ",")
		c := column{name: options[0], kind: f.Type.Kind(), index: index, unit: f.Tag.Get("unit"),
			doc: f.Tag.Get("doc"), none: f.Tag.Get("none")}
		if err := c.check(f, options[1:]); err != nil {
			errs = append(errs, fmt.Errorf("results: field %v.%s: %w", t, f.Name, err))
			continue
		}
		cols = append(cols, c)
	}
	return cols, errs
}

// check takes the options and reports a field that cannot be a column.
func (c *column) check(f reflect.StructField, options []string) error {
	for _, o := range options {
		switch o {
		case "delta":
			c.delta = true
		case "later":
			c.later = true
		case "signed":
			c.signed = true
		default:
			return fmt.Errorf("unknown tag option %q, want delta, later or signed", o)
		}
	}
	integer := c.kind == reflect.Int64 || c.kind == reflect.Int32 || c.kind == reflect.Uint64
	switch {
	case c.name == "":
		return errors.New(`no tag col:"name"`)
	case strings.HasPrefix(c.name, axisPrefix):
		return fmt.Errorf("column %q: names that begin with %s are for axes", c.name, axisPrefix)
	case !f.IsExported():
		return errors.New("not exported")
	case c.kind != reflect.Float64 && c.kind != reflect.String && !integer:
		return fmt.Errorf("type %v, want float64, int64, int32, uint64 or string", f.Type)
	case c.delta && !integer:
		return fmt.Errorf("delta encoding of %v, want an integer", f.Type)
	case c.signed && c.kind != reflect.Uint64:
		return fmt.Errorf("signed form of %v, want uint64", f.Type)
	case c.later && c.kind == reflect.Uint64 && !c.signed:
		return errors.New("later column of uint64, which has no missing value, want signed")
	}
	return nil
}

// clearTo sets a field to the column's missing value: NaN, an empty text, -1.
func (c *column) clearTo(field reflect.Value) {
	switch c.kind {
	case reflect.Float64:
		field.SetFloat(math.NaN())
	case reflect.String:
		field.SetString("")
	case reflect.Uint64:
		field.SetUint(NoSeed)
	default:
		field.SetInt(-1)
	}
}

// node gives the column's place in a Parquet schema.
func (c column) node() (schema.Node, error) {
	req := parquet.Repetitions.Required
	switch c.kind {
	case reflect.Float64:
		return schema.NewFloat64Node(c.name, req, -1), nil
	case reflect.Int64:
		return schema.NewPrimitiveNodeLogical(c.name, req, schema.NewIntLogicalType(64, true), parquet.Types.Int64, 0,
			-1)
	case reflect.Int32:
		return schema.NewPrimitiveNodeLogical(c.name, req, schema.NewIntLogicalType(32, true), parquet.Types.Int32, 0,
			-1)
	case reflect.Uint64:
		return schema.NewPrimitiveNodeLogical(c.name, req, schema.NewIntLogicalType(64, c.signed), parquet.Types.Int64,
			0, -1)
	}
	return schema.NewPrimitiveNodeLogical(c.name, req, schema.StringLogicalType{}, parquet.Types.ByteArray, 0, -1)
}

// accepts reports whether a column of a file has the type of c, in words when not.
func (c column) accepts(d *schema.Column) error {
	if d.MaxRepetitionLevel() > 0 || d.MaxDefinitionLevel() > 0 {
		return errors.New("is nullable or nested, want a required column as this program writes")
	}
	want, signed := parquet.Types.ByteArray, true
	switch c.kind {
	case reflect.Float64:
		want = parquet.Types.Double
	case reflect.Int64:
		want = parquet.Types.Int64
	case reflect.Uint64:
		want, signed = parquet.Types.Int64, false
	case reflect.Int32:
		want = parquet.Types.Int32
	}
	if got := d.PhysicalType(); got != want {
		return fmt.Errorf("has type %v, want %v", got, c.kind)
	}
	switch l := d.LogicalType().(type) {
	case schema.StringLogicalType, schema.NoLogicalType, schema.UnknownLogicalType, schema.JSONLogicalType,
		schema.EnumLogicalType:
		if !signed && !c.signed {
			return fmt.Errorf("is a signed integer, want %v", c.kind)
		}
	case *schema.IntLogicalType:
		if l.IsSigned() != signed && !c.signed { // earlier versions wrote seeds unsigned
			return fmt.Errorf("is %v, want %v", l, c.kind)
		}
	default:
		return fmt.Errorf("is %v, want %v", l, c.kind)
	}
	return nil
}
