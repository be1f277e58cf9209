package thrift

import (
	"context"
	"errors"
	"fmt"
)

// deepest is how many structures, lists and maps may be in each other in a value that is skipped.
const deepest = 64

// Skip reads a value that the reader has no name for.
func (p *compact) Skip(ctx context.Context, t TType) error { return p.skip(ctx, t, deepest) }

func (p *compact) skip(ctx context.Context, t TType, depth int) (err error) {
	if depth == 0 {
		return errors.New("a value that is skipped is too deep")
	}
	switch t {
	case BOOL:
		_, err = p.ReadBool(ctx)
	case BYTE:
		_, err = p.ReadByte(ctx)
	case I16, I32, I64:
		_, err = p.whole()
	case DOUBLE:
		_, err = p.ReadDouble(ctx)
	case STRING:
		_, err = p.ReadBinary(ctx)
	case STRUCT:
		err = p.skipStruct(ctx, depth-1)
	case LIST, SET:
		err = p.skipList(ctx, depth-1)
	case MAP:
		err = p.skipMap(ctx, depth-1)
	default:
		err = fmt.Errorf("a value of type %d cannot be skipped", t)
	}
	return err
}

func (p *compact) skipStruct(ctx context.Context, depth int) error {
	p.last = append(p.last, 0)
	for {
		_, t, _, err := p.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if t == STOP {
			return p.pop()
		}
		if err := p.skip(ctx, t, depth); err != nil {
			return err
		}
	}
}

func (p *compact) skipList(ctx context.Context, depth int) error {
	t, size, err := p.ReadListBegin(ctx)
	for i := 0; i < size && err == nil; i++ {
		err = p.skip(ctx, t, depth)
	}
	return err
}

// skipMap skips a map: its size and, unless that is 0, the types of keys and values before them.
func (p *compact) skipMap(ctx context.Context, depth int) error {
	size, err := p.size()
	if err != nil || size == 0 {
		return err
	}
	b, err := p.trans.ReadByte()
	if err != nil {
		return err
	}
	key, err := typeOf(b >> 4)
	if err != nil {
		return err
	}
	value, err := typeOf(b & 15)
	for i := 0; i < 2*size && err == nil; i++ {
		t := key
		if i%2 == 1 {
			t = value
		}
		err = p.skip(ctx, t, depth)
	}
	return err
}
