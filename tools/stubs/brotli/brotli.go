// Package brotli stands in for github.com/andybalholm/brotli in tarry's program.
//
// Only Arrow's package parquet imports it, to read and to write pages. tarry reads such files of
// others and writes none. The whole package has the tables of a writer and serves HTTP, with TLS
// behind that, 1 MB of a stripped library. Here another package reads, and a writer refuses.
package brotli

import (
	"errors"
	"io"

	"github.com/dsnet/compress/brotli"
)

// DefaultCompression is the level that a writer has unless it is given another.
const DefaultCompression = 6

// NewReader gives what a compressed stream holds.
func NewReader(r io.Reader) io.Reader {
	out, err := brotli.NewReader(r, nil)
	if err != nil { // of a configuration, which is not given
		return failing{err}
	}
	return out
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Writer refuses to write.
type Writer struct{}

// NewWriter gives a Writer.
func NewWriter(io.Writer) *Writer { return &Writer{} }

// NewWriterLevel is NewWriter.
func NewWriterLevel(io.Writer, int) *Writer { return &Writer{} }

// Write refuses.
func (*Writer) Write([]byte) (int, error) {
	return 0, errors.New("brotli is read and not written (tools/stubs/brotli)")
}

// Close does nothing.
func (*Writer) Close() error { return nil }
