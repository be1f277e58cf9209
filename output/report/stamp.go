package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mark is what the system states of a path without opening a file: nothing when it is absent.
type mark struct {
	path string
	info fs.FileInfo
	// names are the names of a folder's entries. Its time alone misses two changes within one tick
	// of the file system's clock.
	names string
}

func markOf(path string) mark {
	m := mark{path: path}
	info, err := os.Stat(path)
	if err != nil {
		return m
	}
	m.info = info
	if !info.IsDir() {
		return m
	}
	list, err := os.ReadDir(path) // sorted
	if err != nil {
		return m
	}
	var names strings.Builder
	for _, e := range list {
		names.WriteString(e.Name())
		names.WriteByte(0) // is in no name
	}
	m.names = names.String()
	return m
}

// same reports whether two marks of a path are of the same content, as far as the system reports
// it.
func (m mark) same(o mark) bool {
	if m.info == nil || o.info == nil {
		return m.info == nil && o.info == nil
	}
	return m.info.Size() == o.info.Size() && m.info.ModTime().Equal(o.info.ModTime()) && m.names == o.names &&
		os.SameFile(m.info, o.info)
}

// stamp is a list of marks. A folder whose stamp still holds needs no reading.
type stamp []mark

// holds reports whether nothing that the stamp covers has changed.
func (s stamp) holds() bool {
	for _, m := range s {
		if !m.same(markOf(m.path)) {
			return false
		}
	}
	return len(s) > 0
}

// stampOfWork is the stamp of a sweep's cell but for its STATUS: the places that change while it
// runs. Files are renamed into them, so that the folders show it.
func stampOfWork(dir string) (s stamp) {
	for _, name := range [...]string{"log", "run/best.json", "run/curves", "run/timing", "run/tune"} {
		s = append(s, markOf(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return s
}

// stampOf is the stamp of everything below a folder but checkpoints and hidden names. It is taken
// before the folder is read: what changes meanwhile is seen at the next look.
func stampOf(dir string) (stamp, error) {
	var s stamp
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // went away while we looked; its folder's mark shows it
			return nil
		}
		if err != nil {
			return err
		}
		if path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "checkpoints") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		s = append(s, markOf(path))
		return nil
	})
	return s, err
}
