//go:build unix

package engine

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile holds a file for this process until unlock is called or the process ends. Where the file
// system has no locks, nobody is kept out.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, fmt.Errorf("%s is held", path)
	}
	return func() { f.Close() }, nil
}
