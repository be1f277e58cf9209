//go:build !js

package results

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"

	"tarry/internal/rundir"
)

// ManifestName is the name of the manifest in the folder of a run.
const ManifestName = "manifest.json"

// Manifest lists the files of a run and what they come from.
type Manifest struct {
	Meta
	// Files are sorted by path.
	Files []FileSum `json:"files"`
}

// FileSum is one file of a run.
type FileSum struct {
	// Path is relative to the manifest, with slashes.
	Path string `json:"path"`
	// Bytes and SHA256 (hex) are of the content.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// WriteManifest hashes the files (paths relative to dir) and writes dir's manifest,
// whole or not at all.
func WriteManifest(ctx context.Context, dir string, meta Meta, files []string) error {
	b := &Batch{}
	if _, err := b.WriteManifest(ctx, dir, meta, files); err != nil {
		return err
	}
	if err := b.Commit(); err != nil {
		return fmt.Errorf("results: write manifest %s: %w", filepath.Join(dir, ManifestName), err)
	}
	return nil
}

// WriteManifest adds the manifest of dir, over files of the batch and others, and gives the hex
// SHA-256 of the manifest.
func (b *Batch) WriteManifest(ctx context.Context, dir string, meta Meta, files []string) (sum string, err error) {
	path := filepath.Join(dir, ManifestName)
	wrap := func(err error) error { return fmt.Errorf("results: write manifest %s: %w", path, err) }
	m := Manifest{Meta: meta, Files: []FileSum{}}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return "", wrap(err)
		}
		sum, err := b.sumFile(dir, filepath.ToSlash(filepath.Clean(f)))
		if err != nil {
			return "", wrap(err)
		}
		m.Files = append(m.Files, sum)
	}
	// sort.Slice has one code for all types, SortFunc 12 kB for this one.
	sort.Slice(m.Files, func(i, k int) bool { return m.Files[i].Path < m.Files[k].Path })
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", wrap(err)
	}
	data = append(data, '\n')
	if err := b.WriteFile(path, data); err != nil {
		return "", wrap(err)
	}
	all := sha256.Sum256(data)
	return hex.EncodeToString(all[:]), nil
}

func sumFile(dir, rel string) (FileSum, error) { return (*Batch)(nil).sumFile(dir, rel) }

// sumFile hashes a file, of the batch or another.
func (b *Batch) sumFile(dir, rel string) (FileSum, error) {
	path := filepath.Join(dir, filepath.FromSlash(rel))
	switch t := b.find(path); {
	case t == nil:
	case t.sum != nil:
		return FileSum{rel, t.n, hex.EncodeToString(t.sum.Sum(nil))}, nil
	default:
		path = t.f.Name()
	}
	f, err := rundir.Open(path)
	if err != nil {
		return FileSum{}, err
	}
	defer f.Close()
	h, work := sha256.New(), newScratch(nil)
	defer work.leave()
	work.packed = slices.Grow(work.packed[:0], 1<<12)
	n, err := io.CopyBuffer(h, struct{ io.Reader }{f}, work.packed[:cap(work.packed)])
	return FileSum{rel, n, hex.EncodeToString(h.Sum(nil))}, err
}

// ReadManifest reads dir's manifest.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestName)
	data, err := rundir.ReadFile(path)
	if err != nil {
		return m, fmt.Errorf("results: read manifest: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("results: read manifest %s: %w", path, err)
	}
	return m, nil
}

// Changed lists the files of the manifest that are missing in dir, cannot be read, or are not as it
// states.
func (m Manifest) Changed(dir string) []string {
	var out []string
	for _, want := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(want.Path)) {
			continue
		}
		if got, err := sumFile(dir, want.Path); err != nil || got != want {
			out = append(out, want.Path)
		}
	}
	return out
}

// Verify reports every file of the manifest that is missing or changed.
func (m Manifest) Verify(dir string) error {
	var errs []error
	for _, want := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(want.Path)) {
			errs = append(errs, fmt.Errorf("results: %s: path leaves the folder of the run", want.Path))
			continue
		}
		got, err := sumFile(dir, want.Path)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("results: %s: %w", want.Path, err))
		case got != want:
			errs = append(errs, fmt.Errorf("results: %s has %d bytes, SHA-256 %s; the manifest states %d, %s",
				want.Path, got.Bytes, got.SHA256, want.Bytes, want.SHA256))
		}
	}
	return errors.Join(errs...)
}

// WriteFile writes a small file whole or not at all: beside, synced, renamed.
func WriteFile(path string, data []byte) error { return (*Batch)(nil).WriteFile(path, data) }
