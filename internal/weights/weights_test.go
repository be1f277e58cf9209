package weights

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// names are the weights of the files in these tests.
func names() []string { return []string{"a", "b"} }

// parse reads a file as a kind does: its first line, a line of its own, and two weights.
func parse(name string, in io.Reader) ([]float64, error) {
	r := New(name, in)
	out := make([]float64, 2)
	if r.First("kind 1") {
		if v, ok := r.Word("size", "a number"); ok {
			r.Number("size", v, 0, 9)
		}
		r.Pairs(names(), func(i int, value string) { out[i] = r.Number(names()[i], value, -16, 16) })
		r.Require(names(), "both weights")
	}
	return out, r.Err()
}

func TestReader(t *testing.T) {
	got, err := parse("f", strings.NewReader("\ufeff# of two\r\n\n kind 1 \nsize 3\n#b = 5\n b=-2.5e-1\r\n\ufeffa "+
		"= 0x1p-2"))
	if err != nil || !slices.Equal(got, []float64{0.25, -0.25}) {
		t.Errorf("%v, %v", got, err)
	}
}

// A fault names the file, the line, the value and what was expected; each line has its own.
func TestFaults(t *testing.T) {
	const head = "kind 1\nsize 3\n"
	long := strings.Repeat("x", 99)
	for text, want := range map[string]string{
		"":                          `f:1: the file begins with "", expected "kind 1"`,
		"# a\nkind 2\na = 1":        `f:2: the file begins with "kind 2", expected "kind 1"`,
		"kind 1\nsize3\na=1\nb=1":   `f:2: the line is "size3", expected "size" and a number`,
		"kind 1\nsize 10\na=1\nb=1": `f:2: size is "10", expected a number from 0 to 9`,
		head + "a = 1\n\nb 2": "f:5: the line is \"b 2\", expected NAME = VALUE\nf:5: the weight b is " +
			"missing, expected both weights",
		head: "f:2: the weight a is missing, expected both weights\nf:2: the weight b " +
			"is missing, expected both weights",
		head + "a=1\nb=x\na=2\na=3\nc=": "f:4: b is \"x\", expected a number from -16 to 16\nf:5: a is given on " +
			"line 3 already, expected once\nf:6: a is given on line 3 already, expected once\nf:7: \"c\" is " +
			"unknown, expected some of a, b",
		head + "a = NaN\nb = 16.1": "f:3: a is \"NaN\", expected a number from -16 to 16\nf:4: b is " +
			"\"16.1\", expected a number from -16 to 16",
		head + "a = 1\nb = -inf":          `f:4: b is "-inf", expected a number from -16 to 16`,
		head + "a=1\nb=1\n" + long + "=3": `f:5: "` + long[:60] + `..." is unknown, expected some of a, b`,
	} {
		if _, err := parse("f", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: error\n%v\nwant\n%s", text, err, want)
		}
	}
}

// However long the file, there are 20 faults, of the first lines.
func TestMostFaults(t *testing.T) {
	_, err := parse("f", strings.NewReader("kind 1\nsize 3\n"+strings.Repeat("c = 1\n", 50_000)))
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != 20 || !strings.HasPrefix(lines[19], `f:22: "c" is unknown`) {
		t.Errorf("%d faults, the last is %s", len(lines), lines[len(lines)-1])
	}
}

// A file of 1 MiB is read to its end; of a longer one nothing is taken.
func TestLength(t *testing.T) {
	const head, last = "kind 1\nsize 3\na=1\n", "b=2"
	for more, want := range map[int]string{0: "<nil>", 1: "f: the file is longer than 1048576 bytes, expected at " +
		"most that", 9999: "f: the file is longer than 1048576 bytes, expected at most that"} {
		fill := strings.Repeat("#234567\n", (maxBytes-len(head)-len(last))/8) +
			strings.Repeat("\n", (maxBytes-len(head)-len(last))%8+more)
		got, err := parse("f", strings.NewReader(head+fill+last))
		if fmt.Sprint(err) != want || err == nil && got[1] != 2 {
			t.Errorf("%d bytes: %v, %v", len(head+fill+last), got, err)
		}
	}
}

// broken is a file that cannot be read to its end.
type broken struct{ io.Reader }

func (b broken) Read(to []byte) (int, error) {
	n, err := b.Reader.Read(to)
	if err == io.EOF {
		err = io.ErrClosedPipe
	}
	return n, err
}

// What fails while reading is an error, though all that was read is right.
func TestBroken(t *testing.T) {
	_, err := parse("f", broken{strings.NewReader("kind 1\nsize 3\na=1\nb=2\n")})
	if err == nil || err.Error() != "f:4: io: read/write on closed pipe" {
		t.Errorf("error %v", err)
	}
	if _, err = Load("/none/at.all", parse); err == nil || !strings.HasPrefix(err.Error(),
		"weights: open /none/at.all") {
		t.Errorf("error %v", err)
	}
}

// Spread is where searches begin: its values are frozen.
func TestSpread(t *testing.T) {
	for name, want := range map[string]float64{"unit1rank": -0.07240505218505859, "unit1.request": 0.17888116836547852,
		"": -0.22512166500091552} {
		if got := Spread(name); got != want {
			t.Errorf("%q is at %v, expected %v", name, got, want)
		}
	}
	seen := map[float64]bool{}
	for i := range 1000 {
		x := Spread(fmt.Sprintf("unit%d.rank", i))
		if seen[x] || math.Abs(x) > 0.3 {
			t.Errorf("%d is at %v", i, x)
		}
		seen[x] = true
	}
}

// Whatever is read, faults begin with the file and a line and are at most 20; what has none is
// written as text that reads back.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"kind 1\nsize 3\na = 1e-300\nb=0x1p-2\n", "\ufeffkind 1\nsize 3\na = 1\na=2\n",
		"kind 1\nsize\n", "", strings.Repeat("#", 70_000), strings.Repeat("c\n", 30)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse("f", strings.NewReader(text))
		if err != nil {
			lines := strings.Split(err.Error(), "\n")
			if len(lines) > maxFaults || slices.ContainsFunc(lines,
				func(l string) bool { return !strings.HasPrefix(l, "f:") || strings.HasPrefix(l, "f:0") }) {
				t.Errorf("%q: error %v", text, err)
			}
			return
		}
		again, err := parse("f", strings.NewReader("kind 1\nsize 3\n"+Lines(names(), got)))
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("%q is %v and reads back as %v, error %v", text, got, again, err)
		}
	})
}
