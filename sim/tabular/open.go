// Package tabular reads the text files that traces come in: delimited rows and
// JSON lists, plain or compressed, one row at a time.
//
// A row is asked for its columns by name and type. What a row holds that cannot be
// right becomes a Fault that names the file, the line, the column, the value and
// what was expected; whether a fault ends the reading is the caller's business.
// Memory does not grow with the file: a line and a JSON element have a largest size.
package tabular

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Open opens a file for Decode. A folder is refused by name.
func Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is a folder, expected a file", path)
	}
	return f, nil
}

// Stream is plain UTF-8 text: what Decode found under compression and byte-order mark.
type Stream struct {
	*bufio.Reader
	close func()
}

// Close frees the decompressor. It does not close what Decode was given.
func (s *Stream) Close() {
	if s.close != nil {
		s.close()
	}
}

const bufferSize = 1 << 16

// foreign lists beginnings of files that are certainly not text.
var foreign = []struct{ magic, what string }{
	{"PAR1", "a Parquet file"},
	{"ARROW1", "an Arrow file"},
	{"FEA1", "a Feather file"},
	{"PK\x03\x04", "a zip archive"},
	{"BZh", "compressed by bzip2"},
	{"\xfd7zXZ", "compressed by xz"},
	{"\xff\xfe", "UTF-16 text"},
	{"\xfe\xff", "UTF-16 text"},
}

// Decode looks at the first bytes of r, undoes gzip or zstd and drops a UTF-8
// byte-order mark. The name is only for errors.
func Decode(name string, r io.Reader) (*Stream, error) {
	br := bufio.NewReaderSize(r, bufferSize)
	s := &Stream{Reader: br}
	head, _ := br.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Reader = bufio.NewReaderSize(z, bufferSize)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		// One decoder thread: a reader must not start goroutines behind its caller.
		z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Reader, s.close = bufio.NewReaderSize(z, bufferSize), z.Close
	}
	head, err := s.Peek(6)
	if err != nil && err != io.EOF {
		s.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			s.Close()
			return nil, fmt.Errorf("%s: is %s, expected UTF-8 text, plain or compressed by gzip or zstd", name, f.what)
		}
	}
	if tar, _ := s.Peek(262); len(tar) == 262 && string(tar[257:]) == "ustar" {
		s.Close()
		return nil, fmt.Errorf("%s: is a tar archive, expected one of the files inside it: extract them first", name)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		if _, err := s.Discard(3); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// First gives the first byte of the stream that is not white space, without
// taking it; 0 at the end of the file or after a long run of white space.
func (s *Stream) First() byte {
	for n := 64; n <= bufferSize; n *= 2 {
		head, err := s.Peek(n)
		if t := bytes.TrimLeft(head, " \t\r\n"); len(t) > 0 {
			return t[0]
		}
		if err != nil {
			break
		}
	}
	return 0
}
