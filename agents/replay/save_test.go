package replay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env/vec"
	"tarry/internal/pack"
)

// filled is a buffer after so many steps of each environment; repeats = observations are of few
// numbers, and most stay.
func filled(t testing.TB, shape Shape, envs, rows, steps int, repeats bool) *Buffer {
	t.Helper()
	w := newWorld(shape, envs, "filled")
	b := NewBuffer(shape, envs, rows)
	b.Begin(w.b)
	for range steps {
		w.stepOn(func(actions []float64, batch *vec.Batch, discount []float64) {
			if repeats {
				for i := range batch.Obs {
					batch.Obs[i] = math.Round(batch.Obs[i]) / 3
				}
			}
			b.Add(actions, batch, discount)
		})
	}
	return b
}

// Checkpoints of before, whose rows are not compressed, load into the same buffer.
func TestOlderLayout(t *testing.T) {
	for _, repeats := range []bool{false, true} {
		b := filled(t, Shape{3, 2, 4}, 2, 40, 33, repeats)
		fresh := NewBuffer(b.shape, 2, 40)
		if err := fresh.UnmarshalBinary(b.plain()); err != nil {
			t.Fatal(err)
		}
		want, err := b.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := fresh.MarshalBinary(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("repeats %v: a buffer of the older layout saves other bytes, error %v", repeats, err)
		}
	}
}

// Numbers come back bit for bit: NaN with a payload, both zeros, infinities, and numbers that
// differ in the last bit.
func TestTablesAreExact(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.Float64frombits(0x7ff8dead_beef0001),
		math.SmallestNonzeroFloat64, 1, math.Nextafter(1, 2)}
	for _, width := range []int{1, 3, 8} {
		for _, rows := range []int{0, 1, 2, 300} {
			for _, distinct := range []bool{false, true} {
				x := make([]float64, rows*width)
				for i := range x {
					if x[i] = odd[i*i%len(odd)]; distinct {
						x[i] = math.Sqrt(float64(i))
					}
				}
				got := make([]float64, len(x))
				if err := unsqueeze(squeezed(t, table{x, width, 2}), table{got, width, 2}); err != nil {
					t.Fatal(err)
				}
				for i := range x {
					if math.Float64bits(got[i]) != math.Float64bits(x[i]) {
						t.Fatalf("width %d, %d rows: number %d is %x, want %x", width, rows, i,
							math.Float64bits(got[i]), math.Float64bits(x[i]))
					}
				}
			}
		}
	}
}

func squeezed(t testing.TB, x table) []byte {
	t.Helper()
	q, err := newSqueeze()
	if err != nil {
		t.Fatal(err)
	}
	w := pack.NewWriter("t")
	q.put(w, x)
	return w.Seal()
}

func unsqueeze(data []byte, x table) error {
	q, err := newStretch(8 * len(x.x))
	if err != nil {
		return err
	}
	defer q.dec.Close()
	r := pack.NewReader("t", data)
	q.take(r, x)
	return r.Close()
}

// What cannot be a table is an error, whatever its checksum states.
func TestForgedTables(t *testing.T) {
	numbers := []float64{5, 5, 6, 5, 6, 6}
	q, err := newSqueeze()
	if err != nil {
		t.Fatal(err)
	}
	forge := func(n int, list []uint64, codes ...uint32) []byte {
		w := pack.NewWriter("t")
		w.Int(n)
		planes(q, w, list, 8)
		planes(q, w, codes, 4)
		return w.Seal()
	}
	five := math.Float64bits(5)
	huge := pack.NewWriter("t")
	huge.Int(0)
	q.bytes(huge, make([]byte, 64<<20)) // some kilobytes that would become 64 MiB
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"list":     {forge(1<<40, nil), "a list of 1099511627776 numbers, expected at most 3"},
		"negative": {forge(-1, nil), "a list of -1 numbers"},
		"unseen": {forge(1, []uint64{five}, isNew, isSame, isSame, isSame, isSame, seen+1),
			"has the code 3, with 1 of 1 numbers seen"},
		"too early": {forge(1, []uint64{five}, seen, isNew, isSame, isSame, isSame, isSame),
			"number 0 has the code 2, with 0 of 1 numbers seen"},
		"first": {forge(1, []uint64{five}, isSame, isNew, isSame, isSame, isSame, isSame),
			"number 0 has the code 1"},
		"unused": {forge(2, []uint64{five, five + 1}, isNew, isSame, isSame, isSame, isSame, isSame),
			"1 of a list of 2 numbers are used"},
		"short": {forge(1, []uint64{five}, isNew, isSame), "a part of 6 bytes cannot be decompressed: it has 2"},
		"large": {huge.Seal(), "cannot be decompressed"},
	} {
		if err := unsqueeze(c.data, table{make([]float64, len(numbers)), 1, 1}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", name, err, c.want)
		}
	}
}

// A buffer of which a byte was changed is refused, also with a checksum that fits; it is empty
// then.
func TestTamperedBuffer(t *testing.T) {
	b := filled(t, Shape{2, 1, 3}, 2, 20, 15, true)
	data, err := b.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(data)-4; at += 3 {
		bad := bytes.Clone(data)
		bad[at] ^= 0x55
		if err := NewBuffer(b.shape, 2, 20).UnmarshalBinary(bad); err == nil {
			t.Fatalf("byte %d was changed and nobody noticed", at)
		}
		seal(bad)
		fresh := NewBuffer(b.shape, 2, 20)
		if err := fresh.UnmarshalBinary(bad); err != nil && fresh.Len() != 0 {
			t.Fatalf("byte %d: %d rows after the error %v", at, fresh.Len(), err)
		}
	}
	for n := 0; n < len(data); n += 7 {
		if err := NewBuffer(b.shape, 2, 20).UnmarshalBinary(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were loaded", n, len(data))
		}
	}
}

// seal gives a record the checksum of its bytes.
func seal(record []byte) {
	n := len(record) - 4
	binary.LittleEndian.PutUint32(record[n:], crc32.Checksum(record[:n], crc32.MakeTable(crc32.Castagnoli)))
}

// Forged buffers, with a checksum that fits, are refused or are buffers; they never panic. An input
// is an edit of a record that is right: put, at most 64 bytes, stands for cut bytes from at on. So
// it is short, and Go's fuzzer, which shortens what it finds interesting byte by byte without
// counting that as executions, is soon done with it; with complete records it did little else.
func FuzzForgedBuffer(f *testing.F) {
	shape := Shape{2, 1, 1}
	var records [2][]byte
	for i, repeats := range []bool{false, true} {
		var err error
		if records[i], err = filled(f, shape, 1, 8, 11, repeats).MarshalBinary(); err != nil {
			f.Fatal(err)
		}
		f.Add(i == 1, uint16(0), uint16(0), []byte{})
		f.Add(i == 1, uint16(len(records[i])/2), uint16(2), []byte{1, 2})
		f.Add(i == 1, uint16(len(records[i])), uint16(9), []byte{0, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, repeats bool, at, cut uint16, put []byte) {
		if len(put) > 64 {
			return
		}
		of := records[0]
		if repeats {
			of = records[1]
		}
		from := min(int(at), len(of))
		data := slices.Concat(of[:from], put, of[min(from+int(cut), len(of)):])
		if len(data) < 4 {
			return
		}
		seal(data)
		b := NewBuffer(shape, 1, 8)
		if err := b.UnmarshalBinary(data); err != nil {
			if b.Len() != 0 {
				t.Fatalf("%d rows after the error %v", b.Len(), err)
			}
			return
		}
		for row := range b.Len() {
			b.At(row, 3, 1)
		}
	})
}

// BenchmarkSave and BenchmarkLoad use 20 000 rows of 96 numbers with 12 actions, as of
// tarry/DelayTimer-v0.
func BenchmarkSave(b *testing.B) {
	forSizes(b, func(b *testing.B, buf *Buffer) {
		for b.Loop() {
			data, err := buf.MarshalBinary()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(data))/float64(buf.Len()), "B/row")
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	forSizes(b, func(b *testing.B, buf *Buffer) {
		data, err := buf.MarshalBinary()
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := buf.UnmarshalBinary(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func forSizes(b *testing.B, run func(*testing.B, *Buffer)) {
	for _, repeats := range []bool{false, true} {
		buf := filled(b, Shape{96, 12, 0}, 4, 20_000, 5000, repeats)
		b.Run(fmt.Sprintf("repeats=%v", repeats), func(b *testing.B) {
			b.ReportAllocs()
			run(b, buf)
		})
	}
}

// BenchmarkAdd and BenchmarkAt do not allocate but for cut episodes.
func BenchmarkAdd(b *testing.B) {
	w := newWorld(Shape{4, 1, 0}, 4, "add")
	buf := NewBuffer(w.shape, 4, 10_000)
	buf.Begin(w.b)
	actions, discount := make([]float64, 4), make([]float64, 4)
	b.ReportAllocs()
	for b.Loop() {
		buf.Add(actions, w.b, discount)
	}
}

func BenchmarkAt(b *testing.B) {
	buf := filled(b, Shape{96, 12, 0}, 4, 20_000, 5000, false)
	r := stream("at")
	b.ReportAllocs()
	for b.Loop() {
		buf.At(buf.Draw(r), 1, 1)
	}
}
