package results

import (
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// tempMark is in the name of every file that is being written. Such names start
// with a dot, so that readers of folders pass over them.
const tempMark = ".tmp-"

// tempFile is a file that takes its name only when it is complete.
type tempFile struct {
	f    *os.File
	path string    // the name to take
	sum  hash.Hash // of what was written; nil = it is not hashed
	n    int64
}

// Write writes, and hashes what it wrote.
func (t *tempFile) Write(p []byte) (int, error) {
	n, err := t.f.Write(p)
	t.n += int64(n)
	if t.sum != nil {
		t.sum.Write(p[:n])
	}
	return n, err
}

// createTemp makes the folders of path and opens a new file beside it.
func createTemp(path string) (*tempFile, error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	// The process id keeps programs apart that write the same file; the counter
	// steps over what a killed process with the same id left.
	for n := os.Getpid(); ; n++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s%s%d", base, tempMark, n))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &tempFile{f: f, path: filepath.Clean(path)}, nil
	}
}

// commit makes the content durable and gives it its name. On error the
// temporary file is gone and what had the name before is untouched.
func (t *tempFile) commit() error {
	if err := t.rename(); err != nil {
		return err
	}
	return syncDir(filepath.Dir(t.path))
}

// rename is commit but for the durability of the name.
func (t *tempFile) rename() error {
	if err := t.f.Sync(); err != nil {
		t.abort()
		return err
	}
	return t.place()
}

// place gives the file its name.
func (t *tempFile) place() error {
	if err := t.f.Close(); err != nil {
		os.Remove(t.f.Name())
		return err
	}
	if err := os.Rename(t.f.Name(), t.path); err != nil {
		os.Remove(t.f.Name())
		return err
	}
	return nil
}

// abort removes the file.
func (t *tempFile) abort() {
	t.f.Close()
	os.Remove(t.f.Name())
}

// syncDir makes a rename durable. Windows cannot sync folders and does not need to.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// RemoveTempOf removes what killed writers of one file left beside it and lists it. Call it only
// when nothing writes that file.
func RemoveTempOf(path string) (removed []string, err error) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), "."+base+tempMark) {
			removed = append(removed, filepath.Join(dir, e.Name()))
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return removed, err
}

// RemoveTemp removes what killed writers left below root and lists it; with names, only what they
// left in root itself and in its folders of these names ("." is none of them). Call it only when
// nothing writes there.
func RemoveTemp(root string, names ...string) (removed []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && filepath.Dir(path) == filepath.Clean(root) && len(names) > 0 &&
			!slices.Contains(names, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		if n := d.Name(); strings.HasPrefix(n, ".") && strings.Contains(n, tempMark) {
			removed = append(removed, path)
			return os.Remove(path)
		}
		return nil
	})
	return removed, err
}
