package rundir

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// special are files whose opening may wait for another process, or whose reading may never end.
const special = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice | fs.ModeCharDevice | fs.ModeIrregular

// Open opens a file of a folder of results for reading. A named pipe, a device or a socket is an
// error, not a wait.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&special != 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf(
			"it is of the type %v, expected a regular file", info.Mode().Type())}
	}
	return os.Open(path) // its error, if there is one
}

// ReadFile reads a file that Open opens.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
