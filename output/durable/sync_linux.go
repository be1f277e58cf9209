package durable

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncsFileSystems states whether syncFileSystem works here.
const syncsFileSystems = true

// syncFileSystem makes all that was written to the file system of dir durable.
func syncFileSystem(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = unix.Syncfs(int(d.Fd()))
	for errors.Is(err, unix.EINTR) {
		err = unix.Syncfs(int(d.Fd()))
	}
	return errors.Join(wrap(dir, err), d.Close())
}
