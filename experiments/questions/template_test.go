package questions

import (
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
)

// repeated is a question whose sweeps and cases are templates.
const repeated = `name: repeated
question: Asked.
predict: Expected.
vars:
  all: [{size: small, load: 0.5}, "{more}"]
  more:
    tiny: []
    small: [{of: [{size: mid}], load: 0.7}]
    full: [{of: [{size: mid}, {size: large, racks: 8}], load: 0.7}, {size: huge}]
  racks: 2
  load: 0.9
  base: {cluster: 2x2x8, speed: collective}
kind: simulate
sweeps:
  - of: [{policy: fifo}, {policy: srtf, racks: 3}]
    name: repeated-{policy}
    base: {<<: "{base}", speed: "tiers", policy: "{policy}"}
    axes:
      - name: size
        cases:
          - of: "{all}"
            name: "{size}"
            set: {trace: "synth:poisson,jobs=20,load={load}", cluster: "{racks}x2x8"}
`

// A template stands for an entry per entry of its list: the entry's keys are variables, the innermost
// first, then the file's. Lists in the list, of a scale and of a template, are one list.
func TestTemplates(t *testing.T) {
	q, err := read(t, repeated)
	if err != nil {
		t.Fatal(err)
	}
	for scale, want := range map[string]string{
		sweep.Tiny: "fifo small 0.5 2x2x8 tiers, srtf small 0.5 3x2x8 tiers",
		sweep.Small: "fifo small 0.5 2x2x8 tiers, fifo mid 0.7 2x2x8 tiers, srtf small 0.5 3x2x8 tiers, " +
			"srtf mid 0.7 3x2x8 tiers",
		sweep.Full: "fifo small 0.5 2x2x8 tiers, fifo mid 0.7 2x2x8 tiers, fifo large 0.7 8x2x8 tiers, " +
			"fifo huge 0.9 2x2x8 tiers, srtf small 0.5 3x2x8 tiers, srtf mid 0.7 3x2x8 tiers, " +
			"srtf large 0.7 8x2x8 tiers, srtf huge 0.9 3x2x8 tiers",
	} {
		var got []string
		for _, s := range q.Specs(scale) {
			cells, err := s.Cells(shipped.All())
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cells {
				_, load, _ := strings.Cut(fmt.Sprint(c.Settings["trace"]), "load=")
				if s.Name != fmt.Sprint("repeated-", c.Settings["policy"]) {
					t.Errorf("%s has %v", s.Name, c.Settings["policy"])
				}
				got = append(got, fmt.Sprint(c.Settings["policy"], " ", c.Axes["size"], " ", load, " ",
					c.Settings["cluster"], " ", c.Settings["speed"]))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s:\ngot  %s\nwant %s", scale, strings.Join(got, ", "), want)
		}
	}
}

// What one environment has and another has not is exchanged.
func TestExchange(t *testing.T) {
	text := `name: exchanged
question: Asked.
predict: Expected.
vars: {here: "tarry/Order-v0:workload=recur,load=0.9", there: "tarry/Order-v0:workload=demo"}
kind: learn
base:
  agent: cmaes-policy
  env: "{here}"
  evaluate: {windows: 2, set: {exchange: {from: "{here}", to: "{there}"}}}
`
	q, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	how, _ := q.Specs(sweep.Full)[0].Base["evaluate"].(map[string]any)
	if got := fmt.Sprint(how["set"]); got != "[load= workload=demo]" {
		t.Errorf("evaluate: %v", how)
	}
	_, err = read(t, strings.Replace(text, ", to:", ", two:", 1))
	want := "exchange is map[from:tarry/Order-v0:workload=recur,load=0.9 two:tarry/Order-v0:workload=demo], " +
		"expected {from: ENVIRONMENT, to: ENVIRONMENT}"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A fault in a template is stated with the line of what is wrong in it.
func TestFaultsOfTemplates(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`of: "{all}"`, `of: all`, "q.yaml:21:13: all is no entry for a template, expected a list of key: value"},
		{`of: "{all}"`, `of: [{size: a}, b]`, "q.yaml:21:29: b is no entry for a template"},
		{`<<: "{base}"`, `<<: [a]`, "q.yaml:17:12: << is not a mapping"},
		{"{size: small, load: 0.5}", `{size: "{size}"}`, "{size} stands in its own value"},
		{"{size: small, load: 0.5}", `"{all}"`, "{all} stands in its own value"},
		{"load: 0.5}", "load: x}", "load is \"x\""},
	} {
		text := strings.Replace(repeated, c.old, c.new, 1)
		if text == repeated {
			t.Fatalf("%q is not there", c.old)
		}
		q, err := read(t, text)
		if err == nil {
			for _, s := range q.Specs(sweep.Full) {
				cells, _ := s.Cells(shipped.All())
				err = s.Check(shipped.All(), cells)
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.new, err, c.want)
		}
	}
}

// Templates of templates end at a bound.
func TestTemplatesEnd(t *testing.T) {
	text := "name: bomb\nkind: simulate\nbase: {trace: '{z}'}\nvars:\n  a: [{v: 1}, {v: 2}]\n"
	for c := 'b'; c <= 'y'; c++ {
		text += fmt.Sprintf("  %c: [{of: ['{%c}', '{%c}'], w: 1}]\n", c, c-1, c-1)
	}
	text += "  z: [{of: '{y}', k: '{v}'}]\n"
	if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), "more than 262144 values") {
		t.Errorf("%v", err)
	}
}
