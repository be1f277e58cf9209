package nn

import (
	"bytes"
	"math"
	"os/exec"
	"strings"
	"testing"
)

func saved(t testing.TB) ([]*Param, *Adam, []byte) {
	r := stream("state")
	params := NewMLP("m", []int{3, 4, 2}, Tanh, 1, r).Params()
	adam := NewAdam(params, 1e-5)
	for range 3 {
		for _, p := range params {
			fill(p.Grad, r)
		}
		adam.Step(0.1)
	}
	params[0].W[0] = math.Float64frombits(0x7ff8000000000abc) // even the bits of a NaN survive
	s := &State{}
	s.PutParams(params)
	s.PutAdam("adam", adam)
	return params, adam, s.Encode()
}

func TestStateSurvivesBitByBit(t *testing.T) {
	params, adam, data := saved(t)
	fresh := NewMLP("m", []int{3, 4, 2}, Tanh, 1, stream("other")).Params()
	a := NewAdam(fresh, 1e-5)
	s, err := DecodeState(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Params(fresh); err != nil {
		t.Fatal(err)
	}
	if err := s.Adam("adam", a); err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]*Param{params, fresh} {
		for _, p := range v {
			for i := range p.Grad {
				p.Grad[i] = 0.5
			}
		}
	}
	adam.Step(0.1)
	a.Step(0.1)
	for k, p := range params {
		for i, w := range p.W {
			if math.Float64bits(w) != math.Float64bits(fresh[k].W[i]) {
				t.Fatalf("%s[%d] is %v, restored %v", p.Name, i, w, fresh[k].W[i])
			}
		}
	}
	again := &State{}
	again.PutParams(fresh)
	if bytes.Equal(again.Encode(), data) {
		t.Error("the state did not change after a step")
	}
}

func TestDamagedStates(t *testing.T) {
	_, _, data := saved(t)
	for i := 0; i < len(data); i += 37 {
		bad := bytes.Clone(data)
		bad[i] ^= 0x10
		if _, err := DecodeState(bad); err == nil {
			t.Fatalf("a flipped bit in byte %d was accepted", i)
		}
		if _, err := DecodeState(data[:i]); err == nil {
			t.Fatalf("the first %d bytes were accepted", i)
		}
	}
	s, err := DecodeState(data)
	if err != nil {
		t.Fatal(err)
	}
	other := NewMLP("m", []int{3, 5, 2}, Tanh, 1, stream("other")).Params()
	was := other[3].W[0]
	if err := s.Params(other); err == nil || !strings.Contains(err.Error(),
		`"weights/m/0/weight" has 96 bytes, expected 120 for 15 numbers`) {
		t.Errorf("weights of another shape: %v", err)
	}
	if other[3].W[0] != was {
		t.Error("a failed restore changed weights")
	}
	if err := s.Adam("none", NewAdam(other, 1)); err == nil {
		t.Error("a missing optimiser was accepted")
	}
}

func FuzzDecodeState(f *testing.F) {
	_, _, data := saved(f)
	f.Add(data)
	f.Add([]byte(stateMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := DecodeState(b); err == nil && !bytes.Equal(s.Encode(), b) {
			t.Error("an accepted state is not what Encode writes")
		}
	})
}

// A binary with the tensor library starts only if the pinned module in pin.go is in use:
// an older one panics before main. That this test runs shows it for the test binary; the
// module list shows that the version was not lowered.
func TestBinaryStarts(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "go4.org/unsafe/assume-no-moving-gc").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	if want := "v0.0.0-20231121144256-b99613f794b6"; !strings.Contains(string(out), want) {
		t.Errorf("module is %s, expected %s", out, want)
	}
}
