package lock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	a, b := &Run{Dir: dir, Mark: "begun"}, &Run{Dir: dir, Mark: "begun"}
	if err := errors.Join(a.Enter(), b.Enter()); err != nil || there("") {
		t.Fatalf("where nothing is, entering gives %v, and makes the folder: %v", err, there(""))
	}
	a.Leave()
	if err := a.Begin(); err != nil || !there(Name) {
		t.Fatal(err)
	}
	if err := b.Begin(); !errors.Is(err, ErrHeld) {
		t.Errorf("beside another, beginning gives %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "begun"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.Enter(); !errors.Is(err, ErrHeld) {
		t.Errorf("beside another that has begun, entering gives %v", err)
	}
	a.Leave()
	if there(Name) {
		t.Error("the lock is left")
	}
}

func TestRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	late := &Run{Dir: dir, Mark: "begun"}
	if err := late.Enter(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "begun"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err, want := late.Begin(),
		dir+": another run began there at the same moment; give another folder"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	late.Leave()
	next := &Run{Dir: dir, Mark: "begun"}
	if err := errors.Join(next.Enter(), next.Begin()); err != nil {
		t.Fatal(err)
	}
	next.Leave()
	next.Leave()
	if _, err := os.Stat(filepath.Join(dir, Name)); err == nil {
		t.Error("the lock is left")
	}
	var none *Run
	if err := errors.Join(none.Enter(), none.Begin()); err != nil {
		t.Error(err)
	}
	none.Leave()
}
