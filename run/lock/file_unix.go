//go:build unix && !solaris && !aix

package lock

import (
	"errors"
	"os"
	"syscall"
)

// File locks an open file until it is closed; shared holders let each other in. ErrHeld states that
// another holder has it. A file system without locks is no error.
func File(f *os.File, shared bool) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	return lockFile(f, how|syscall.LOCK_NB)
}

// awaitFile locks an open file as soon as it is free.
func awaitFile(f *os.File) error { return lockFile(f, syscall.LOCK_EX) }

func lockFile(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how)
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), how)
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrHeld
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENOSYS):
		return nil
	}
	return err
}
