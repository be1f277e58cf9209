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
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	// Bytes and SHA256 (hex) are those of the content.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// WriteManifest hashes the files (paths relative to dir) and writes dir's manifest,
// whole or not at all.
func WriteManifest(ctx context.Context, dir string, meta Meta, files []string) error {
	return writeManifest(ctx, dir, meta, files, WriteFile)
}

// StageManifest is WriteManifest for a caller that calls WriteFile with another name in dir next: the
// manifest's content is durable, its name becomes so with that other file's. It waits for the disk once
// instead of twice.
func StageManifest(ctx context.Context, dir string, meta Meta, files []string) error {
	return writeManifest(ctx, dir, meta, files, stageFile)
}

func writeManifest(ctx context.Context, dir string, meta Meta, files []string, write func(path string, data []byte) error) error {
	path := filepath.Join(dir, ManifestName)
	wrap := func(err error) error { return fmt.Errorf("results: write manifest %s: %w", path, err) }
	m := Manifest{Meta: meta, Files: []FileSum{}}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return wrap(err)
		}
		sum, err := sumFile(dir, filepath.ToSlash(filepath.Clean(f)))
		if err != nil {
			return wrap(err)
		}
		m.Files = append(m.Files, sum)
	}
	slices.SortFunc(m.Files, func(a, b FileSum) int { return strings.Compare(a.Path, b.Path) })
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return wrap(err)
	}
	if err := write(path, append(data, '\n')); err != nil {
		return wrap(err)
	}
	return nil
}

func sumFile(dir, rel string) (FileSum, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return FileSum{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return FileSum{rel, n, hex.EncodeToString(h.Sum(nil))}, err
}

// ReadManifest reads dir's manifest.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
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

// Changed lists the files of the manifest that are missing in dir, cannot be read, or are not as it says.
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
			errs = append(errs, fmt.Errorf("results: %s has %d bytes, SHA-256 %s; the manifest says %d, %s",
				want.Path, got.Bytes, got.SHA256, want.Bytes, want.SHA256))
		}
	}
	return errors.Join(errs...)
}

// WriteFile writes a small file whole or not at all: beside, synced, renamed.
func WriteFile(path string, data []byte) error {
	if err := stageFile(path, data); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// stageFile is WriteFile but for the last sync, that of the folder.
func stageFile(path string, data []byte) error {
	t, err := createTemp(path)
	if err != nil {
		return err
	}
	if _, err := t.f.Write(data); err != nil {
		t.abort()
		return err
	}
	return t.rename()
}
