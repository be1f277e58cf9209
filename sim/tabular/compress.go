package tabular

import (
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Compress wraps out by a file name's ending: ".gz" and ".zst" compress, "" does not.
// Close ends the compressed stream; it does not close out.
func Compress(out io.Writer, ending string) (io.WriteCloser, error) {
	switch ending {
	case "":
		return plain{out}, nil
	case ".gz":
		return gzip.NewWriter(out), nil
	case ".zst":
		return zstd.NewWriter(out, zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("unknown compression %q, expected .gz or .zst", ending)
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
