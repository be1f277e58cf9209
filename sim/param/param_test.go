package param

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

func read(text string) (*Set, []any) {
	s := Parse("policy dally", text)
	return s, []any{s.Float("t_rack", 6, 0, math.Inf(1)), s.Int("history", 12, 1, 100), s.Bool("preempt", true),
		s.Enum("order", "nw", "fifo", "nw"), s.Floats("q", []float64{1}, 0, 9), s.Text("note", "-")}
}

func TestRead(t *testing.T) {
	s, got := read(" t_rack=inf, history=3,preempt=false,order=fifo,q=1/2.5,note=a b")
	if want := []any{math.Inf(1), 3, false, "fifo", []float64{1, 2.5}, "a b"}; !reflect.DeepEqual(got, want) ||
		s.Err() != nil {
		t.Errorf("got %v %v, want %v", got, s.Err(), want)
	}
	s, got = read("")
	if want := []any{6., 12, true, "nw", []float64{1}, "-"}; !reflect.DeepEqual(got, want) || s.Err() != nil {
		t.Errorf("defaults %v %v, want %v", got, s.Err(), want)
	}
}

func TestFaults(t *testing.T) {
	for in, want := range map[string]string{
		"t_rack":      `policy dally: "t_rack": expected key=value`,
		"=3":          `policy dally: "=3": expected key=value`,
		"t_rack=x":    `policy dally: t_rack is "x", expected a number >= 0 (inf allowed)`,
		"t_rack=-1":   `policy dally: t_rack is "-1", expected a number >= 0 (inf allowed)`,
		"t_rack=NaN":  `policy dally: t_rack is "NaN", expected a number >= 0 (inf allowed)`,
		"history=1.5": `policy dally: history is "1.5", expected a whole number in 1..100`,
		"history=0":   `policy dally: history is "0", expected a whole number in 1..100`,
		"preempt=yes": `policy dally: preempt is "yes", expected true or false`,
		"order=fifi":  `policy dally: order is "fifi", expected nw, fifo; did you mean "fifo"?`,
		"q=1/10":      `policy dally: q is "1/10", expected numbers separated by '/', each a number in 0..9`,
		"histroy=3":   `policy dally: unknown key "histroy", expected one of history, note, order, preempt, q, t_rack; did you mean "history"?`,
		"q=1,q=2":     "policy dally: q appears twice",
		"zzzz=1,q=x": "policy dally: q is \"x\", expected numbers separated by '/', each a number in " +
			"0..9\npolicy dally: unknown key \"zzzz\", expected one of history, note, order, preempt, q, t_rack",
		"t_rack=1,,q=1":            `policy dally: "": expected key=value`,
		"t_rack=0,9":               `policy dally: t_rack is "0,9", expected a point before the decimals, not a comma: t_rack=0.9`,
		"q=1,t_rack=-12,50,note=a": `policy dally: t_rack is "-12,50", expected a point before the decimals, not a comma: t_rack=-12.50`,
		"note=a,9":                 `policy dally: "9": expected key=value`,
		"9":                        `policy dally: "9": expected key=value`,
		"t_rack=0x10":              `policy dally: t_rack is "0x10", expected a number >= 0 (inf allowed)`,
		"t_rack=1_0":               `policy dally: t_rack is "1_0", expected a number >= 0 (inf allowed)`,
		"q=1/0x1p1":                `policy dally: q is "1/0x1p1", expected numbers separated by '/', each a number in 0..9`,
		`t_rack="0,9"`:             `policy dally: t_rack is "0,9", expected a number >= 0 (inf allowed)`,
	} {
		s, _ := read(in)
		if err := s.Err(); err == nil || err.Error() != want {
			t.Errorf("%q: error %v\nwant %s", in, err, want)
		}
	}
	if err := Parse("policy fifo", "a=1").Err(); err == nil ||
		err.Error() != `policy fifo: unknown key "a", expected none` {
		t.Errorf("error %v", err)
	}
}

func TestHint(t *testing.T) {
	for got, want := range map[string]string{"dlaly": `; did you mean "dally"?`, "xyzzyq": "", "": "",
		"TIRESIA": `; did you mean "tiresias"?`} {
		if h := Hint(got, []string{"dally", "tiresias"}); h != want {
			t.Errorf("Hint(%q) = %q, want %q", got, h, want)
		}
	}
}

// TestSettings: a set states what the code that read it takes.
func TestSettings(t *testing.T) {
	s, _ := read("")
	s.Float("t_rack", 6, 0, math.Inf(1)) // asked again
	want := []Setting{{"t_rack", "a number >= 0 (inf allowed)", "6"}, {"history", "a whole number in 1..100", "12"},
		{"preempt", "true or false", "true"},
		{"order", "nw, fifo", "nw"}, {"q", "numbers separated by '/', each a number in 0..9", "1"},
		{"note", "text", "-"}}
	if got := s.Settings(); !reflect.DeepEqual(got, want) {
		t.Errorf("settings %q\nwant %q", got, want)
	}
}

// A number or a word, which may be the default.
func TestFloatOr(t *testing.T) {
	for _, c := range []struct {
		text  string
		def   float64
		want  float64
		named bool
		fault string
	}{
		{"", 0.3, 0.3, false, ""}, {"", math.NaN(), math.NaN(), true, ""}, {"x=fit", 0.3, math.NaN(), true, ""},
		{"x=2", math.NaN(), 2, false, ""}, {"x=inf", 0.3, math.Inf(1), false, ""},
		{"x=-1", 0.3, 0.3, false, `it: x is "-1", expected a number >= 0 (inf allowed) or fit`},
		{"x=fat", math.NaN(), math.NaN(), true, `it: x is "fat", expected a number >= 0 (inf allowed) or fit`},
	} {
		s := Parse("it", c.text)
		got, named := s.FloatOr("x", "fit", c.def, 0, math.Inf(1))
		if err := s.Err(); fmt.Sprint(got, named) != fmt.Sprint(c.want, c.named) || c.fault == "" && err != nil ||
			c.fault != "" && (err == nil || err.Error() != c.fault) {
			t.Errorf("%q: %v %v, error %v; expected %v %v, %s", c.text, got, named, err, c.want, c.named, c.fault)
		}
	}
	if got, want := func() Setting {
		s := Parse("it", "")
		s.FloatOr("x", "fit", math.NaN(), 0,
			1)
		return s.Settings()[0]
	}(), (Setting{"x", "a number in 0..1 or fit", "fit"}); got != want {
		t.Errorf("%+v, expected %+v", got, want)
	}
}

func TestParseFloat(t *testing.T) {
	for text, want := range map[string]float64{"0.9": 0.9, "-3": -3, "+1e-4": 1e-4, ".5": 0.5, "inf": math.Inf(1),
		"-inf": math.Inf(-1), "+Inf": math.Inf(1)} {
		if got, err := ParseFloat(text); err != nil || got != want {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0,9", "nan", "NaN", "infinity", "0x1p-2", "1_000", "1e", "--1", "1e999", " 1"} {
		if got, err := ParseFloat(text); err == nil {
			t.Errorf("%q is read as %v, expected an error", text, got)
		}
	}
}
