package pack

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func record() []byte {
	w := NewWriter("r/1")
	w.Int(-3)
	w.Uint64(math.MaxUint64)
	w.Bool(true)
	w.Float64(math.Copysign(0, -1))
	w.Float64s([]float64{1, math.Inf(1)})
	w.Bools([]bool{true, false})
	w.Bytes([]byte("xy"))
	return w.Seal()
}

func TestRoundTrip(t *testing.T) {
	r := NewReader("r/1", record())
	i, u, b, f := r.Int(), r.Uint64(), r.Bool(), r.Float64()
	fs, bs := make([]float64, 2), make([]bool, 2)
	r.Float64s(fs)
	r.Bools(bs)
	xy := r.Bytes()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if i != -3 || u != math.MaxUint64 || !b || !math.Signbit(f) || !slices.Equal(fs, []float64{1, math.Inf(1)}) ||
		!slices.Equal(bs, []bool{true, false}) || string(xy) != "xy" {
		t.Errorf("read back %v %v %v %v %v %v %q", i, u, b, f, fs, bs, xy)
	}
	if !bytes.Equal(record(), record()) {
		t.Error("equal state gave different bytes")
	}
}

func TestEveryFlipAndEveryCutIsFound(t *testing.T) {
	data := record()
	for i := range data {
		if NewReader("r/1", data[:i]).Err() == nil {
			t.Errorf("a cut after %d bytes was not found", i)
		}
		for bit := range 8 {
			flipped := slices.Clone(data)
			flipped[i] ^= 1 << bit
			if NewReader("r/1", flipped).Err() == nil {
				t.Errorf("a flip of bit %d of byte %d was not found", bit, i)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	seal := func(write func(*Writer)) []byte {
		w := NewWriter("r/1")
		write(w)
		return w.Seal()
	}
	for _, c := range []struct {
		name string
		data []byte
		read func(*Reader)
		want string
	}{
		{"name", NewWriter("q/1").Seal(), func(*Reader) {}, `of "q/1", expected "r/1"`},
		{"left over", seal(func(w *Writer) { w.Int(1) }), func(*Reader) {}, "8 bytes are left over"},
		{"short", seal(func(w *Writer) { w.Bool(true) }), func(r *Reader) { r.Int() }, "1 bytes are left, expected 8"},
		{"long slice", seal(func(w *Writer) { w.Int(9) }), func(r *Reader) { r.Bytes() }, "9 elements are announced"},
		{"huge slice", seal(func(w *Writer) { w.Uint64(1 << 63) }), func(r *Reader) { r.Float64s(nil) },
			"elements are announced"},
		{"other length", seal(func(w *Writer) { w.Float64s([]float64{1}) }),
			func(r *Reader) { r.Float64s(make([]float64, 2)) }, "1 numbers, expected 2"},
		{"other length", seal(func(w *Writer) { w.Bools([]bool{true}) }), func(r *Reader) { r.Bools(nil) },
			"1 truth values, expected 0"},
		{"no truth", seal(func(w *Writer) { w.Bytes([]byte{7}) }), func(r *Reader) { r.Int(); r.Bool() },
			"is 7, expected 0 or 1"},
		{"own fault", seal(func(w *Writer) {}), func(r *Reader) {
			r.Fail(errors.New("mine"))
			r.Fail(
				errors.New("later"))
			r.Int()
		}, "mine"},
	} {
		r := NewReader("r/1", c.data)
		c.read(r)
		if err := r.Close(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// FuzzReader reads arbitrary bytes with a right checksum, in arbitrary order.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2}, []byte{3, 4, 5})
	f.Fuzz(func(t *testing.T, body, calls []byte) {
		w := NewWriter("r/1")
		w.buf = append(w.buf, body...)
		r := NewReader("r/1", w.Seal())
		for _, c := range calls {
			switch c % 6 {
			case 0:
				r.Int()
			case 1:
				r.Bool()
			case 2:
				r.Float64s(make([]float64, int(c)/6))
			case 3:
				r.Bools(make([]bool, int(c)/6))
			case 4:
				if b := r.Bytes(); len(b) > len(body) {
					t.Fatalf("%d bytes out of %d", len(b), len(body))
				}
			case 5:
				r.Float64()
			}
		}
		r.Close()
	})
}
