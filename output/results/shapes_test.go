package results

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shaped has a column for each way in which a dictionary begins, grows, gains or does not.
type shaped struct {
	Constant   string  `col:"constant"`
	Names      string  `col:"names"`
	Many       string  `col:"many"`
	Late       string  `col:"late"`
	Long       string  `col:"long"`
	Runs       int64   `col:"runs"`
	Level      int32   `col:"level"`
	Few        float64 `col:"few"`
	Hundreds   float64 `col:"hundreds"`
	Different  float64 `col:"different"`
	LateNumber uint64  `col:"late_number"`
	Nothing    float64 `col:"nothing"`
	Zero       float64 `col:"zero"`
}

func (shaped) Table() string { return "shaped" }

func shapedRows(n int) []shaped {
	r := rand.New(rand.NewPCG(7, 7))
	rows := make([]shaped, n)
	for i := range rows {
		rows[i] = shaped{
			Constant: "dally", Names: fmt.Sprint("user ", r.IntN(300)), Many: fmt.Sprint("job-", i), Late: "same",
			Long: strings.Repeat("x", r.IntN(3)*400),
			Runs: int64(i / 100), Level: int32(r.IntN(5)) - 2,
			Few:      []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(-1)}[r.IntN(4)],
			Hundreds: float64(r.IntN(700)) / 7, Different: r.NormFloat64(), Nothing: math.NaN(),
			LateNumber: math.MaxUint64,
		}
		if i > n/2 {
			rows[i].Late, rows[i].LateNumber = fmt.Sprint(i), uint64(i)<<40
		}
	}
	return rows
}

func TestShapes(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 255, 256, 257, 258, 1000, 1025, 3000, 10_000, groupRows + 300} {
		rows := shapedRows(n)
		path := filepath.Join(t.TempDir(), "shaped.parquet")
		if err := Write(ctx, Target{Path: path}, rows); err != nil {
			t.Fatal(err)
		}
		got, _, err := Read[shaped](ctx, path)
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		same(t, got, rows)
	}
}

// What repeats costs next to nothing.
func TestRepetitionIsSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "jobs.parquet")
	size := func(n int) int64 {
		if err := Write(ctx, Target{Path: path}, slices.Repeat(sampleJobs(1), n)); err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return st.Size()
	}
	if one, all := size(1), size(groupRows); all > one+4000 {
		t.Errorf("a row has %d bytes, %d of them %d", one, groupRows, all)
	}
}

// hybrid reads what appendHybrid wrote, in the words of Parquet's description.
func hybrid(t *testing.T, b []byte, width, n int) (ids []uint16) {
	t.Helper()
	varint := func() (v int) {
		for shift := 0; ; shift += 7 {
			c := b[0]
			b = b[1:]
			if v |= int(c&127) << shift; c < 128 {
				return v
			}
		}
	}
	for len(ids) < n {
		head := varint()
		if head&1 == 0 {
			id := uint16(b[0])
			if b = b[1:]; width > 8 {
				id |= uint16(b[0]) << 8
				b = b[1:]
			}
			ids = append(ids, slices.Repeat([]uint16{id}, head>>1)...)
			continue
		}
		for i := range (head >> 1) * 8 {
			id := uint16(0)
			for bit := range width {
				at := i*width + bit
				id |= uint16(b[at/8]>>(at%8)&1) << bit
			}
			ids = append(ids, id)
		}
		b = b[(head>>1)*width:]
	}
	for _, id := range ids[n:] {
		if id != 0 {
			t.Errorf("a value behind the last is %d", id)
		}
	}
	if len(b) > 0 || len(ids) >= n+8 {
		t.Errorf("%d bytes are left, %d values for %d", len(b), len(ids), n)
	}
	return ids[:n]
}

func TestHybrid(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for width := 1; width <= 16; width++ {
		for range 200 {
			var ids []uint16
			for range 1 + r.IntN(6) {
				if id := uint16(r.IntN(1 << width)); r.IntN(2) == 0 {
					ids = append(ids, slices.Repeat([]uint16{id}, 1+r.IntN(60))...)
				} else {
					for range 1 + r.IntN(60) {
						ids = append(ids, uint16(r.IntN(1<<width)))
					}
				}
			}
			if got := hybrid(t, appendHybrid(nil, ids, width), width, len(ids)); !slices.Equal(got, ids) {
				t.Fatalf("width %d: %v\nread as %v", width, ids, got)
			}
		}
	}
	if a := appendHybrid(nil, make([]uint16, groupRows), 1); len(a) != 4 {
		t.Errorf("a run has %d bytes", len(a))
	}
	for entries, want := range map[int]int{1: 1, 2: 1, 3: 2, 256: 8, 257: 9, mostTexts: 15} {
		if got := idBits(entries); got != want {
			t.Errorf("%d entries need %d bits, expected %d", entries, got, want)
		}
	}
}
