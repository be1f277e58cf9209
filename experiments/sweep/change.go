package sweep

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tarry/run/lock"
)

// Retry lets cells start again: it takes their STATUS away. What is complete of them is kept and
// not run again. A cell that another process on this machine runs now is an error; the others are
// done all the same.
func (f *Folder) Retry(indices []int) error {
	if len(indices) == 0 {
		return nil
	}
	if err := ungather(f.Dir); err != nil {
		return storage(err)
	}
	var errs []error
	for _, i := range indices {
		errs = append(errs, f.quietly(i, func(dir string) error {
			return ignoreMissing(os.Remove(filepath.Join(dir, statusName)))
		}))
	}
	return errors.Join(errs...)
}

// Cancel marks cells that are not over, so that no engine starts them. Cells that another process
// on this machine runs now end by themselves: running lists them.
func (f *Folder) Cancel() (cancelled int, running []int, err error) {
	var errs []error
	for i, s := range f.Statuses() {
		if s.Over(f.Spec.Budget.Retries) {
			continue
		}
		c, err := f.Cell(i)
		if err != nil {
			return cancelled, running, err
		}
		ended := false
		err = f.quietly(i, func(dir string) error {
			if s = f.Status(i); s.Over(f.Spec.Budget.Retries) {
				ended = true // since all were read
				return nil
			}
			s.State, s.ConfigSHA256 = Cancelled, c.ConfigSHA256
			return writeStatus(dir, s)
		})
		switch {
		case errors.Is(err, lock.ErrHeld):
			running = append(running, i)
		case err != nil && errors.Is(storage(err), ErrStorage): // so it is for all others
			return cancelled, running, errors.Join(append(errs, storage(err))...)
		case err != nil:
			errs = append(errs, err)
		case !ended:
			cancelled++
		}
	}
	return cancelled, running, errors.Join(errs...)
}

// quietly changes a cell while no process on this machine runs it.
func (f *Folder) quietly(index int, change func(dir string) error) error {
	dir := f.CellDir(index)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, logName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := lock.File(log, false); err != nil {
		return fmt.Errorf("cell %s: %w", f.ids[index], err)
	}
	return change(dir)
}

// Crashed notes that the process that ran a cell ended without a word: the cell failed, and may be
// retried. A STATUS that states something else stays.
func (f *Folder) Crashed(index int, why string) error {
	s := f.Status(index)
	if s.State != Running {
		return nil
	}
	s.State, s.Exit, s.Error, s.Failures = Failed, exitFailed, why, s.Failures+1
	return f.quietly(index, func(dir string) error { return writeStatus(dir, s) })
}
