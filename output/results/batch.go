package results

import (
	"crypto/sha256"
	"errors"
	"path/filepath"
	"slices"
	"sync"

	"tarry/output/durable"
)

// Batch are files that take their names together: the contents of all are made durable at the same
// time, then they are renamed in the order in which they came. A disk that is asked for many files
// at once waits once, where it would wait for each. The zero value is ready, and is again after
// Commit and Abort; it is safe for many goroutines. A nil *Batch gives each file its name at once.
type Batch struct {
	// Hashed makes the hashes of files as they are written, for WriteManifest, which otherwise reads
	// them again.
	Hashed bool

	mu    sync.Mutex
	files []*tempFile
}

// create opens a file that is to be of the batch.
func (b *Batch) create(path string) (*tempFile, error) {
	t, err := createTemp(path)
	if err == nil && b != nil && b.Hashed {
		t.sum = sha256.New()
	}
	return t, err
}

// take has a file that is complete.
func (b *Batch) take(t *tempFile) error {
	if b == nil {
		return t.commit()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files = append(b.files, t)
	return nil
}

// WriteFile adds a small file.
func (b *Batch) WriteFile(path string, data []byte) error {
	t, err := b.create(path)
	if err != nil {
		return err
	}
	if _, err := t.Write(data); err != nil {
		t.abort()
		return err
	}
	return b.take(t)
}

func (b *Batch) empty() (files []*tempFile) {
	b.mu.Lock()
	defer b.mu.Unlock()
	files, b.files = b.files, nil
	return files
}

// Commit makes the files durable and gives them their names, in their order. On error files that
// have no name yet are gone.
func (b *Batch) Commit() error {
	files := b.empty()
	if err := together(files, func(t *tempFile) error { return t.f.Sync() }); err != nil {
		abortAll(files)
		return err
	}
	if err := placeAll(files); err != nil {
		return err
	}
	var folders []string
	for _, t := range files {
		folders = append(folders, filepath.Dir(t.path))
	}
	slices.Sort(folders)
	return together(slices.Compact(folders), syncDir)
}

// CommitTo is Commit, but for the durability, which is left to u. A nil u is Commit.
func (b *Batch) CommitTo(u *durable.Unsynced) error {
	if u == nil {
		return b.Commit()
	}
	files := b.empty()
	if err := placeAll(files); err != nil || len(files) == 0 {
		return err
	}
	u.Add(files[len(files)-1].path)
	return nil
}

// placeAll gives files their names, in their order; on error files that have none yet are gone.
func placeAll(files []*tempFile) error {
	for i, t := range files {
		if err := t.place(); err != nil {
			abortAll(files[i+1:])
			return err
		}
	}
	return nil
}

// Abort gives all files up.
func (b *Batch) Abort() {
	if b != nil {
		abortAll(b.empty())
	}
}

func abortAll(files []*tempFile) {
	for _, t := range files {
		t.abort()
	}
}

// together calls f for all values at the same time: the disk joins what is asked for at once.
func together[V any](all []V, f func(V) error) error {
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, v := range all {
		group.Go(func() { errs[i] = f(v) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// find gives the file that is to have a name; nil where there is none.
func (b *Batch) find(path string) *tempFile {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.files {
		if t.path == filepath.Clean(path) {
			return t
		}
	}
	return nil
}
