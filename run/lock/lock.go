// Package lock keeps a process out of what another one writes now.
//
// The locks are advisory (flock): the kernel frees one when the process ends, however it ends, so
// that kill -9 leaves none behind. Where the file system has no such locks (NFS that is mounted
// without them) no process is kept out, and on NFS that keeps them on each machine for itself no
// process on another machine.
package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Name is the file of a folder that processes lock to show each other that they run.
const Name = "lock"

// ErrHeld states that another process holds a lock.
var ErrHeld = errors.New("locked by another process")

// tries is how often a lock that was taken away at the same moment is taken anew.
const tries = 100

// Folder locks a folder, which it makes if need be, for one process alone until release is called
// or the process ends. Who holds it stands in the file meanwhile; release takes the file away. A
// held folder is an error that wraps ErrHeld and states by whom.
func Folder(dir string) (release func(), err error) { return hold(dir, Name, tryFile) }

// Await is Folder for another name of the file, what is locked so is not the folder but one sort of
// work in it, and waits until it is free.
func Await(dir, name string) (release func(), err error) { return hold(dir, name, awaitFile) }

// Held reports whether another process holds the lock of a folder, alone or with others. A folder
// without the file is free.
func Held(dir string) bool {
	path := filepath.Join(dir, Name)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(tryFile(f), ErrHeld)
}

func tryFile(f *os.File) error { return File(f, false) }

// hold locks the file of that name by take.
func hold(dir, name string, take func(*os.File) error) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	for try := 1; ; try++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be written to: %w", dir, err)
		}
		if err := take(f); err != nil {
			if errors.Is(err, ErrHeld) {
				text := make([]byte, 300)
				n, _ := f.ReadAt(text, 0) // at worst it is not known who
				err = fmt.Errorf("%s is %w%s; wait until it ends, or give another folder", dir, ErrHeld,
					holder(string(text[:n])))
			}
			f.Close()
			return nil, err
		}
		if try < tries && !named(f, path) { // the process that held it took the file away before we had it
			f.Close()
			continue
		}
		sign(f)
		return func() {
			os.Remove(path) // before others can have it: they look whether the name is still theirs
			f.Close()
		}, nil
	}
}

// named reports whether a path still leads to an open file.
func named(f *os.File, path string) bool {
	a, err1 := f.Stat()
	b, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// sign writes who holds the lock, for errors of others alone: it is no fault when it cannot be
// written.
func sign(f *os.File) {
	host, _ := os.Hostname()
	if f.Truncate(0) == nil {
		f.WriteAt(fmt.Appendf(nil, "%d %s\n", os.Getpid(), host), 0)
	}
}

// holder reports in words what sign wrote; "" if it is anything else.
func holder(text string) string {
	pid, host, ok := strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	only := func(s, letters string) bool { return s != "" && strings.Trim(s, letters) == "" }
	// Not ToLower: letters beyond ASCII, such as the Kelvin sign, become ASCII by it.
	const digits, letters = "0123456789", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if !ok || len(pid) > 20 || !only(pid, digits) {
		return ""
	}
	if !only(host, digits+letters+".-_") {
		return fmt.Sprintf(" (pid %s)", pid)
	}
	return fmt.Sprintf(" (pid %s on %s)", pid, host)
}
