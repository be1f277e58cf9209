package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Many groups of files are made durable by one call, and only groups that were not before; when the
// disk fails, groups lose their last file, and are no longer taken for complete.
func TestUnsynced(t *testing.T) {
	dir := t.TempDir()
	calls, fails := 0, error(nil)
	u := &Unsynced{sync: func() error { calls++; return fails }}
	name := func(group int, file string) string { return filepath.Join(dir, file+strconv.Itoa(group)) }
	commit := func(group int) {
		t.Helper()
		for _, file := range []string{"table", "STATUS"} {
			if err := os.WriteFile(name(group, file), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		u.Add(name(group, "STATUS"))
	}
	has := func(group int, file string) bool {
		_, err := os.Stat(name(group, file))
		return err == nil
	}
	for group := range 10 {
		if commit(group); calls > 0 {
			t.Fatalf("group %d: %d syncs", group, calls)
		}
	}
	for range 2 {
		if err := u.Sync(); err != nil || calls != 1 {
			t.Fatalf("%v, %d calls", err, calls)
		}
	}
	commit(10)
	fails = syscall.EIO
	if err := u.Sync(); !errors.Is(err, syscall.EIO) || calls != 2 {
		t.Errorf("%v, %d calls", err, calls)
	}
	if has(10, "STATUS") || !has(10, "table") || !has(9, "STATUS") {
		t.Error("a group that is not durable keeps its last file, or others lost theirs")
	}
	if err := u.SyncAll(); !errors.Is(err, syscall.EIO) || calls != 3 {
		t.Errorf("with nothing added: %v, %d calls", err, calls)
	}
}

// The system's own call, where there is one.
func TestSyncFileSystem(t *testing.T) {
	u := New(t.TempDir())
	if u == nil {
		t.Skip("no file system is made durable as a whole here")
	}
	u.Add(filepath.Join(t.TempDir(), "x"))
	if err := u.Sync(); err != nil {
		t.Error(err)
	}
	if err := syncFileSystem(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
