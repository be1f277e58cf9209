package results

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failsClean expects an error that names the table and the path and leaves dir as it was.
func failsClean(t *testing.T, dir string, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v does not say %q", err, w)
		}
	}
	if left := filesBelow(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUnwritablePlaces(t *testing.T) {
	dir := t.TempDir()
	inTheWay := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(inTheWay, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	under := filepath.Join(inTheWay, "x.parquet")
	failsClean(t, dir, Write(ctx, Target{Path: under}, []Trial{{}}), "write table trials to "+under, "not a directory")
	if os.Geteuid() != 0 { // root writes everywhere
		sealed := filepath.Join(dir, "sealed")
		if err := os.Mkdir(sealed, 0o555); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(sealed, "x.parquet")
		failsClean(t, dir, Write(ctx, Target{Path: path}, []Trial{{}}), "write table trials to "+path,
			"permission denied")
	}
	// A folder with the file's own name: the rename fails, the folder stays.
	folder := filepath.Join(dir, "x.parquet")
	if err := os.MkdirAll(filepath.Join(folder, "inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	failsClean(t, dir, Write(ctx, Target{Path: folder}, []Trial{{}}), "write table trials to "+folder)
}

func TestCancelLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "wide.parquet")
	cut, cancel := context.WithCancel(ctx)
	w, err := Create[wide](cut, Target{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(make([]wide, groupRows)...); err != nil {
		t.Fatal(err)
	}
	cancel()
	err = w.Append(make([]wide, groupRows)...)
	if !errors.Is(err, context.Canceled) || !errors.Is(w.Close(), context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
	failsClean(t, dir, err, path)
	_, err = Create[wide](cut, Target{Path: path})
	failsClean(t, dir, err, "context canceled")
}

func TestAbortKeepsTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "wide.parquet")
	old := randomRows[wide](5, 1)
	if err := Write(ctx, Target{Path: path}, old); err != nil {
		t.Fatal(err)
	}
	w, err := Create[wide](ctx, Target{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	w.Append(wide{})
	w.Abort()
	w.Abort()
	if w.Append(wide{}) == nil || w.Close() == nil {
		t.Error("a writer that was given up takes rows")
	}
	got, _, err := Read[wide](ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, old)
	if left := filesBelow(dir); len(left) != 1 {
		t.Errorf("files %v", left)
	}
}

func TestClosedWriter(t *testing.T) {
	w, err := Create[wide](ctx, Target{Path: filepath.Join(t.TempDir(), "x")})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Errorf("closing twice: %v", err)
		}
	}
	w.Abort()
	if err := w.Append(wide{}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("append after close gave %v", err)
	}
	if _, _, err := Read[wide](ctx, w.target.Path); err != nil {
		t.Errorf("Abort after Close harmed the file: %v", err)
	}
}

func TestRemoveTemp(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "wide.parquet")
	// A killed writer: created, never closed.
	killed, err := createTemp(path)
	if err != nil {
		t.Fatal(err)
	}
	// The same process id meets the debris and steps over it.
	if err := Write(ctx, Target{Path: path}, []wide{{}}); err != nil {
		t.Fatal(err)
	}
	removed, err := RemoveTemp(dir)
	if err != nil || len(removed) != 1 || removed[0] != killed.f.Name() {
		t.Errorf("removed %v, %v", removed, err)
	}
	if left := filesBelow(dir); len(left) != 1 || left[0] != path {
		t.Errorf("left %v", left)
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.txt", "a/c.txt"} {
		if err := WriteFile(filepath.Join(dir, name), []byte("abc")); err != nil {
			t.Fatal(err)
		}
	}
	meta := NewMeta(`{"a":1}`, "w", "v1")
	if err := WriteManifest(ctx, dir, meta, []string{"b.txt", "a/c.txt"}); err != nil {
		t.Fatal(err)
	}
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	// SHA-256 of "abc" as FIPS 180-2 prints it.
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if m.Meta != meta || len(m.Files) != 2 || m.Files[0] != (FileSum{"a/c.txt", 3, abc}) || m.Files[1].Path != "b.txt" {
		t.Errorf("manifest %+v", m)
	}
	if err := m.Verify(dir); err != nil {
		t.Errorf("untouched: %v", err)
	}
	os.WriteFile(filepath.Join(dir, "b.txt"), []byte("abd"), 0o666)
	os.Remove(filepath.Join(dir, "a", "c.txt"))
	m.Files = append(m.Files, FileSum{Path: "../x"})
	err = m.Verify(dir)
	for _, want := range []string{"b.txt has 3 bytes", "a/c.txt", "no such file", "../x: path leaves the folder"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
	if err := WriteManifest(ctx, dir, meta, []string{"gone"}); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a missing file gave %v", err)
	}
	os.WriteFile(filepath.Join(dir, ManifestName), []byte(`{"colour":1}`), 0o666)
	if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), "colour") {
		t.Errorf("an unknown field gave %v", err)
	}
}
