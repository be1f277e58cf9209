package agenttest

import (
	"bytes"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tarry/agents/learn"
	"tarry/agents/nn"
)

// resumed loses the process before every update, each time with other numbers of processors and
// workers.
func (s Suite[C, P, L]) resumed(t *testing.T, r Run[C, L], want []learn.Row, final []byte) {
	l := s.begun(t, r, 2)
	defer func() { s.close(t, l) }()
	var rows []learn.Row
	for n := 0; !l.Done(); n++ {
		saved := s.save(t, l)
		s.close(t, l)
		runtime.GOMAXPROCS(1 + n%2)
		again, err := s.Resume(r.Config, 1+n%3, r.Env, saved)
		if err != nil {
			t.Fatal(err)
		}
		if l = again; !bytes.Equal(s.save(t, l), saved) {
			t.Fatalf("after %d updates a resumed run saves other bytes: %s", n, difference(t, s.save(t, l), saved))
		}
		row, err := l.Update()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if got := s.save(t, l); !bytes.Equal(got, final) {
		t.Errorf("the resumed run ended in other bytes: %s", difference(t, got, final))
	}
	if !same(rows, want) || len(rows) < 2 {
		t.Errorf("the resumed run reported\n%+v\nthe uninterrupted one\n%+v", rows, want)
	}
	for i, row := range rows[1:] {
		if before := rows[i]; row.Update != before.Update+1 || row.Steps <= before.Steps ||
			row.Episodes < before.Episodes {
			t.Errorf("row %+v follows %+v, expected later counts", row, before)
		}
	}
}

// parallel trains with one processor, then three times on two of them side by side, over one
// goroutine each and over several, and beside them with another seed.
func (s Suite[C, P, L]) parallel(t *testing.T) {
	type outcome struct {
		saved []byte
		rows  []learn.Row
		err   error
	}
	train := func(workers int, seed uint64) (o outcome) {
		cfg := s.Wide.Config
		f := reflect.ValueOf(&cfg).Elem().FieldByName("Seed")
		f.SetUint(f.Uint() + seed)
		l, err := s.New(cfg, workers, s.Wide.Env)
		if err != nil {
			return outcome{err: err}
		}
		defer l.Close()
		if o.rows, o.err = finish(l); o.err == nil {
			o.saved, o.err = l.Save()
		}
		return o
	}
	runtime.GOMAXPROCS(1)
	want := train(1, 0)
	runtime.GOMAXPROCS(2)
	var wait sync.WaitGroup
	workers := []int{1, 3, 9, 1}
	got := make([]outcome, len(workers))
	for i, n := range workers {
		wait.Go(func() { got[i] = train(n, uint64(i/3)) })
	}
	wait.Wait()
	for i, o := range append(got, want) {
		if o.err != nil {
			t.Fatalf("run %d: %v", i, o.err)
		}
	}
	for i, n := range workers[:3] {
		if !bytes.Equal(got[i].saved, want.saved) || !same(got[i].rows, want.rows) {
			t.Errorf("two processors and %d workers gave other bytes than one of each: %s", n,
				difference(t, got[i].saved, want.saved))
		}
	}
	if o := got[3]; bytes.Equal(weights(t, o.saved), weights(t, want.saved)) || same(o.rows, want.rows) {
		t.Error("another seed gave the same weights or the same rows")
	}
}

// decoded is a checkpoint as its sections.
func decoded(t *testing.T, saved []byte) *nn.State {
	t.Helper()
	st, err := nn.DecodeState(saved)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// section is one of a checkpoint that is known to have it.
func section(t *testing.T, st *nn.State, name string) []byte {
	t.Helper()
	b, err := st.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// weights are the sections of a checkpoint in which what was learnt is, one after the other.
func weights(t *testing.T, saved []byte) []byte {
	t.Helper()
	st, out := decoded(t, saved), []byte(nil)
	for _, name := range st.Names() {
		if strings.HasPrefix(name, "weights/") {
			out = append(out, section(t, st, name)...)
		}
	}
	if len(out) == 0 {
		t.Fatal("a checkpoint without a section weights/...")
	}
	return out
}

// difference names the sections in which two checkpoints differ.
func difference(t *testing.T, got, want []byte) string {
	t.Helper()
	a, b := decoded(t, got), decoded(t, want)
	var out []string
	for _, name := range append(a.Names(), b.Names()...) {
		x, err1 := a.Get(name)
		y, err2 := b.Get(name)
		if (err1 != nil || err2 != nil || !bytes.Equal(x, y)) && !strings.Contains(strings.Join(out, " "), name) {
			out = append(out, name)
		}
	}
	return "they differ in " + strings.Join(out, " ")
}
