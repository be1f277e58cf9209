package tabular

import (
	"fmt"
	"io"
	"os"
)

// MaxTable is the most bytes of a table that is kept in memory whole, decompressed: speeds, costs,
// quotas, profiles. Lists of jobs are read row by row, and have other bounds.
const MaxTable = 64 << 20

// OpenTable opens a table that its reader keeps in memory. A file that is larger than MaxTable is
// an error before it is read, a stream that turns out to be while it is.
func OpenTable(path string) (io.ReadCloser, error) {
	f, err := openTable(path)
	if err != nil {
		return nil, err
	}
	return &table{f, path, MaxTable}, nil
}

func openTable(path string) (*os.File, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.Size() > MaxTable {
		f.Close()
		return nil, tooLong(path, fmt.Sprintf("%d", info.Size()))
	}
	return f, nil
}

func tooLong(path, bytes string) error {
	return fmt.Errorf("%s: has %s bytes, a table that is kept in memory at most %d", path, bytes, MaxTable)
}

// table is a file of which so many bytes may still be read.
type table struct {
	in   *os.File // not embedded: its WriteTo would pass the bound by
	path string
	left int64
}

// Close closes the file.
func (t *table) Close() error { return t.in.Close() }

// Read reads on, and refuses to where the table is too long.
func (t *table) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if t.left -= int64(n); t.left < 0 {
		return 0, tooLong(t.path, fmt.Sprintf("more than %d", MaxTable))
	}
	return n, err
}
