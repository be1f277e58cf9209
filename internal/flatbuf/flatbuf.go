// Package flatbuf reads FlatBuffers (https://flatbuffers.dev/internals), the form of Arrow's
// descriptions, where nothing is known of who wrote them: a damaged one gives false or what is the
// default, and takes no memory.
package flatbuf

import "encoding/binary"

// Buffer is a FlatBuffer.
type Buffer []byte

// Number reads a little-endian number of 1, 2, 4 or 8 bytes.
func (b Buffer) Number(at, size int) (int64, bool) {
	if at < 0 || at > len(b)-size {
		return 0, false
	}
	switch size {
	case 1:
		return int64(b[at]), true
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b[at:]))), true
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b[at:]))), true
	}
	return int64(binary.LittleEndian.Uint64(b[at:])), true
}

// Follow gives the place that the offset at a place points to.
func (b Buffer) Follow(at int) (int, bool) {
	offset, ok := b.Number(at, 4)
	to := at + int(offset)
	return to, ok && offset > 0 && to < len(b)
}

// slot gives the place of a table's field; false where the table does not have it.
func (b Buffer) slot(table, field int) (int, bool) {
	back, ok := b.Number(table, 4)
	vtable := table - int(back)
	size, ok2 := b.Number(vtable, 2)
	if !ok || !ok2 || 4+2*field+2 > int(size) {
		return 0, false
	}
	offset, ok := b.Number(vtable+4+2*field, 2)
	return table + int(offset), ok && offset > 0
}

// Scalar reads a number of a table; missing is the default of the field, -1 is given where the
// buffer is damaged.
func (b Buffer) Scalar(table, field, size int, missing int64) int64 {
	at, ok := b.slot(table, field)
	if !ok {
		return missing
	}
	v, ok := b.Number(at, size)
	if !ok {
		return -1
	}
	return v
}

// Child gives the place of a table or list that is a field of a table.
func (b Buffer) Child(table, field int) (int, bool) {
	at, ok := b.slot(table, field)
	if !ok {
		return 0, false
	}
	return b.Follow(at)
}

// List gives the place of the first entry of a list that is a field of a table, and how many entries
// of so many bytes it has; none where the table does not have the list.
func (b Buffer) List(table, field, size int) (first, n int, ok bool) {
	at, ok := b.Child(table, field)
	if !ok {
		_, there := b.slot(table, field)
		return 0, 0, !there
	}
	count, ok := b.Number(at, 4)
	if !ok || count < 0 || count > int64(len(b)-at-4)/int64(size) {
		return 0, 0, false
	}
	return at + 4, int(count), true
}

// Text reads a text of a table.
func (b Buffer) Text(table, field int) (string, bool) {
	at, ok := b.Child(table, field)
	n, ok2 := b.Number(at, 4)
	if !ok || !ok2 || n < 0 || n > int64(len(b)-at-4) {
		return "", false
	}
	return string(b[at+4 : at+4+int(n)]), true
}
