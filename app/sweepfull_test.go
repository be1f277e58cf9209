//go:build linux

package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSweepSmallDisk: a disk that is really full, or read-only, at different moments and with cells
// here or in processes of their own: no cell fails, and with room the same command ends as if
// nothing had been.
func TestSweepSmallDisk(t *testing.T) {
	dir := t.TempDir()
	file := sweepFile(t, dir, strings.Replace(manyCells, "seeds: 100", "seeds: 3", 1))
	good(t, dir, "sweep", file, "--out", "free")
	want := outcome(t, filepath.Join(dir, "free"))
	disk := filepath.Join(dir, "disk")
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(disk, "s")
	for _, more := range [][]string{nil, {"--isolate"}, {"--engine", "dir", "--isolate", "--stale", "1s"}} {
		for _, size := range []string{"size=20k", "size=120k"} {
			if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, size); err != nil {
				t.Skip("file systems cannot be mounted here:", err)
			}
			args := append([]string{"sweep", file, "--out", out}, more...)
			refused := func(why string) {
				t.Helper()
				s := tarry(t, dir, args...)
				if s.code != exitFailed || !strings.Contains(s.errors, "the sweep's folder cannot be written") ||
					strings.Contains(s.errors, " failed") {
					t.Errorf("%v, %s, %s: exit code %d, %s", more, size, why, s.code, s.errors)
				}
			}
			refused("full")
			for _, o := range []uintptr{syscall.MS_REMOUNT | syscall.MS_RDONLY, syscall.MS_REMOUNT} {
				if err := syscall.Mount("tmpfs", disk, "tmpfs", o, "size=64m"); err != nil {
					t.Fatal(err)
				}
				if o != syscall.MS_REMOUNT {
					refused("read-only")
				}
			}
			good(t, dir, args...)
			sameFiles(t, size, want, outcome(t, out))
			if err := syscall.Unmount(disk, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}
