package arrowfmt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"tarry/internal/flatbuf"
)

// Places in the tables of Arrow's File.fbs.
const (
	footerSchema, footerDictionaries, footerBatches = 1, 2, 3
	// a Block has its offset, the length of its description and, behind a gap, of its body
	blockSize, blockHead, blockBody = 24, 8, 16
)

// source is a file that can be read at any place.
type source interface {
	io.ReaderAt
	io.Seeker
}

// whole reads a file by the description at its end; false where it is a stream, or cannot be read at
// any place. The places of messages are there: some programs write no schema at the beginning.
func (t *table) whole(in io.Reader) (bool, error) {
	src, ok := in.(source)
	if !ok {
		return false, nil
	}
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return false, nil // a pipe
	}
	mark := make([]byte, len(Magic))
	if n, _ := src.ReadAt(mark, 0); string(mark[:n]) != Magic {
		_, err := src.Seek(0, io.SeekStart)
		return false, err
	}
	end := make([]byte, 4+len(Magic))
	if _, err := src.ReadAt(end, max(0, size-int64(len(end)))); err != nil || string(end[4:]) != Magic {
		return true, fmt.Errorf("the file does not end in %q: is it cut off?", Magic)
	}
	n := int64(binary.LittleEndian.Uint32(end))
	if n > maxHead || n > size-int64(len(end)) {
		return true, errDamaged
	}
	footer, err := take(io.NewSectionReader(src, size-int64(len(end))-n, n), n)
	if err != nil {
		return true, err
	}
	return true, t.blocks(src, size, footer)
}

// blocks reads the dictionaries and batches that the description of a file lists.
func (t *table) blocks(src io.ReaderAt, size int64, footer flatbuf.Buffer) error {
	root, ok := footer.Follow(0)
	schema, ok2 := footer.Child(root, footerSchema)
	if !ok || !ok2 {
		return errDamaged
	}
	if err := t.match(&message{Buffer: footer, header: schema}); err != nil {
		return err
	}
	for _, list := range []int{footerDictionaries, footerBatches} {
		first, n, ok := footer.List(root, list, blockSize)
		if !ok {
			return errDamaged
		}
		for i := range n {
			at, _ := footer.Number(first+i*blockSize, 8)
			head, _ := footer.Number(first+i*blockSize+blockHead, 4)
			body, _ := footer.Number(first+i*blockSize+blockBody, 8)
			if at < 0 || head < 8 || body < 0 || at > size || head > size-at || body > size-at-head {
				return errDamaged
			}
			if err := t.block(src, at, head, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// block reads one message.
func (t *table) block(src io.ReaderAt, at, head, body int64) error {
	words, err := take(io.NewSectionReader(src, at, head), head)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(words, []byte(Continues)) {
		words = words[4:]
	}
	var m message
	stated, err := m.describe(words[4:])
	if err != nil {
		return err
	}
	if stated > body {
		return errDamaged
	}
	if m.body, err = take(io.NewSectionReader(src, at+head, stated), stated); err != nil {
		return err
	}
	if m.kind == kindDictionary {
		return t.dictionary(&m)
	}
	return t.batch(&m)
}
