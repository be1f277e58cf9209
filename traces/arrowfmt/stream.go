package arrowfmt

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tarry/internal/flatbuf"
)

// The numbers below are places in the tables of Arrow's Message.fbs, and values of its enumerations.
const (
	messageVersion, messageKind, messageHeader, messageBody = 0, 1, 2, 3
	kindSchema, kindDictionary, kindBatch                   = 1, 2, 3

	dictionaryID, dictionaryData, dictionaryDelta = 0, 1, 2
)

// Magic begins every Arrow file, and Continues every message of a stream.
const (
	Magic     = "ARROW1"
	Continues = "\xff\xff\xff\xff"
)

// maxHead is the largest description of a message, maxBody the largest body, in bytes.
const (
	maxHead = 64 << 20
	maxBody = 8 << 30
)

var errDamaged = errors.New("a description that is none: the file is damaged")

// stream gives the messages of a file or stream.
type stream struct{ in *bufio.Reader }

// message is one message with its body.
type message struct {
	flatbuf.Buffer
	header  int
	kind    int64
	version int64
	body    []byte
}

// start passes over the mark of a file.
func (s *stream) start() error {
	head, _ := s.in.Peek(8)
	switch {
	case bytes.HasPrefix(head, []byte(Magic)):
		if _, err := s.in.Discard(8); err != nil {
			return fmt.Errorf("%d bytes are no Arrow file", len(head))
		}
	case bytes.HasPrefix(head, []byte("FEA1")):
		return errors.New("is Feather V1, expected Arrow IPC or Feather V2: write the table again with a newer " +
			"program, or as Parquet")
	case len(head) < 8:
		return fmt.Errorf("%d bytes are no Arrow file", len(head))
	case !bytes.HasPrefix(head, []byte(Continues)) && binary.LittleEndian.Uint32(head) > maxHead:
		return fmt.Errorf("begins with %q, expected an Arrow IPC file, which begins with %q, or stream", head[:4], Magic)
	}
	return nil
}

// next gives the next message; io.EOF behind the last one.
func (s *stream) next() (m message, err error) {
	size, err := s.size()
	if err != nil {
		return m, err
	}
	head, err := take(s.in, int64(size))
	if err != nil {
		return m, err
	}
	body, err := m.describe(head)
	if err != nil {
		return m, err
	}
	m.body, err = take(s.in, body)
	return m, err
}

// describe reads the description of a message, and how many bytes its body has.
func (m *message) describe(head []byte) (body int64, err error) {
	m.Buffer = head
	table, ok := m.Follow(0)
	if !ok {
		return 0, errDamaged
	}
	m.version = m.Scalar(table, messageVersion, 2, 0)
	m.kind = m.Scalar(table, messageKind, 1, 0)
	body = m.Scalar(table, messageBody, 8, 0)
	if m.header, ok = m.Child(table, messageHeader); !ok || body < 0 {
		return 0, errDamaged
	}
	if body > maxBody {
		return 0, fmt.Errorf("a record batch of %d bytes, expected at most %d: write smaller batches", body,
			int64(maxBody))
	}
	return body, nil
}

// size reads how long the next description is; io.EOF at the end.
func (s *stream) size() (int, error) {
	var word [4]byte
	if _, err := io.ReadFull(s.in, word[:]); err != nil {
		return 0, ended(err)
	}
	if string(word[:]) == Continues {
		if _, err := io.ReadFull(s.in, word[:]); err != nil {
			return 0, ended(err)
		}
	}
	n := binary.LittleEndian.Uint32(word[:])
	switch {
	case n == 0:
		return 0, io.EOF
	case n > maxHead:
		return 0, fmt.Errorf("a description of %d bytes, expected at most %d: the file is damaged", n, maxHead)
	}
	return int(n), nil
}

// ended is the end of a stream without a mark at the end.
func ended(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

var errCut = errors.New("the file ends inside a message: is it cut off?")

// take reads so many bytes; memory grows with what is there.
func take(in io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	got, err := io.CopyN(&b, in, n)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if got < n {
		return nil, errCut
	}
	return b.Bytes(), nil
}

// dictionary reads a message of a dictionary: the place of its values among the result.
func (m *message) dictionary() (id int64, delta bool, at int, ok bool) {
	at, ok = m.Child(m.header, dictionaryData)
	return m.Scalar(m.header, dictionaryID, 8, 0), m.Scalar(m.header, dictionaryDelta, 1, 0) == 1, at, ok
}
