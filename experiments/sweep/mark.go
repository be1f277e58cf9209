package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Mark replaces the STATUS of a cell that cannot do so itself: an engine saw its process end, or
// saw that it never began. The error goes to the end of the cell's log, too.
func (f *Folder) Mark(index int, s Status) error {
	dir := f.CellDir(index)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if s.Error != "" {
		log, err := os.OpenFile(filepath.Join(dir, logName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(log, "%s: %s\n", s.State, s.Error)
		if err := errors.Join(err, log.Close()); err != nil {
			return err
		}
	}
	return writeStatus(dir, s)
}
