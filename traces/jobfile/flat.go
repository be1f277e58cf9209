package jobfile

import (
	"bytes"
	"encoding/binary"
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
func durationsOf(data []byte) (map[string]timeUnit, bool) {
	data = bytes.TrimPrefix(data, []byte{0xff, 0xff, 0xff, 0xff})
	if len(data) < 8 {
		return nil, false
	}
	f := flat(data[4:])
	message, ok := f.follow(0)
	if kind := f.scalar(message, messageKind, 1, 0); !ok || kind != kindSchema {
		return nil, false
	}
	schema, ok := f.child(message, messageHeader)
	if !ok {
		return nil, false
	}
	list, ok := f.child(schema, schemaFields)
	if !ok {
		return nil, true // no columns
	}
	n, ok := f.number(list, 4)
	if !ok || n < 0 || n > int64(len(f))/4 {
		return nil, false
	}
	units := map[string]timeUnit{}
	for i := range int(n) {
		field, ok := f.follow(list + 4 + 4*i)
		if !ok {
			return nil, false
		}
		if f.scalar(field, fieldKind, 1, 0) != kindDuration {
			continue
		}
		name, ok1 := f.text(field, fieldName)
		typ, ok2 := f.child(field, fieldType)
		unit := f.scalar(typ, durationUnit, 2, 1)
		if !ok1 || !ok2 || unit < 0 || unit > 3 {
			return nil, false
		}
		units[name] = [...]timeUnit{second, millisecond, microsecond, nanosecond}[unit]
	}
	return units, true
}

// flat is a FlatBuffer; its methods give false, or what is the default, where it is damaged.
type flat []byte

// number reads a little-endian number of 1, 2 or 4 bytes.
func (f flat) number(at, size int) (int64, bool) {
	if at < 0 || at > len(f)-size {
		return 0, false
	}
	switch size {
	case 1:
		return int64(f[at]), true
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(f[at:]))), true
	}
	return int64(int32(binary.LittleEndian.Uint32(f[at:]))), true
}

// follow gives the place that the offset at a place points to.
func (f flat) follow(at int) (int, bool) {
	offset, ok := f.number(at, 4)
	to := at + int(offset)
	return to, ok && offset > 0 && to < len(f)
}

// slot gives the place of a table's field; false where the table does not have it.
func (f flat) slot(table, field int) (int, bool) {
	back, ok := f.number(table, 4)
	vtable := table - int(back)
	size, ok2 := f.number(vtable, 2)
	if !ok || !ok2 || 4+2*field+2 > int(size) {
		return 0, false
	}
	offset, ok := f.number(vtable+4+2*field, 2)
	return table + int(offset), ok && offset > 0
}

// scalar reads a number of a table.
func (f flat) scalar(table, field, size int, missing int64) int64 {
	at, ok := f.slot(table, field)
	if !ok {
		return missing
	}
	v, ok := f.number(at, size)
	if !ok {
		return -1
	}
	return v
}

// child gives the place of a table or list that is a field of a table.
func (f flat) child(table, field int) (int, bool) {
	at, ok := f.slot(table, field)
	if !ok {
		return 0, false
	}
	return f.follow(at)
}

// text reads a text of a table.
func (f flat) text(table, field int) (string, bool) {
	at, ok := f.child(table, field)
	n, ok2 := f.number(at, 4)
	if !ok || !ok2 || n < 0 || n > int64(len(f)-at-4) {
		return "", false
	}
	return string(f[at+4 : at+4+int(n)]), true
}
