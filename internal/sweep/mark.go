package sweep

import "os"

// Mark replaces the STATUS of a cell that cannot do so itself: an engine saw its process end, or
// saw that it never began.
func (f *Folder) Mark(index int, s Status) error {
	dir := f.CellDir(index)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return writeStatus(dir, s)
}
