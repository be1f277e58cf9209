package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A lease states who runs a cell. The files lease.1, lease.2, ... lie in the cell's folder; each is
// made by one host alone (O_EXCL) and the highest number holds. Its holder writes a new beat into
// it now and then; who wants the cell watches the bytes on a clock of its own, and when they have
// not changed for the stale time makes the next number, so that no two hosts can take the same
// lease over. A holder that finds a higher number, or its own file gone, has lost the cell and
// writes nothing about it any more. Numbers are not used again before the cell is done. No host's
// clock is compared with another's. Gathering removes the leases of done cells, under the same
// prefix.
const leasePrefix = "lease."

// released is in a lease that was given back.
const released = "released"

// errLost: another host has the cell.
var errLost = errors.New("the lease is lost: another host has the cell")

// lease is a lease that this process holds.
type lease struct {
	dir   string
	gen   int
	token string // of this process and cell
	beats int
}

// sighting is what was seen of another's lease.
type sighting struct {
	gen   int
	text  string
	since time.Duration
}

// highest finds the lease that holds; 0 when there is none.
func highest(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	top := 0
	for _, e := range entries {
		if text, ok := strings.CutPrefix(e.Name(), leasePrefix); ok {
			if n, err := strconv.Atoi(text); err == nil && n > top {
				top = n
			}
		}
	}
	return top, nil
}

func leasePath(dir string, gen int) string { return filepath.Join(dir, leasePrefix+strconv.Itoa(gen)) }

// acquire takes the lease of a cell, or gives what is seen of another's. was is what was seen
// before; with stale, a lease that still looks like it is taken over.
func acquire(dir, token string, was sighting, stale bool) (*lease, sighting, error) {
	gen, err := highest(dir)
	if err != nil {
		return nil, sighting{}, err
	}
	if gen > 0 {
		data, err := os.ReadFile(leasePath(dir, gen))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, sighting{}, nil // it ends right now: look again
		}
		if err != nil {
			return nil, sighting{}, err
		}
		free := strings.HasPrefix(string(data), released) || stale && was.gen == gen && was.text == string(data)
		if !free {
			return nil, sighting{gen: gen, text: string(data)}, nil
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, sighting{}, err
	}
	l := &lease{dir: dir, gen: gen + 1, token: token}
	f, err := os.OpenFile(leasePath(dir, l.gen), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) { // another host was faster
		return nil, sighting{gen: l.gen}, nil
	}
	if err != nil {
		return nil, sighting{}, err
	}
	_, err = f.WriteString(l.text())
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, sighting{}, errors.Join(err, os.Remove(leasePath(dir, l.gen)))
	}
	return l, sighting{}, nil
}

// text is what the lease's file holds; its length does not change, so that a beat needs no room on
// the disk.
func (l *lease) text() string { return fmt.Sprintf("%-12d %s\n", l.beats, l.token) }

// held reports whether the lease holds.
func (l *lease) held() error {
	if _, err := os.Lstat(leasePath(l.dir, l.gen+1)); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(errLost, err)
	}
	data, err := os.ReadFile(leasePath(l.dir, l.gen))
	if err != nil {
		return fmt.Errorf("%w (%w)", errLost, err)
	}
	if !strings.Contains(string(data), " "+l.token+"\n") {
		return errLost
	}
	return nil
}

// beat shows others that the holder lives.
func (l *lease) beat() error {
	if err := l.held(); err != nil {
		return err
	}
	l.beats++
	return l.write(l.text())
}

// write replaces the content in place: a lease that was taken away stays away.
func (l *lease) write(text string) error {
	f, err := os.OpenFile(leasePath(l.dir, l.gen), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// release gives the lease back. With done no lease is needed any more.
func (l *lease) release(done bool) error {
	if l.held() != nil {
		return nil
	}
	var errs []error
	last := l.gen - 1
	if done {
		last = l.gen
	} else {
		errs = append(errs, l.write(fmt.Sprintf("%-12s %s\n", released, l.token)))
	}
	for gen := 1; gen <= last; gen++ { // the highest goes last
		if err := os.Remove(leasePath(l.dir, gen)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// name is the lease as one word, for a worker's command line.
func (l *lease) name() string { return strconv.Itoa(l.gen) + ":" + l.token }

// Held reports whether a lease, by the word that an engine gave the worker, still holds the cell in
// dir.
func Held(dir, name string) error {
	number, token, ok := strings.Cut(name, ":")
	gen, err := strconv.Atoi(number)
	if !ok || err != nil {
		return fmt.Errorf("lease %q, expected NUMBER:WORD", name)
	}
	l := &lease{dir: dir, gen: gen, token: token}
	return l.held()
}
