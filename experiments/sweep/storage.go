package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// isStorage reports whether an error is the disk's and not the cell's: it is full, read-only or
// broken.
func isStorage(err error) bool {
	for _, e := range [...]error{syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, syscall.EFBIG, syscall.EIO,
		syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, e) {
			var path *fs.PathError
			var link *os.LinkError
			return errors.As(err, &path) || errors.As(err, &link)
		}
	}
	return false
}

// denied reports whether an error states that a file below dir may not be written.
func denied(err error, dir string) bool {
	var path *fs.PathError
	if !errors.Is(err, fs.ErrPermission) || !errors.As(err, &path) {
		return false
	}
	rel, out := filepath.Rel(dir, path.Path)
	return out == nil && filepath.IsLocal(rel)
}

// storage marks an error of the disk.
func storage(err error) error {
	if err == nil || errors.Is(err, ErrStorage) || !isStorage(err) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrStorage, err)
}

// writeQuick writes a small file whole or not at all, but does not wait for the disk: after a power
// cut it may be missing or empty.
func writeQuick(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp-"+strconv.Itoa(os.Getpid()))
	if err := os.WriteFile(temp, data, 0o666); err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(temp)))
	}
	return os.Rename(temp, path)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
