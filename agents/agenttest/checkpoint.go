package agenttest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/env"
)

// refused resumes what cannot be: the error begins with the agent's name and states want, what was
// saved stays as it is, and no environment is left open.
func (s Suite[C, P, L]) refused(t *testing.T, why, want string, cfg C, make func(int) (env.Env, error), saved []byte) {
	t.Helper()
	var w watch
	before := slices.Clone(saved)
	l, err := s.Resume(cfg, 1, w.over(make), saved)
	if err == nil {
		t.Errorf("%s was resumed", why)
		s.close(t, l)
	} else if !strings.HasPrefix(err.Error(), s.Name+": ") || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error is %v, expected %s: ... %s", why, err, s.Name, want)
	}
	if w.open != 0 {
		t.Errorf("%s: %d environments are left open", why, w.open)
	}
	if !bytes.Equal(saved, before) {
		t.Errorf("%s: what was saved is changed", why)
	}
}

// sections takes out of a checkpoint, with its checksum in order, one section after the other, or
// cuts it short; sections seen in a former run are left, since they are read by the same
// lines.
func (s Suite[C, P, L]) sections(t *testing.T, r Run[C, L], saved []byte, seen map[string]bool) {
	whole := decoded(t, saved)
	for _, name := range whole.Names() {
		if seen[name] {
			continue
		}
		seen[name] = true
		without, short := &nn.State{}, &nn.State{}
		for _, other := range whole.Names() {
			data := section(t, whole, other)
			if other != name {
				without.Put(other, data)
			} else if len(data) > 0 {
				data = data[:len(data)-1]
			}
			short.Put(other, data)
		}
		s.refused(t, "a checkpoint without "+name, strconv.Quote(name), r.Config, r.Env, without.Encode())
		s.refused(t, "a checkpoint with a short "+name, "", r.Config, r.Env, short.Encode())
	}
}

// damaged resumes, and loads, what was cut short, changed in one bit, or never was a checkpoint.
func (s Suite[C, P, L]) damaged(t *testing.T, r Run[C, L]) {
	l := s.begun(t, r, 1)
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := s.save(t, l)
	s.close(t, l)
	spec := specOf(t, r.Env)
	check := func(why, want string, bad []byte) {
		t.Helper()
		s.refused(t, why, want, r.Config, r.Env, bad)
		if _, err := s.Load(bad, spec); err == nil || !strings.HasPrefix(err.Error(), s.Name+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("loading %s: error is %v, expected %s: ... %s", why, err, s.Name, want)
		}
	}
	n := len(saved)
	for _, at := range []int{0, 1, 11, 12, 20, 51, 52, 100, n / 4, n / 2, n - 33, n - 32, n - 1} {
		want := "truncated"
		switch {
		case at == 0:
			want = "the file is empty"
		case at < 12:
			want = "does not start with"
		}
		check("a checkpoint cut short at "+strconv.Itoa(at), want, saved[:at])
	}
	for _, at := range []int{12, 20, 100, n / 4, n / 2, n - 33, n - 32, n - 1} {
		flipped := slices.Clone(saved)
		flipped[at] ^= 1
		check("a checkpoint with a flipped bit at "+strconv.Itoa(at), "truncated or damaged", flipped)
	}
	check("a checkpoint with one more byte", "truncated or damaged", append(slices.Clone(saved), 0))
	check("something else", "does not start with", []byte("hello"))

	other := decoded(t, saved)
	var head struct{ Format string }
	text := section(t, other, "header")
	if err := json.Unmarshal(text, &head); err != nil || !strings.HasPrefix(head.Format, "tarry/agents/"+s.Name+"/") {
		t.Errorf("the header is of format %q, expected tarry/agents/%s/...: error %v", head.Format, s.Name, err)
	}
	other.Put("header", bytes.Replace(text, []byte(head.Format), []byte("tarry/agents/other/1"), 1))
	check("a checkpoint of another agent",
		`checkpoint is of format "tarry/agents/other/1", expected "`+head.Format+`"`, other.Encode())
}

// foreign resumes with every setting changed, one by one, and in other environments; what was saved
// is sound.
func (s Suite[C, P, L]) foreign(t *testing.T, r Run[C, L]) {
	l := s.begun(t, r, 1)
	if _, err := l.Update(); err != nil {
		t.Fatal(err)
	}
	saved := s.save(t, l)
	s.close(t, l)
	fields := reflect.TypeOf(r.Config)
	for i := range fields.NumField() {
		cfg := r.Config
		change(reflect.ValueOf(&cfg).Elem().Field(i))
		want := "resume with another configuration: "
		if key, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ","); key != "" {
			want += key + " was "
		}
		s.refused(t, "another "+fields.Field(i).Name, want, cfg, r.Env, saved)
	}
	wider := *specOf(t, r.Env)
	wider.Observation = env.NewBox(0, 1, wider.Observation.Len()+1)
	for why, set := range map[string]func(*env.Spec){
		"the name":         func(spec *env.Spec) { spec.ID = "other/Other-v0" },
		"the options":      func(spec *env.Spec) { spec.Options = "key=value" },
		"the observations": func(spec *env.Spec) { spec.Observation = wider.Observation },
	} {
		other := func(i int) (env.Env, error) {
			f, err := tamper(r.Env, i)
			if err == nil {
				set(&f.spec)
			}
			return f, err
		}
		s.refused(t, why+" of another environment", "another environment", r.Config, other, saved)
	}
	if _, err := s.Load(saved, &wider); err == nil || !strings.HasPrefix(err.Error(), s.Name+": ") ||
		!strings.Contains(err.Error(), "other spaces") {
		t.Errorf("a policy for other observations: error is %v, expected other spaces", err)
	}
}

// change gives a field another value, which need not be a valid one.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.25)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	}
}
