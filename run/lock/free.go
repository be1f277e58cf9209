package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ErrForeign states that a folder holds what does not belong to what is to be written into it.
var ErrForeign = errors.New("the folder holds something else")

// Free refuses a folder that holds anything but ours, names that begin with a dot, and a lock:
// nothing is written beside files of others. kind states in the error whose folder was expected,
// such as "a sweep"; ours may be nil. A folder that is not there is free. The error wraps
// ErrForeign.
func Free(dir, kind string, ours func(fs.DirEntry) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if n := e.Name(); n != Name && !strings.HasPrefix(n, ".") && (ours == nil || !ours(e)) {
			return Foreign(dir, n, kind)
		}
	}
	return nil
}

// Foreign is the error of Free for a file of a folder.
func Foreign(dir, name, kind string) error { return &foreign{dir, name, kind} }

type foreign struct{ dir, name, kind string }

func (e *foreign) Error() string {
	return fmt.Sprintf("%s holds something else (%s), expected an empty folder or one of %s", e.dir, e.name, e.kind)
}

func (e *foreign) Is(target error) bool { return target == ErrForeign }
