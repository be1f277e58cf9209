package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// damaged is a cell that is done and whose files differ from what it wrote.
type damaged struct {
	id  string
	err error // names the files
}

// Verify reads all files of the cells that are done and returns the ids of cells whose files
// changed, in order, each with what is wrong: STATUS has the hash of the manifest, and the manifest
// the hashes of the files. checked is the number of cells that are done.
func (f *Folder) Verify(ctx context.Context) (broken []string, faults []error, checked int, err error) {
	var done []int
	for i, s := range f.Statuses() {
		if s.State == Done {
			done = append(done, i)
		}
	}
	found, err := f.broken(ctx, done)
	for _, b := range found {
		broken, faults = append(broken, b.id), append(faults, b.err)
	}
	return broken, faults, len(done), err
}

// VerifyGathered holds the gathered tables, if there are any, against their manifest.
func (f *Folder) VerifyGathered() error {
	m, err := results.ReadManifest(f.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = m.Verify(f.Dir)
	}
	if err != nil {
		return fmt.Errorf("the gathered tables are broken: %w; tarry sweep gather %s writes them again", err, f.Dir)
	}
	return nil
}

// broken looks at some cells, several at once.
func (f *Folder) broken(ctx context.Context, done []int) ([]damaged, error) {
	found := make([]error, len(done))
	var group sync.WaitGroup
	workers := min(runtime.NumCPU(), len(done))
	for k := range workers {
		group.Go(func() {
			for i := k; i < len(done) && ctx.Err() == nil; i += workers {
				found[i] = checkCell(f.CellDir(done[i]), f.Status(done[i]).ManifestSHA256)
			}
		})
	}
	group.Wait()
	var out []damaged
	for i, err := range found {
		if err != nil {
			out = append(out, damaged{f.ids[done[i]], err})
		}
	}
	return out, ctx.Err()
}

// checkCell holds the files of a cell against its manifest, and that against the hash in STATUS; ""
// is one of a program that kept none.
func checkCell(dir, sum string) error {
	m, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	if got, err := manifestSum(dir); err != nil || sum != "" && got != sum {
		return errors.Join(err, fmt.Errorf("%s has the SHA-256 %s, STATUS states %s", results.ManifestName, got, sum))
	}
	return m.Verify(dir)
}

// manifestSum hashes the manifest of a cell.
func manifestSum(dir string) (string, error) {
	data, err := rundir.ReadFile(filepath.Join(dir, results.ManifestName))
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// mostBroken is how many broken cells an error names.
const mostBroken = 10

// verify is the error that stands for the cells that are broken.
func (f *Folder) verify(ctx context.Context, done []int) error {
	broken, err := f.broken(ctx, done)
	if err != nil {
		return err
	}
	var errs []error
	for i, b := range broken {
		if i == mostBroken {
			errs = append(errs, fmt.Errorf("and %d more: tarry sweep status %s --verify names them", len(broken)-i,
				f.Dir))
			break
		}
		errs = append(errs, fmt.Errorf("cell %s is broken: %w; tarry sweep retry %s %s runs it again", b.id, b.err,
			f.Dir, b.id))
	}
	return errors.Join(errs...)
}

// discard removes what an earlier attempt left and what is not as its manifest states, so that it
// is not taken for whole: a table may read well and be another. Of a training or a tuning all goes.
func discard(dir string) error {
	if _, err := results.RemoveTemp(dir); err != nil {
		return err
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		return nil // it never was complete: each part shows by itself whether it is
	}
	var errs []error
	for _, file := range m.Changed(dir) {
		path := filepath.FromSlash(file)
		if !filepath.IsLocal(path) {
			continue
		}
		if strings.HasPrefix(file, runFolder+"/") {
			path = runFolder
		}
		errs = append(errs, os.RemoveAll(filepath.Join(dir, path)))
	}
	return errors.Join(errs...)
}
