package tariff

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim/rng"
	"tarry/sim/series"
)

func kinds() []Kind { return []Kind{Price(), Carbon(), Cap()} }

func parse(t *testing.T, k Kind, text string) *series.Series {
	t.Helper()
	s, err := k.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "series.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A number holds for ever; none and nothing give no series.
func TestNumber(t *testing.T) {
	for _, k := range kinds() {
		if s := parse(t, k, "0.25"); s.At(0) != 0.25 || s.At(math.MaxInt64) != 0.25 || s.Next(0) != math.MaxInt64 {
			t.Errorf("%s: %+v", k.Key, s)
		}
		if parse(t, k, "none") != nil || parse(t, k, "") != nil {
			t.Errorf("%s: none gives a series", k.Key)
		}
	}
	if got := parse(t, Price(), "-2").At(5); got != -2 {
		t.Errorf("a price of -2 is %v", got)
	}
}

// A synthetic day has its mean, two peaks, and repeats; swing 0 is constant, and start_h turns it.
func TestDay(t *testing.T) {
	for _, k := range kinds()[:2] {
		s, sum, peaks := parse(t, k, "day:mean=3"), 0.0, 0
		for h := range int64(24) {
			v := s.At(h * hourUs)
			if sum += v; v > s.At((h+23)*hourUs) && v > s.At((h+1)*hourUs) {
				peaks++
			}
			if v != s.At((h+48)*hourUs+hourUs-1) {
				t.Errorf("%s: hour %d differs two days later", k.Key, h)
			}
			if got := parse(t, k, fmt.Sprintf("day:mean=3,start_h=%d", h)).At(0); got != v {
				t.Errorf("%s: from hour %d on it begins with %v, expected %v", k.Key, h, got, v)
			}
			if got := parse(t, k, "day:swing=0,mean=3").At(h * hourUs); got != 3 {
				t.Errorf("%s: without swing hour %d has %v", k.Key, h, got)
			}
		}
		if math.Abs(sum/24-3) > 1e-12 || peaks != 2 {
			t.Errorf("%s: mean %v, %d peaks, expected 3 and 2", k.Key, sum/24, peaks)
		}
	}
}

// Whatever rows a file has and wherever the run begins, the series is what the file states at that
// time: the last row at or before it, within each repetition.
func TestFileTwin(t *testing.T) {
	r := rng.Source{Seed: 7}.Stream("tariff")
	for range 300 {
		n := 1 + r.IntN(6)
		var at []int64
		now := int64(r.IntN(5))
		text := "time_s,price\n"
		for i := range n {
			at, text = append(at, now), text+fmt.Sprintf("%d,%d\n", now, i)
			now += 1 + int64(r.IntN(4))
		}
		start, every := at[0]+int64(r.IntN(30)), int64(0)
		options := fmt.Sprintf(",start=%d", start)
		if r.IntN(2) == 0 {
			every = now - at[0] + int64(r.IntN(3))
			options += fmt.Sprintf(",every_s=%d", every)
		}
		s := parse(t, Price(), file(t, text)+options)
		for x := range int64(60) {
			of := start + x - at[0]
			if every > 0 {
				of %= every
			}
			want := 0
			for i := range at {
				if at[i]-at[0] <= of {
					want = i
				}
			}
			if got := s.At(x * 1e6); got != float64(want) {
				t.Fatalf("%q%s: %v after %d s, expected %d; series %+v", text, options, got, x, want, s)
			}
		}
	}
}

// Times are seconds, hours or dates; the values' column has one of two names, and scale multiplies.
func TestColumns(t *testing.T) {
	for text, options := range map[string]string{
		"time_s,value\n0,1\n1800,2\n":                                         "",
		"carbon,hour\n1,0\n2,0.5\n":                                           "",
		"time,value\n2024-01-01 00:00,1\n2024-01-01T00:30:00Z,2\n":            "",
		"time,value\n2023-12-31,9\n2024-01-01 00:00,1\n2024-01-01T00:30:00,2": ",start=2024-01-01",
	} {
		s := parse(t, Carbon(), file(t, text)+",scale=10"+options)
		if s.At(0) != 10 || s.At(1800e6-1) != 10 || s.At(1800e6) != 20 || s.Every != 0 {
			t.Errorf("%q: %+v", text, s)
		}
	}
	if got := Files("a.csv.gz,start=3"); len(got) != 1 || got[0] != "a.csv.gz" || Files("day") != nil {
		t.Errorf("files %q", got)
	}
}

// Values up to 1 are parts of a cluster's maximum, others watts.
func TestWatts(t *testing.T) {
	s := Watts(parse(t, Cap(), file(t, "hour,power_cap\n0,0.5\n1,1\n2,400\n3,0\n")+",every_s=86400"), 1000)
	for h, want := range []float64{500, 1000, 400, 0, 0} {
		if got := s.At(int64(h) * hourUs); got != want {
			t.Errorf("hour %d: %v W, expected %v", h, got, want)
		}
	}
	if got := s.At(24 * hourUs); got != 500 {
		t.Errorf("the next day begins with %v W", got)
	}
}

// What is wrong is named with its line, value and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{Price(), "dya", `kwh_price is "dya", expected a number, day[:`},
		{Price(), "dya", `did you mean "day"?`},
		{Price(), "1e10", `kwh_price is "1e10", expected a number in -1e+09..1e+09`},
		{Carbon(), "-1", `carbon is "-1", expected a number in 0..1e+09`},
		{Cap(), "day", `power_cap is "day", expected watts, a part (0..1)`},
		{Carbon(), "day:mean=-1", `mean is "-1"`},
		{Price(), "day:start_h=24", `start_h is "24"`},
		{Price(), "none.csv", "no such file"},
		{Price(), file(t, "time_s,value\n0,1\n") + ",evry_s=3", `unknown key "evry_s"`},
		{Price(), file(t, "time_s,hour,value\n0,1,1\n"), ":1: expected one of the columns time_s, hour and time"},
		{Price(), file(t, "time_s,cost\n0,1\n"), ":1: expected one of the columns"},
		{Price(), file(t, "time_s,value\n0,1\n0,2\n"), `:3: column "time_s" is "0", expected a time after the row`},
		{Carbon(), file(t, "time_s,value\n0,-1\n"), ":2: column \"value\" is \"-1\", expected a number >= 0"},
		{Price(), file(t, "time_s,value\n0,x\n"), ":2: column \"value\" is \"x\""},
		{Price(), file(t, "time_s,value\n0,1e10\n"), "expected at most 1e+09"},
		{Price(), file(t, "time_s,value\n"), "no rows"},
		{Price(), file(t, "time_s,value\n0,1\n5,1\n") + ",every_s=5", "every_s is 5, expected more than the 5 s"},
		{Price(), file(t, "time_s,value\n4,1\n") + ",start=3", `start is "3", expected a time as the column time_s has`},
		{Carbon(), file(t, "time_s,value\n4,1\n") + ",scale=-1", "scale is -1, expected values in 0..1e+09"},
	} {
		if _, err := c.kind.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, expected %s", c.kind.Key, c.text, err, c.want)
		}
	}
}

// FuzzParse: a text is refused or gives a valid series with values in their range.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "day:mean=2,swing=0.5,start_h=3", "0.5", "none", "x.csv,every_s=3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if Files(text) == nil {
			check(t, text)
		}
	})
}

// FuzzFile: so is a file.
func FuzzFile(f *testing.F) {
	f.Add("time_s,value\n0,1\n5,2\n", "every_s=6,start=3")
	f.Add("hour,price\n0,-1\n5e-1,2\n", "scale=2")
	f.Add("time,value\n2024-01-01 00:00,1\n2024-01-01T00:30:00+01:00,2\n", "start=2024-01-01")
	f.Fuzz(func(t *testing.T, text, options string) { check(t, file(t, text)+","+options) })
}

func check(t *testing.T, text string) {
	for _, k := range kinds() {
		s, err := k.Parse(text)
		if err != nil || s == nil {
			continue
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s %q: %v", k.Key, text, err)
		}
		for _, p := range s.Steps {
			if !(p.Value >= k.Low && p.Value <= k.High) {
				t.Errorf("%s %q: value %v", k.Key, text, p.Value)
			}
		}
	}
}
