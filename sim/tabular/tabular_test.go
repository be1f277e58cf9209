package tabular

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func reader(t *testing.T, text string) *Reader {
	t.Helper()
	in, err := Decode("f", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return NewReader("f", in)
}

func TestMicrosAreExact(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "1": 1e6, "1.5": 1_500_000, "0.000001": 1, ".25": 250_000, "3.": 3e6, "-2.5": -2_500_000, "+4": 4e6,
		"0.0000005": 1, "0.0000004999": 0, "123456789012.654321": 123456789012654321, "1e3": 1e9, "2.5E-1": 250_000,
		"00007": 7e6,
	} {
		if got, ok := ParseMicros(s); !ok || got != want {
			t.Errorf("%q: got %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", ".", "-", "abc", "NaN", "nan", "inf", "-Inf", "1e300", "0x10", "1_000", "1,5",
		"9999999999999", "--1", "1.2.3", "1 2"} {
		if got, ok := ParseMicros(s); ok {
			t.Errorf("%q was read as %d", s, got)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		v := r.Int64N(1e17) >> r.IntN(50)
		if r.IntN(2) == 0 {
			v = -v
		}
		if got, ok := ParseMicros(FormatMicros(v)); !ok || got != v {
			t.Fatalf("%d was written as %s and read as %d", v, FormatMicros(v), got)
		}
	}
}

func TestClock(t *testing.T) {
	for s, want := range map[string]int64{
		"1970-01-01 00:00:01": 1e6, "2017-10-09 07:01:55": 1507532515e6, "2017-10-09T07:01:55Z": 1507532515e6,
		"2017-10-09 07:01:55.25": 1507532515250000,
		"2017-10-09":             1507507200e6, "2017-10-09 07:01": 1507532460e6,
		"2017-10-09T09:01:55+02:00": 1507532515e6,
		"2017-10-09 02:31:55-0430":  1507532515e6, "2017-10-09 07:01:55+00": 1507532515e6,
		"2017-10-09 07:01:55 UTC": 1507532515e6, "2017-10-09 07:01:55.1234567": 1507532515123457,
		"2017/10/09 07:01:55": 1507532515e6, "1970-01-01 01:00:00+01:00": 0,
	} {
		if got, ok := ParseClock(s); !ok || got != want {
			t.Errorf("%q: got %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "None", "2017-13-01 00:00:00", "2017-02-30 00:00:00", "1960-01-01 00:00:00",
		"07:01:55", "2017-10-09 25:00:00", "2017-10-09 07:01:60", "2017-10-09 07:01:55+25:00", "2017-10-09 7:01:55",
		"01/02/2017 07:01:55", "2017-10-09x07:01:55"} {
		if _, ok := ParseClock(s); ok {
			t.Errorf("%q was read as a time", s)
		}
	}
}

func TestLength(t *testing.T) {
	for s, want := range map[string]int64{
		"1-00:00:20": 86420e6, "0-00:01": 60e6, "2-03:04:05.5": 183845500000, "00:00:20": 20e6, "100:00:00": 360000e6,
		"0 days 00:00:20": 20e6, "1 day, 0:00:20": 86420e6,
		"2 days": 172800e6, "1 days 00:00:00.000001": 86400000001, "PT20S": 20e6, "P1DT2H3M4.5S": 93784500000,
		"P2D": 172800e6, "PT0.000001S": 1, "P1W": 604800e6,
	} {
		if got, ok := ParseLength(s); !ok || got != want {
			t.Errorf("%q: got %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "20", "1:30", "-1 days +23:59:50", "1-25:00:00", "2024-03-01", "2024-03",
		"00:61:00", "00:00:60", "P", "PT", "PT1", "P1DT", "PT-1S", "PT1e3S", "days", "1.5 days", "12:00:00 PM",
		"UNLIMITED", "P1Y", "70000000 day", "70000000-00:00:00"} {
		if got, ok := ParseLength(s); ok {
			t.Errorf("%q was read as %d us", s, got)
		}
	}
}

func TestWholeNumbersAndNames(t *testing.T) {
	for s, want := range map[string]int64{"4": 4, "4.0": 4, "4.": 4, "-1.0": -1, "1e3": 1000,
		"9223372036854775807": math.MaxInt64, "-1e0": -1, "-0.0": 0} {
		if got, ok := ParseWhole(s); !ok || got != want {
			t.Errorf("%q: got %d, %v, want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "4.5", "0x4", "1_0", "nan", "inf", "1e300", "four", "True"} {
		if got, ok := ParseWhole(s); ok {
			t.Errorf("%q was read as %d", s, got)
		}
	}
	for s, want := range map[string]string{"17.0": "17", "17.00": "17", "17": "17", "1.5": "1.5", "v1.0": "v1.0",
		"1.": "1.", ".0": ".0", "-3.0": "-3", "1.0.0": "1.0.0", "": ""} {
		if got := PlainName(s); got != want {
			t.Errorf("%q is the name %q, want %q", s, got, want)
		}
	}
}

// FuzzTimes: what is read as a time is in range, and reading does not panic.
func FuzzTimes(f *testing.F) {
	for _, s := range []string{"2017-10-09T09:01:55+02:00", "2024-03-01", "1-00:00:20", "0 days 00:00:20",
		"P1DT2H3M4.5S", "1 day, 0:00:20", "4e0", "17.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, ok := ParseClock(s); ok && v < 0 {
			t.Errorf("%q is %d us", s, v)
		}
		if v, ok := ParseLength(s); ok && (v < 0 || v > 2*maxMicros) {
			t.Errorf("%q is %d us long", s, v)
		}
		ParseWhole(s)
		PlainName(s)
	})
}

// The first tab, semicolon or bar of a header without a comma separates fields.
func TestSeparators(t *testing.T) {
	for _, sep := range []string{",", "\t", ";", "|"} {
		r := reader(t, strings.ReplaceAll("a,b\n1,\"x\"\n", ",", sep))
		if err := r.Header("a", "b"); err != nil {
			t.Errorf("%q: %v", sep, err)
			continue
		}
		if row, err := r.Next(); err != nil || row.Text("a")+row.Text("b") != "1x" || row.Field(1) != "x" ||
			row.Field(2) != "" {
			t.Errorf("%q gives %+v, %v", sep, row, err)
		}
	}
}

func TestFieldsAndLines(t *testing.T) {
	r := reader(t, "a,b\r\n1,\"x,\"\"y\"\"\"\r\n\r\n2,\"two\nlines\"\n3,\n")
	if err := r.Header("b"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d/%d %s=%q", row.Line, row.Number, row.Text("a"), row.Text("b")))
	}
	want := []string{`2/1 1="x,\"y\""`, `4/2 2="two\nlines"`, `6/3 3=""`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGetters(t *testing.T) {
	row := NewRow("f", 3, 1, []string{"n", "x", "t", "none"}, []string{" 4.0 ", "-1", "later", "NaN"})
	if row.Count("n", 0, 10) != 4 || row.Known("none") || row.Known("absent") || !row.Known("n") ||
		len(row.Faults()) != 0 {
		t.Errorf("faults %v", row.Faults())
	}
	row.Count("n", 5, 10)
	row.Float("x", 0, false)
	row.Float("none", 0, true)
	row.Positive("x")
	row.Clock("t")
	row.Count("absent", 0, math.MaxInt64)
	want := "f:3: column \"n\" is \"4.0\", expected a whole number from 5 to 10\n" +
		"f:3: column \"x\" is \"-1\", expected a number >= 0\n" +
		"f:3: column \"none\" is \"NaN\", expected a number > 0\n" +
		"f:3: column \"x\" is \"-1\", expected seconds > 0\n" +
		"f:3: column \"t\" is \"later\", expected a time YYYY-MM-DD hh:mm:ss\n" +
		"f:3: column \"absent\" is \"\", expected a whole number >= 0"
	if err := Join(row.Faults()); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	long := &Fault{File: "f", Line: 1, Column: "c", Value: strings.Repeat("x", 500), Want: "less"}
	if len(long.Error()) > 120 || Join(nil) != nil {
		t.Errorf("a long value is printed in full: %s", long)
	}
}

func TestLongLinesEnd(t *testing.T) {
	for name, text := range map[string]string{
		"a line without an end": "a\n" + strings.Repeat("x", maxLine+bufferSize+2),
		"a quote left open":     "a\n\"" + strings.Repeat("x\n", maxLine/2+2),
	} {
		r := reader(t, text)
		if err := r.Header("a"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "f:2: the ") ||
			!strings.Contains(err.Error(), "is longer than 1048576 bytes") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A line longer than the buffer and shorter than the limit is a line.
	r := reader(t, "a,b\n"+strings.Repeat("x", 3*bufferSize)+",1\n")
	if err := r.Header("a"); err != nil {
		t.Fatal(err)
	}
	if row, err := r.Next(); err != nil || len(row.Text("a")) != 3*bufferSize || row.Text("b") != "1" {
		t.Errorf("a long line: %v", err)
	}
}

func TestReadErrorsHaveAPlace(t *testing.T) {
	broken := errors.New("disk on fire")
	in, err := Decode("f", io.MultiReader(strings.NewReader("a\n12345\n"), iotest.ErrReader(broken)))
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader("f", in)
	if err := r.Header("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, broken) || err.Error() != "f:3: disk on fire" {
		t.Errorf("got %v", err)
	}
	if _, err := Decode("f", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestDecodeRefusesOtherFiles(t *testing.T) {
	for magic, what := range map[string]string{"PAR1xxxx": "a Parquet file", "PK\x03\x04xx": "a zip archive",
		"BZh91":        "compressed by bzip2",
		"\xfd7zXZ\x00": "compressed by xz", "\xff\xfea\x00": "UTF-16 text"} {
		_, err := Decode("f", strings.NewReader(magic))
		want := "f: is " + what + ", expected UTF-8 text, plain or compressed by gzip or zstd"
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", magic, err, want)
		}
	}
	tar := strings.Repeat("\x00", 257) + "ustar\x00rest"
	if _, err := Decode("f", strings.NewReader(tar)); err == nil || err.Error() != "f: is a tar archive, expected "+
		"one of the files inside it: extract them first" {
		t.Errorf("a tar archive: %v", err)
	}
	if _, err := Decode("f", strings.NewReader("\x1f\x8bxx")); err == nil {
		t.Error("a broken gzip header was accepted")
	}
}

func TestObjectsTellTheirLines(t *testing.T) {
	in, err := Decode("f", strings.NewReader("\n[\n {\"a\": \"1\"},\n\n {\"a\":\n 2.50},\n 7,\n {\"a\": null}, "+
		"{\"a\": true}\n]\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := NewObjects("f", in)
	var got []string
	for {
		v := map[string]Text{}
		line, err := o.Next(&v)
		if err == io.EOF {
			break
		}
		var fault *Fault
		if err != nil && !errors.As(err, &fault) {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %v", line, v["a"], err))
	}
	want := []string{"3 1 <nil>", "5 2.50 <nil>", "7  f:7: the element is a number, expected an object", "8  <nil>",
		"8 true <nil>"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestObjectsHaveALargestSize(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`["`), io.LimitReader(xs{}, 1<<20))
	in, err := Decode("f", endless)
	if err != nil {
		t.Fatal(err)
	}
	var v Text
	o := NewObjects("f", in)
	o.lines.most = 1 << 17
	if _, err := o.Next(&v); err == nil || !strings.Contains(err.Error(), "an element of the list is larger than") {
		t.Errorf("got %v", err)
	}
}

// xs is a file of nothing but x.
type xs struct{}

func (xs) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A gigabyte of line ends fits into a megabyte: reading ends at the bound, long before the end.
func TestEmptyLinesAreBounded(t *testing.T) {
	for comment, line := range map[string]string{"": "\n", "#": "# a comment\n"} {
		in := &endless{line: line}
		r := NewReader("f", &Stream{Reader: bufio.NewReader(in)})
		r.Comment = comment
		_, err := r.Next()
		if want := "f:1000001: 1000001 lines are empty or comments and 0 are rows, expected at most 1000000 and one " +
			"for each row"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if most := 2 * (maxEmpty*len(line) + bufferSize); in.given > most {
			t.Errorf("%d bytes were read, expected at most %d", in.given, most)
		}
	}
}

// So is white space in JSON: what is kept of it is bounded, too.
func TestWhiteSpaceOfJSONIsBounded(t *testing.T) {
	in := &endless{line: "\n"}
	o := NewObjects("f", &Stream{Reader: bufio.NewReader(io.MultiReader(strings.NewReader("["), in))})
	var v map[string]Text
	if _, err := o.Next(&v); err == nil || !strings.Contains(err.Error(),
		"an element of the list is larger than 8388608 bytes") {
		t.Errorf("got %v", err)
	}
	if in.given > 4*maxElement {
		t.Errorf("%d bytes were read, expected at most %d", in.given, 4*maxElement)
	}
}

// endless repeats a line for ever and counts what it gave.
type endless struct {
	line  string
	given int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		k := copy(p[n:], e.line[(e.given+n)%len(e.line):])
		n += k
	}
	e.given += n
	return n, nil
}

// A table that is kept in memory is bounded: by its size where it has one, before it is read, and
// by what comes out of compression.
func TestTablesAreBounded(t *testing.T) {
	dir := t.TempDir()
	long, bomb := filepath.Join(dir, "long.csv"), filepath.Join(dir, "bomb.csv.gz")
	f, err := os.Create(long)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(3<<30), f.Close()); err != nil { // a hole: it takes no disk
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	row := []byte(strings.Repeat("x", 1<<19) + "\n")
	_, err = z.Write([]byte("a\n"))
	for range MaxTable>>19 + 1 {
		_, more := z.Write(row)
		err = errors.Join(err, more)
	}
	if err := errors.Join(err, z.Close(), os.WriteFile(bomb, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		long: long + ": has 3221225472 bytes, a table that is kept in memory at most 67108864",
		bomb: bomb + ":129: has more than 67108864 bytes, a table that is kept in memory at most 67108864",
	} {
		if err := Each(file, nil, func(*Row) {}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := OpenTable(long); err == nil || !strings.Contains(err.Error(), "3221225472 bytes") {
		t.Errorf("OpenTable: %v", err)
	}
	if _, err := OpenTable(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("OpenTable of a folder: %v", err)
	}
	in, err := OpenTable("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	if n, err := io.Copy(io.Discard, in); err == nil || n > MaxTable ||
		!strings.Contains(err.Error(), "has more than 67108864 bytes") {
		t.Errorf("a stream without an end: %d bytes, %v", n, err)
	}
}
