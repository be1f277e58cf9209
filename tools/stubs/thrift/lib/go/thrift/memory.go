package thrift

import (
	"bytes"
	"context"
	"io"
)

// TTransport is where bytes come from, or go to.
type TTransport interface {
	io.Reader
	io.ByteReader
	io.Writer
}

// TMemoryBuffer is a transport in memory.
type TMemoryBuffer struct{ *bytes.Buffer }

// NewTMemoryBufferLen gives an empty buffer with room for size bytes.
func NewTMemoryBufferLen(size int) *TMemoryBuffer {
	return &TMemoryBuffer{bytes.NewBuffer(make([]byte, 0, size))}
}

// RemainingBytes is how many bytes were not read.
func (b *TMemoryBuffer) RemainingBytes() uint64 { return uint64(b.Len()) }

// StreamTransport is a transport over a reader or a writer. It reads byte by byte: nothing behind a
// structure is taken.
type StreamTransport struct {
	io.Reader
	io.Writer
}

// NewStreamTransportR reads from r.
func NewStreamTransportR(r io.Reader) *StreamTransport { return &StreamTransport{Reader: r} }

// NewStreamTransportW writes to w.
func NewStreamTransportW(w io.Writer) *StreamTransport { return &StreamTransport{Writer: w} }

// ReadByte reads a byte.
func (s *StreamTransport) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(s.Reader, b[:])
	return b[0], err
}

// TConfiguration has no settings here: a text or a list has at most 100 MB, as by default.
type TConfiguration struct{}

// TCompactProtocolFactory makes protocols.
type TCompactProtocolFactory struct{}

// NewTCompactProtocolFactoryConf gives a factory.
func NewTCompactProtocolFactoryConf(*TConfiguration) *TCompactProtocolFactory {
	return &TCompactProtocolFactory{}
}

// GetProtocol gives a protocol over a transport.
func (*TCompactProtocolFactory) GetProtocol(t TTransport) TProtocol { return &compact{trans: t} }

// TProtocol is the compact protocol.
type TProtocol = *compact

// compact writes to its transport, or reads from it.
type compact struct {
	trans TTransport
	// last has the number of the last field of each structure that is open, the innermost at the
	// end.
	last []int16
	// held is whether the next truth value belongs to the header of a field: id is the number of the
	// field that waits for it in writing, value is what a header held in reading.
	held    bool
	id      int16
	value   bool
	scratch [16]byte
}

// TSerializer writes structures to memory.
type TSerializer struct {
	Transport *TMemoryBuffer
	Protocol  TProtocol
}

// Write gives the bytes of a structure, in memory of their own.
func (s *TSerializer) Write(ctx context.Context, msg TStruct) ([]byte, error) {
	s.Transport.Reset()
	if err := msg.Write(ctx, s.Protocol); err != nil {
		return nil, err
	}
	return bytes.Clone(s.Transport.Bytes()), nil
}

// WriteString is Write as a text.
func (s *TSerializer) WriteString(ctx context.Context, msg TStruct) (string, error) {
	b, err := s.Write(ctx, msg)
	return string(b), err
}
