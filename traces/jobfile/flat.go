package jobfile

import (
	"bytes"

	"tarry/internal/flatbuf"
	"tarry/traces/columns"
)

// Arrow's own reader of schemas takes as much memory as damaged ones declare, and reads only the
// types of its time. What is needed of a schema is little: the names and units of its durations.
// The numbers below are places in the FlatBuffers of Arrow's Message.fbs and Schema.fbs.
const (
	messageKind, messageHeader      = 1, 2
	schemaFields                    = 1
	fieldName, fieldKind, fieldType = 0, 2, 3
	durationUnit                    = 0
	kindSchema                      = 1
	kindDuration                    = 18
)

// durationsOf gives the units of the durations in a stream of Arrow's that begins with a schema.
func durationsOf(data []byte) (map[string]columns.Unit, bool) {
	data = bytes.TrimPrefix(data, []byte{0xff, 0xff, 0xff, 0xff})
	if len(data) < 8 {
		return nil, false
	}
	f := flatbuf.Buffer(data[4:])
	message, ok := f.Follow(0)
	if kind := f.Scalar(message, messageKind, 1, 0); !ok || kind != kindSchema {
		return nil, false
	}
	schema, ok := f.Child(message, messageHeader)
	if !ok {
		return nil, false
	}
	list, ok := f.Child(schema, schemaFields)
	if !ok {
		return nil, true // no columns
	}
	n, ok := f.Number(list, 4)
	if !ok || n < 0 || n > int64(len(f))/4 {
		return nil, false
	}
	units := map[string]columns.Unit{}
	for i := range int(n) {
		field, ok := f.Follow(list + 4 + 4*i)
		if !ok {
			return nil, false
		}
		if f.Scalar(field, fieldKind, 1, 0) != kindDuration {
			continue
		}
		name, ok1 := f.Text(field, fieldName)
		typ, ok2 := f.Child(field, fieldType)
		unit := f.Scalar(typ, durationUnit, 2, 1)
		if !ok1 || !ok2 || unit < 0 || unit > 3 {
			return nil, false
		}
		units[name] = [...]columns.Unit{columns.Second, columns.Millisecond, columns.Microsecond, columns.Nanosecond}[unit]
	}
	return units, true
}
