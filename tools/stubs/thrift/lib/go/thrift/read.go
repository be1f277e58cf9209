package thrift

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// most is how many bytes or elements a text or a list may have.
const most = 100 << 20

func (p *compact) pop() error {
	if len(p.last) == 0 {
		return errors.New("a structure ends that did not begin")
	}
	p.last = p.last[:len(p.last)-1]
	return nil
}

// natural reads a whole number, 7 bits in a byte.
func (p *compact) natural() (uint64, error) { return binary.ReadUvarint(p.trans) }

// whole reads a whole number in zigzag form; bits that it has too many are dropped by the caller.
func (p *compact) whole() (int64, error) { return binary.ReadVarint(p.trans) }

// size reads a number of bytes or elements.
func (p *compact) size() (int, error) {
	v, err := p.natural()
	if err != nil {
		return 0, err
	}
	if v > most {
		return 0, fmt.Errorf("a text or list of %d, expected at most %d", v, most)
	}
	return int(v), nil
}

// ReadStructBegin begins a structure.
func (p *compact) ReadStructBegin(context.Context) (string, error) {
	p.last = append(p.last, 0)
	return "", nil
}

// ReadStructEnd ends it.
func (p *compact) ReadStructEnd(context.Context) error { return p.pop() }

// ReadFieldBegin reads the type and the number of a field; STOP = there are no more.
func (p *compact) ReadFieldBegin(context.Context) (_ string, t TType, id int16, err error) {
	b, err := p.trans.ReadByte()
	code := b & 15
	if err != nil || code == STOP {
		return "", STOP, 0, err
	}
	if len(p.last) == 0 {
		return "", STOP, 0, errors.New("a field outside a structure")
	}
	last := &p.last[len(p.last)-1]
	id = *last + int16(b>>4)
	if b>>4 == 0 {
		v, err := p.whole()
		if err != nil {
			return "", STOP, 0, err
		}
		id = int16(v)
	}
	if t, err = typeOf(code); err != nil {
		return "", STOP, id, err
	}
	if t == BOOL {
		p.held, p.value = true, code != compactFalse
	}
	*last = id
	return "", t, id, nil
}

// typeOf is the type of a number in the compact protocol.
func typeOf(code byte) (TType, error) {
	all := types()
	if int(code) >= len(all) {
		return STOP, fmt.Errorf("a field or element of type %d, expected 1 to %d", code, len(all)-1)
	}
	return all[code], nil
}

// ReadFieldEnd ends a field.
func (p *compact) ReadFieldEnd(context.Context) error { return nil }

// ReadListBegin reads the type and the number of a list's elements.
func (p *compact) ReadListBegin(context.Context) (TType, int, error) {
	b, err := p.trans.ReadByte()
	if err != nil {
		return STOP, 0, err
	}
	size := int(b >> 4)
	if size == long {
		if size, err = p.size(); err != nil {
			return STOP, 0, err
		}
	}
	t, err := typeOf(b & 15)
	return t, size, err
}

// ReadListEnd ends it.
func (p *compact) ReadListEnd(context.Context) error { return nil }

// ReadBool reads a truth value, or gives what the field's header held.
func (p *compact) ReadBool(context.Context) (bool, error) {
	if p.held {
		p.held = false
		return p.value, nil
	}
	b, err := p.trans.ReadByte()
	return b == typeCode(BOOL), err
}

// ReadByte reads 8 bits.
func (p *compact) ReadByte(context.Context) (int8, error) {
	b, err := p.trans.ReadByte()
	return int8(b), err
}

// ReadI16 reads a whole number.
func (p *compact) ReadI16(context.Context) (int16, error) {
	v, err := p.whole()
	return int16(v), err
}

// ReadI32 reads a whole number.
func (p *compact) ReadI32(context.Context) (int32, error) {
	v, err := p.whole()
	return int32(v), err
}

// ReadI64 reads a whole number.
func (p *compact) ReadI64(context.Context) (int64, error) { return p.whole() }

// ReadDouble reads 8 bytes, the lowest first.
func (p *compact) ReadDouble(context.Context) (float64, error) {
	_, err := io.ReadFull(p.trans, p.scratch[:8])
	return math.Float64frombits(binary.LittleEndian.Uint64(p.scratch[:])), err
}

// ReadString reads a text.
func (p *compact) ReadString(ctx context.Context) (string, error) {
	b, err := p.ReadBinary(ctx)
	return string(b), err
}

// ReadBinary reads bytes. A number of bytes that a damaged file states takes no memory before they
// are there.
func (p *compact) ReadBinary(context.Context) ([]byte, error) {
	n, err := p.size()
	if err != nil || n == 0 {
		return []byte{}, err
	}
	if n <= 4096 {
		b := make([]byte, n)
		_, err = io.ReadFull(p.trans, b)
		return b, err
	}
	var b bytes.Buffer
	if _, err = io.CopyN(&b, p.trans, int64(n)); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), err
}
