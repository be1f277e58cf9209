package arrowfmt

import (
	"encoding/json"
	"errors"
	"fmt"

	"tarry/traces/columns"
)

// Places in the tables of Arrow's Schema.fbs.
const (
	schemaEndianness, schemaFields, schemaMetadata                        = 0, 1, 2
	fieldName, fieldKind, fieldType, fieldDictionary, fieldChildren       = 0, 2, 3, 4, 5
	encodingID, encodingIndex                                             = 0, 1
	metadataKey, metadataValue                                            = 0, 1
	intWidth, intSigned, floatPrecision, decimalScale, decimalWidth       = 0, 1, 0, 1, 2
	dateUnit, timeUnit, timeWidth, timestampUnit, durationUnit, unionMode = 0, 0, 1, 0, 0, 0
	binaryWidth                                                           = 0
)

// kind is a type of Arrow, by its number in Schema.fbs.
type kind int64

// The types.
const (
	kindNull kind = iota + 1
	kindInt
	kindFloat
	kindBinary
	kindUtf8
	kindBool
	kindDecimal
	kindDate
	kindTime
	kindTimestamp
	kindInterval
	kindList
	kindStruct
	kindUnion
	kindFixedBinary
	kindFixedList
	kindMap
	kindDuration
	kindLargeBinary
	kindLargeUtf8
	kindLargeList
	kindRunEnds
	kindBinaryView
	kindUtf8View
	kindListView
	kindLargeListView
)

// String names the type for errors.
func (k kind) String() string {
	names := map[kind]string{kindInterval: "intervals of months", kindList: "lists", kindStruct: "structs",
		kindUnion: "unions", kindFixedBinary: "raw bytes", kindFixedList: "lists", kindMap: "maps",
		kindLargeList: "lists", kindRunEnds: "run-end encoded values", kindListView: "list views",
		kindLargeListView: "list views"}
	if name, ok := names[k]; ok {
		return name
	}
	return fmt.Sprintf("values of Arrow's type %d", int64(k))
}

// field is a column, or a part of one.
type field struct {
	name string
	kind kind
	// width is the bytes of a value of fixed width, 0 for booleans; signed is of whole numbers.
	width  int
	signed bool
	unit   columns.Unit // of times
	scale  int          // digits behind the point of a decimal
	dense  bool         // a union with offsets

	dictionary *encoding
	children   []field
}

// encoding is the form of the places in a dictionary.
type encoding struct {
	id    int64
	index field
}

// schema is what a file states of its columns.
type schema struct {
	fields []field
	// index names the columns that pandas calls its index.
	index []string
}

// maxFields bounds the columns of a file with what is inside them, maxDepth how deep that is.
const (
	maxFields = 1 << 16
	maxDepth  = 64
)

// readSchema reads the columns.
func readSchema(m *message) (*schema, error) {
	if m.Scalar(m.header, schemaEndianness, 2, 0) != 0 {
		return nil, errors.New("holds numbers with the largest byte first, expected little-endian ones")
	}
	sc := &schema{}
	left := maxFields
	var err error
	if sc.fields, err = readFields(m, m.header, schemaFields, maxDepth, &left); err != nil {
		return nil, err
	}
	first, n, ok := m.List(m.header, schemaMetadata, 4)
	if !ok {
		return nil, errDamaged
	}
	for i := range n {
		at, ok := m.Follow(first + 4*i)
		if key, _ := m.Text(at, metadataKey); !ok || key != "pandas" {
			continue
		}
		words, _ := m.Text(at, metadataValue)
		var pandas struct {
			Index []any `json:"index_columns"`
		}
		if json.Unmarshal([]byte(words), &pandas) == nil { // an index by another name is else an unknown column
			for _, x := range pandas.Index {
				if name, ok := x.(string); ok {
					sc.index = append(sc.index, name)
				}
			}
		}
	}
	return sc, nil
}

// readFields reads the fields that a list in a table has.
func readFields(m *message, table, list, depth int, left *int) ([]field, error) {
	first, n, ok := m.List(table, list, 4)
	if *left -= n; !ok || depth == 0 || *left < 0 {
		return nil, errDamaged
	}
	out := make([]field, n)
	for i := range n {
		at, ok := m.Follow(first + 4*i)
		if !ok {
			return nil, errDamaged
		}
		f := &out[i]
		f.name, _ = m.Text(at, fieldName)
		f.kind = kind(m.Scalar(at, fieldKind, 1, 0))
		typ, _ := m.Child(at, fieldType)
		f.describe(m, typ)
		if f.width < 0 || f.width > 1<<20 {
			return nil, errDamaged
		}
		if enc, ok := m.Child(at, fieldDictionary); ok {
			f.dictionary = &encoding{id: m.Scalar(enc, encodingID, 8, 0), index: field{kind: kindInt, width: 4, signed: true}}
			if index, ok := m.Child(enc, encodingIndex); ok {
				f.dictionary.index.describe(m, index)
			}
		}
		var err error
		if f.children, err = readFields(m, at, fieldChildren, depth-1, left); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// describe reads what a type states beside its kind.
func (f *field) describe(m *message, typ int) {
	units := []columns.Unit{columns.Second, columns.Millisecond, columns.Microsecond, columns.Nanosecond}
	unit := func(place int, missing int64) columns.Unit {
		if u := m.Scalar(typ, place, 2, missing); u >= 0 && u < int64(len(units)) {
			return units[u]
		}
		return 0
	}
	bits := func(place int, missing int64) int { return int(m.Scalar(typ, place, 4, missing) / 8) }
	f.width = 8
	switch f.kind {
	case kindInt:
		f.width, f.signed = bits(intWidth, 0), m.Scalar(typ, intSigned, 1, 0) == 1
	case kindFloat:
		f.width = 2 << (m.Scalar(typ, floatPrecision, 2, 0) & 3)
	case kindDecimal:
		f.width, f.scale = bits(decimalWidth, 128), int(m.Scalar(typ, decimalScale, 4, 0))
	case kindDate:
		if f.unit = columns.Millisecond; m.Scalar(typ, dateUnit, 2, 1) == 0 {
			f.width, f.unit = 4, 0 // days
		}
	case kindTime:
		f.unit, f.width = unit(timeUnit, 1), bits(timeWidth, 32)
	case kindTimestamp:
		f.unit = unit(timestampUnit, 0)
	case kindDuration:
		f.unit = unit(durationUnit, 1)
	case kindFixedBinary:
		f.width = int(m.Scalar(typ, binaryWidth, 4, 0))
	case kindUnion:
		f.dense = m.Scalar(typ, unionMode, 2, 0) == 1
	}
}

// readable refuses a type of which no cell can be made, and widths that the type cannot have.
func (f *field) readable() error {
	const want = "expected numbers, texts, timestamps or durations: write it again as one of them, or as Parquet"
	ok := false
	switch f.kind {
	case kindNull, kindBool, kindBinary, kindUtf8, kindLargeBinary, kindLargeUtf8, kindBinaryView, kindUtf8View:
		ok = true
	case kindInt, kindTime:
		ok = f.width == 1 || f.width == 2 || f.width == 4 || f.width == 8
	case kindFloat:
		ok = f.width <= 8
	case kindDecimal:
		ok = f.width >= 4 && f.width <= 32 && f.scale >= 0 && f.scale <= 100
	case kindDate, kindTimestamp, kindDuration:
		ok = f.unit != 0 || f.kind == kindDate
	}
	if !ok {
		return fmt.Errorf("holds %v, %s", f.kind, want)
	}
	if d := f.dictionary; d != nil {
		if err := d.index.readable(); err != nil {
			return errDamaged
		}
	}
	return nil
}

// dictionaryOf gives the column that has a dictionary; -1 where none has it.
func (s *schema) dictionaryOf(id int64) int {
	for i := range s.fields {
		if d := s.fields[i].dictionary; d != nil && d.id == id {
			return i
		}
	}
	return -1
}
