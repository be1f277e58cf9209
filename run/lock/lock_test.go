package lock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "run")
	release, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	_, err = Folder(dir)
	want := fmt.Sprintf("%s is locked by another process (pid %d on %s); wait until it ends, or give another folder",
		dir, os.Getpid(), host)
	if !errors.Is(err, ErrHeld) || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	release()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v after the end, error %v", entries, err)
	}
	// A lock that a killed process left is free.
	if err := os.WriteFile(filepath.Join(dir, Name), []byte("1 a-host-of-a-long-name\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if release, err = Folder(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, Name)); err != nil ||
		string(text) != fmt.Sprintf("%d %s\n", os.Getpid(), host) {
		t.Errorf("the lock says %q, error %v", text, err)
	}
	release()
}

// Among many that come and go one alone has the folder at any time.
func TestFolderAlone(t *testing.T) {
	dir := t.TempDir()
	mark := filepath.Join(dir, "mark")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for had := 0; had < 40; {
				release, err := Folder(dir)
				if errors.Is(err, ErrHeld) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				f, err := os.OpenFile(mark, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
				if err != nil {
					t.Errorf("two had the folder at once: %v", err)
				} else {
					f.Close()
					os.Remove(mark)
				}
				release()
				had++
			}
		})
	}
	all.Wait()
}

func TestFolderRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(filepath.Join(file, "x")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("below a file: %v", err)
	}
	if os.Geteuid() == 0 {
		t.Skip("everything can be written to by root")
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s cannot be written to: open %s: permission denied", dir, filepath.Join(dir, Name))
	if _, err := Folder(dir); err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

func TestFileShared(t *testing.T) {
	open := func(path string) *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	path := filepath.Join(t.TempDir(), Name)
	if err := errors.Join(File(open(path), true), File(open(path), true)); err != nil {
		t.Fatal(err)
	}
	if err := File(open(path), false); !errors.Is(err, ErrHeld) {
		t.Errorf("beside two that share it, one alone gets %v", err)
	}
}

func TestHolder(t *testing.T) {
	for text, want := range map[string]string{
		"12 node-7.example.org\n":           " (pid 12 on node-7.example.org)",
		"12 \n":                             " (pid 12)",
		"12 two words\n":                    " (pid 12)",
		"12 Node_7\n":                       " (pid 12 on Node_7)",
		"12 \x1b[31mred\n":                  " (pid 12)",
		"12 \u0130\n":                       " (pid 12)",
		"12 \u212a\n":                       " (pid 12)",
		"":                                  "",
		"\n":                                "",
		"12":                                "",
		"twelve node\n":                     "",
		"-1 node\n":                         "",
		strings.Repeat("1", 21) + " node\n": "",
	} {
		if got := holder(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzHolder(f *testing.F) {
	f.Add("12 node\n")
	f.Add("12 \x00\n")
	f.Fuzz(func(t *testing.T, text string) {
		if got := holder(text); strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q: %q", text, got)
		}
	})
}

// The process that waits has the folder once the other lets go, and no two at once.
func TestAwait(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	inside := make(chan struct{}, 1)
	for range 8 {
		all.Go(func() {
			for range 20 {
				release, err := Await(dir, ".work")
				if err != nil {
					t.Error(err)
					return
				}
				select {
				case inside <- struct{}{}:
					<-inside
				default:
					t.Error("two had it at once")
				}
				release()
			}
		})
	}
	all.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v after the end, error %v", entries, err)
	}
}
