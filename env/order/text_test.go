package order

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/trait"
)

// What is exported is imported again: the vector, and options of an environment whose parameters
// begin with the same features, law and globals.
func TestImport(t *testing.T) {
	for _, text := range []string{"", ",hidden=2,margin=inf", ",features=rank+gpus,median_s=900,spread=0.5," +
		"margin=0.25,min_run=1", ",gates=true,features=rank", ",doubt_min_run=0.75,features=rank"} {
		e := made(t, config(t, small+text))
		params := vectors(e)[3]
		var file bytes.Buffer
		if err := e.Export(&file, params); err != nil {
			t.Fatal(err)
		}
		on, ok := env.Find[trait.Importer](env.Env(made(t, config(t, small))))
		if !ok {
			t.Fatal("it is not trait.Importer")
		}
		got, options, err := on.Import("w.txt", bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		for i := range params {
			if i >= len(got) || math.Abs(got[i]-params[i]) > 1e-12 {
				t.Fatalf("%s: imported %v, expected %v", text, got, params)
			}
		}
		alone, options2, err := made(t, config(t, small+",globals=false")).Import("w.txt",
			bytes.NewReader(file.Bytes()))
		if n := e.cfg.Rule.Func.Len(); err != nil || options2 != strings.Replace(options, ",gates=true", "", 1) ||
			!slices.Equal(alone, params[:n]) {
			t.Errorf("%s: without globals %v, %q, error %v", text, alone, options2, err)
		}
		of, want := made(t, config(t, small+",globals=false,"+options2)), made(t, config(t, small+text))
		if len(of.Parameters()) != len(alone) || of.cfg.Rule.Law != want.cfg.Rule.Law ||
			!slices.Equal(of.cfg.Rule.Func.Terms(), want.cfg.Rule.Func.Terms()) {
			t.Errorf("%s: options %q make the rule %+v, expected %+v", text, options, of.cfg.Rule, want.cfg.Rule)
		}
		rule, err := e.Rule(params)
		if err != nil {
			t.Fatal(err)
		}
		if of.cfg.Rule.Globals != rule.Globals {
			t.Errorf("%s: globals are %+v, expected %+v", text, of.cfg.Rule.Globals, rule.Globals)
		}
	}
	e := made(t, config(t, small))
	if _, _, err := e.Import("w.txt", strings.NewReader("tarry-score 1\npredictor none\nfeatures rank\nhidden "+
		"0\nrank = 1\nrank = 2\n")); err == nil || !strings.Contains(err.Error(), "w.txt:6") {
		t.Errorf("a weight twice: %v", err)
	}
	auto := "tarry-score 1\npredictor none\nfeatures rank\nhidden 0\nmargin = 0\nmin_run = 0\nt_rack = auto\nt_net " +
		"= auto\nlaw_median_s = 9\nlaw_spread = 1\nrank = 1\n"
	if _, _, err := e.Import("w.txt", strings.NewReader(auto)); err == nil ||
		!strings.Contains(err.Error(), "w.txt: t_rack and t_net are auto, expected numbers with globals") {
		t.Errorf("timers that are tuned: %v", err)
	}
}
