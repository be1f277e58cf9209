package thrift

import (
	"context"
	"encoding/binary"
	"slices"
)

// long is how many elements a list has whose length does not fit in the header's first byte.
const long = 15

func (p *compact) put(b ...byte) error {
	_, err := p.trans.Write(append(p.scratch[:0], b...))
	return err
}

// number writes a whole number, 7 bits in a byte.
func (p *compact) number(v uint64) error {
	_, err := p.trans.Write(binary.AppendUvarint(p.scratch[:0], v))
	return err
}

// signed writes a whole number in zigzag form: its sign is the last bit.
func (p *compact) signed(v int64) error {
	_, err := p.trans.Write(binary.AppendVarint(p.scratch[:0], v))
	return err
}

// WriteStructBegin begins a structure.
func (p *compact) WriteStructBegin(context.Context, string) error {
	p.last = append(p.last, 0)
	return nil
}

// WriteStructEnd ends it.
func (p *compact) WriteStructEnd(context.Context) error { return p.pop() }

// WriteFieldBegin begins a field.
func (p *compact) WriteFieldBegin(_ context.Context, _ string, t TType, id int16) error {
	if t == BOOL {
		p.held, p.id = true, id
		return nil
	}
	return p.header(typeCode(t), id)
}

// typeCode is the number of a type in the compact protocol.
func typeCode(t TType) byte {
	all := types()
	return byte(slices.Index(all[:], t))
}

// header writes the type of a field and its number: as a step from the last field's, where that
// is from 1 to 15.
func (p *compact) header(code byte, id int16) error {
	last := &p.last[len(p.last)-1]
	step := int(id) - int(*last)
	*last = id
	if step > 0 && step <= 15 {
		return p.put(byte(step)<<4 | code)
	}
	if err := p.put(code); err != nil {
		return err
	}
	return p.signed(int64(id))
}

// WriteFieldEnd ends a field.
func (p *compact) WriteFieldEnd(context.Context) error { return nil }

// WriteFieldStop states that a structure has no more fields.
func (p *compact) WriteFieldStop(context.Context) error { return p.put(STOP) }

// WriteListBegin begins a list.
func (p *compact) WriteListBegin(_ context.Context, t TType, size int) error {
	if size < long {
		return p.put(byte(size)<<4 | typeCode(t))
	}
	if err := p.put(long<<4 | typeCode(t)); err != nil {
		return err
	}
	return p.number(uint64(size))
}

// WriteListEnd ends it.
func (p *compact) WriteListEnd(context.Context) error { return nil }

// WriteBool writes a truth value.
func (p *compact) WriteBool(_ context.Context, v bool) error {
	code := byte(compactFalse)
	if v {
		code = typeCode(BOOL)
	}
	if p.held {
		p.held = false
		return p.header(code, p.id)
	}
	return p.put(code)
}

// WriteByte writes 8 bits.
func (p *compact) WriteByte(_ context.Context, v int8) error { return p.put(byte(v)) }

// WriteI16 writes a whole number.
func (p *compact) WriteI16(_ context.Context, v int16) error { return p.signed(int64(v)) }

// WriteI32 writes a whole number.
func (p *compact) WriteI32(_ context.Context, v int32) error { return p.signed(int64(v)) }

// WriteI64 writes a whole number.
func (p *compact) WriteI64(_ context.Context, v int64) error { return p.signed(v) }

// WriteString writes a text behind its length.
func (p *compact) WriteString(ctx context.Context, v string) error {
	return p.WriteBinary(ctx, []byte(v))
}

// WriteBinary writes bytes behind their number.
func (p *compact) WriteBinary(_ context.Context, v []byte) error {
	if err := p.number(uint64(len(v))); err != nil || len(v) == 0 {
		return err
	}
	_, err := p.trans.Write(v)
	return err
}
