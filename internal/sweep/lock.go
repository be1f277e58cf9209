package sweep

import (
	"errors"
	"os"
	"path/filepath"
)

// lockName is the file that processes lock to tell each other that they are there.
const lockName = "lock"

// errLocked: another process holds the lock.
var errLocked = errors.New("locked by another process")

// Lock keeps other processes out of the folder until release is called or the process ends, however it
// ends. Shared holders (the dir engine's) let each other in. Where the file system has no locks nobody
// is kept out.
func (f *Folder) Lock(shared bool) (release func(), err error) {
	file, err := os.OpenFile(filepath.Join(f.Dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, storage(err)
	}
	if err := lockFile(file, shared); err != nil {
		file.Close()
		if errors.Is(err, errLocked) {
			return nil, errors.New("another process runs this sweep now; wait for it, or run it with --engine dir from the start to share the work")
		}
		return nil, err
	}
	return func() { file.Close() }, nil
}
