package sweep

import (
	"errors"
	"os"
	"path/filepath"

	"tarry/output/results"
	"tarry/run/lock"
)

// Lock keeps other processes out of the folder until release is called or the process ends, however
// it ends. Shared holders (the dir engine's) let each other in. Where the file system has no locks
// no process is kept out.
func (f *Folder) Lock(shared bool) (release func(), err error) {
	file, err := os.OpenFile(filepath.Join(f.Dir, lock.Name), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, storage(err)
	}
	if err := lock.File(file, shared); err != nil {
		file.Close()
		if errors.Is(err, lock.ErrHeld) {
			return nil, errors.New("another process runs this sweep now; wait for it, or run it with --engine dir " +
				"from the start to share the work")
		}
		return nil, err
	}
	if !shared { // no process writes these now: a killed process left them
		for _, name := range [...]string{sweepName, cellsName} {
			if _, err := results.RemoveTempOf(filepath.Join(f.Dir, name)); err != nil {
				file.Close()
				return nil, storage(err)
			}
		}
	}
	return func() { file.Close() }, nil
}

// Tidy removes what killed processes left in a folder all of whose cells are over, and makes the rest
// durable. Where another
// process runs or gathers the sweep it does nothing: that one's files are not finished.
func (f *Folder) Tidy() error {
	release, err := f.Lock(false)
	if err != nil {
		return nil
	}
	defer release()
	done, err := f.gatherAlone()
	if err != nil {
		return storage(err)
	}
	defer done()
	_, err = results.RemoveTemp(f.Dir)
	return errors.Join(storage(err), f.settle())
}
