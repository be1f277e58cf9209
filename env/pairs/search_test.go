package pairs

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/env"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
	"tarry/env/trait"
	"tarry/sim"
)

// vectors are the start and some others.
func vectors(e *Env) [][]float64 { return schedtest.Vectors(e.Parameters(), 3) }

// A vector that plays a window by itself, one that answers question by question, and the policy typed
// are the same agent; a search starts as typed with its default weights, record for record.
func TestVectors(t *testing.T) {
	for _, text := range []string{small, strings.Replace(small, "warm=8", "warm=0", 1) + ",features=price+edge+rank",
		small + ",checkpoint_s=20,eager=false,round=900", small + ",workload=recur,predict=ridge,predicted=true"} {
		c := config(t, text+",warmup=base") // episodes and plays begin after it
		e := made(t, c)
		if err := trait.CheckParameters(e.Parameters()); err != nil {
			t.Fatal(err)
		}
		for k, params := range vectors(e) {
			p, err := e.AsParametric(params)
			if err != nil {
				t.Fatal(err)
			}
			want := schedtest.Records(t, &c.Config, 1, p)
			got, steps := schedtest.Play(t, e.Env, "window=1", func(obs []float64, _ []bool, action []float64) {
				if err := e.Answer(action, obs, params); err != nil {
					t.Fatal(err)
				}
			})
			if !slices.Equal(got, want) {
				t.Errorf("%s, vector %d: answers lead to other records, after %d questions", text, k, steps)
			}
			if start := schedtest.Records(t, &c.Config, 1, policy(t, c.Typed.String())); slices.Equal(start, want) != (k == 0) {
				t.Errorf("%s, vector %d: the records are those of typed: %v", text, k, k > 0)
			}
			o, err := e.Play(context.Background(), params, schedenv.Train, 1)
			if err != nil {
				t.Fatal(err)
			}
			jct := 0.0
			for j, r := range want {
				jct += (r.End - e.Workload()[j].Submit).Seconds() / float64(len(want))
			}
			if math.Abs(o.Metrics[0].Value/jct-1) > 1e-12 || (o.Cost == 1) != (k == 0) ||
				math.Abs(o.Cost-o.Metrics[0].Value/o.Metrics[1].Value) > 1e-12 {
				t.Errorf("%s, vector %d: Play gives %v, the records %v", text, k, o, jct)
			}
		}
	}
}

// The text of a vector is the policy typed, from the first job on, and is read back.
func TestExport(t *testing.T) {
	c := config(t, "cluster=testdata/duo.yaml,warm=12,horizon=60,load=1.1,features=price+rank+age,round=500,slower=1.5")
	e := made(t, c)
	params := vectors(e)[2]
	path := filepath.Join(t.TempDir(), "weights.txt")
	var text bytes.Buffer
	if err := errors.Join(e.Export(&text, params), os.WriteFile(path, text.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	p, err := e.AsParametric(params)
	if err != nil {
		t.Fatal(err)
	}
	want := schedtest.Records(t, &c.Config, 1, p)
	if !slices.Equal(want, schedtest.Records(t, &c.Config, 1, policy(t, "typed:weights="+path))) {
		t.Error("the vector and the policy of its text have other records")
	}
	if again := starts(made(t, config(t, small+",features=price+rank+age,weights="+path))); !slices.Equal(again, params) {
		t.Errorf("an environment over the text starts at %v, want %v", again, params)
	}
	on, ok := env.Find[trait.Importer](env.Env(made(t, config(t, small+",features=price+rank+age"))))
	if !ok {
		t.Fatal("it is not trait.Importer")
	}
	back, options, err := on.Import("w.txt", bytes.NewReader(text.Bytes()))
	if err != nil || !slices.Equal(back, params) {
		t.Fatalf("imported %v, error %v, want %v", back, err, params)
	}
	other := made(t, config(t, small+",features=price+rank+age,"+options))
	if other.cfg.Typed.RoundS != 500 || other.cfg.Typed.Weights[1] != 1.5 || strings.Contains(options, "price=") {
		t.Errorf("the options are %s", options)
	}
}

// A window without a question is named as such, and wrong vectors and windows are errors.
func TestNoQuestion(t *testing.T) {
	c := config(t, "cluster=1x4x4,warm=0,jobs=8")
	c.Source = fixed{[]sim.Job{{ID: "a", GPUs: 1, Work: 1000 * sim.Second},
		{ID: "b", Submit: 2000 * sim.Second, GPUs: 1, Work: 1000 * sim.Second}}}
	e := made(t, c)
	if _, err := e.Play(context.Background(), starts(e), schedenv.Train, 0); !errors.Is(err, trait.ErrNoQuestion) {
		t.Errorf("error %v, expected none of a question", err)
	}
	if _, err := e.Play(context.Background(), starts(e), schedenv.Train, 9); err == nil {
		t.Error("a window that is not there was played")
	}
	if _, err := e.Play(context.Background(), nil, schedenv.Train, 0); err == nil {
		t.Error("no parameters were played")
	}
}
