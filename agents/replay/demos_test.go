package replay

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Demonstrations are a buffer with room for all of them, however many there are, after saving and
// loading at any time.
func TestDemosAgainstABuffer(t *testing.T) {
	for _, c := range []struct {
		shape Shape
		envs  int
	}{{Shape{2, 1, 3}, 1}, {Shape{2, 1, 0}, 3}, {Shape{1, 2, 2}, 2}} {
		mine, twin := newWorld(c.shape, c.envs, fmt.Sprint(c)), newWorld(c.shape, c.envs, fmt.Sprint(c))
		d, all := NewDemos(c.shape, c.envs), NewBuffer(c.shape, c.envs, 100*c.envs)
		d = reloadDemos(t, d, c.shape, c.envs)
		d.Begin(mine.b)
		all.Begin(twin.b)
		for at := range 40 {
			mine.stepOn(d.Add)
			twin.step(all)
			if at%7 == 0 {
				d = reloadDemos(t, d, c.shape, c.envs)
			}
			if d.Len() != (at+1)*c.envs {
				t.Fatalf("%d steps are kept after %d", d.Len(), (at+1)*c.envs)
			}
			for row := range d.Len() {
				for n := 1; n <= 4; n++ {
					if got, want := d.At(row, n, 2), all.At(row, n, 2); !equal(got, want) {
						t.Fatalf("step %d, row %d, %d steps:\n%+v\nwant\n%+v", at, row, n, got, want)
					}
				}
			}
		}
	}
}

func reloadDemos(t *testing.T, d *Demos, shape Shape, envs int) *Demos {
	t.Helper()
	data, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	fresh := NewDemos(shape, envs)
	if err := fresh.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if again, err := fresh.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("loaded demonstrations save other bytes, error %v", err)
	}
	return fresh
}

func TestDemosRefuseWhatDoesNotFit(t *testing.T) {
	shape := Shape{2, 1, 0}
	w := newWorld(shape, 2, "refuse")
	d := NewDemos(shape, 2)
	d.Begin(w.b)
	w.stepOn(d.Add)
	data, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		into *Demos
		data []byte
		want string
	}{
		{NewDemos(Shape{3, 1, 0}, 2), data, "replay: observation is 2, expected 3"},
		{NewDemos(shape, 4), data, "replay: 2 demonstrated steps do not fit 4 environments"},
		{NewDemos(shape, 1), data, "replay: environments is 2, expected 1"},
		{NewDemos(shape, 2), data[:len(data)-1], "truncated or damaged"},
		{NewDemos(shape, 2), nil, "truncated"},
	} {
		if err := c.into.UnmarshalBinary(c.data); err == nil || !strings.Contains(err.Error(), c.want) ||
			c.into.Len() != 0 {
			t.Errorf("error is %v, want %q; %d rows", err, c.want, c.into.Len())
		}
	}
}

// Bytes that no demonstrations wrote are refused, and never panic.
func FuzzDemos(f *testing.F) {
	shape := Shape{1, 1, 1}
	w := newWorld(shape, 1, "fuzz")
	d := NewDemos(shape, 1)
	d.Begin(w.b)
	for range 6 {
		w.stepOn(d.Add)
	}
	data, err := d.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		d := NewDemos(shape, 1)
		if d.UnmarshalBinary(data) != nil {
			return
		}
		for row := range d.Len() {
			d.At(row, 3, 1)
		}
	})
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		share       float64
		batch, want int
	}{{0.25, 64, 16}, {0.25, 3, 1}, {0.01, 10, 1}, {0.99, 10, 9}, {0.5, 2, 1}} {
		if got := Share(c.share, c.batch); got != c.want {
			t.Errorf("%g of %d is %d, want %d", c.share, c.batch, got, c.want)
		}
	}
}
