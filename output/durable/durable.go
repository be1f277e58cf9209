// Package durable makes many files durable with one wait for the disk.
package durable

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// Unsynced are groups of files that have their names and are not durable yet: Sync makes all of them so
// with one wait for the disk, where each group would wait for itself. It is safe for many
// goroutines.
type Unsynced struct {
	mu   sync.Mutex
	last []string     // the last file of each group
	sync func() error // waits for the disk
}

// New is for files below dir, all on the file system of dir; nil where the system cannot
// make a file system durable as a whole.
func New(dir string) *Unsynced {
	if !syncsFileSystems {
		return nil
	}
	return &Unsynced{sync: func() error { return syncFileSystem(dir) }}
}

// Add takes a group of files that have their names, by the last of them, which states that the others
// are complete. What it names is durable after the next Sync.
func (u *Unsynced) Add(last string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last = append(u.last, last)
}

// Sync makes durable what was committed before the call; where nothing was since the last one it
// does nothing. When the disk fails, the last file of each group goes, which states that the others
// are complete.
func (u *Unsynced) Sync() error {
	if last := u.take(); len(last) > 0 {
		return u.durable(last)
	}
	return nil
}

// SyncAll is Sync for all files of the file system, and not only for what was added here.
func (u *Unsynced) SyncAll() error { return u.durable(u.take()) }

func (u *Unsynced) take() (last []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	last, u.last = u.last, nil
	return last
}

func (u *Unsynced) durable(last []string) error {
	err := u.sync()
	if err == nil {
		return nil
	}
	errs := []error{err}
	for _, path := range last {
		if bad := os.Remove(path); bad != nil && !errors.Is(bad, os.ErrNotExist) {
			errs = append(errs, bad)
		}
	}
	return errors.Join(errs...)
}

// wrap names the folder in an error of the system.
func wrap(dir string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: "sync", Path: filepath.Clean(dir), Err: err}
}
