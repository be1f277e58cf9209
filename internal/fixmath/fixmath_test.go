package fixmath

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// want is the hash of TestBits.
const want uint64 = 0x3d1441014b4a0f1f

func special() []float64 {
	return []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 0.625, -0.625, 0.6249999, 44, 44.02, -44.02, 709.78,
		709.79, -708.4, -709, -740, -745.1, -745.2, -746, -1e9, 1e9, 1e-300, -1e-300, 5e-324, math.MaxFloat64,
		-math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 2, 3, 1e3, -3}
}

func arguments(n int) []float64 {
	s := rand.New(rand.NewPCG(1, 2))
	xs := special()
	for range n {
		xs = append(xs, s.NormFloat64(), 30*s.NormFloat64(), (s.Float64()-0.5)*1600, math.Exp2(40*(s.Float64()-0.75)))
	}
	return xs
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// The values of a fixed list of arguments, so that a build or a processor that computes another bit
// is found: CI runs this test with GODEBUG=cpu.fma=off and cpu.avx=off and with GOAMD64=v3.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	put := func(v float64) {
		if v != v {
			v = 0x1p-1000
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.Write(b[:])
	}
	for i, x := range grid(200_000) {
		put(Exp(x))
		put(Tanh(x / 8))
		put(Pow(math.Abs(x), float64(i%37)/5-3))
		sin, cos := Sincos(x)
		put(sin)
		put(cos)
		put(Log1p(math.Abs(x)))
		put(Expm1(x))
		put(NormalCDF(x / 4))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("hash %#x, expected %#x: a function gave other bits", got, want)
	}
}

// grid is made of products of whole numbers alone.
func grid(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64((i*7919)%n-n/2) * (1.0 / 4096)
	}
	return xs
}

func TestExpIsWithinTwoUnits(t *testing.T) {
	for _, x := range arguments(3000) {
		if math.Abs(x) > 700 || x != x {
			continue
		}
		got, ref := Exp(x), bigExp(x)
		if u := units(got, ref); u > 2 {
			t.Errorf("Exp(%v) is %v, %.2f units away", x, got, u)
		}
	}
}

func TestTanhIsWithinTwoUnits(t *testing.T) {
	for _, x := range arguments(3000) {
		if math.Abs(x) > 40 || x != x || x == 0 || math.Abs(x) < 1e-6 {
			continue
		}
		e := bigExp(2 * x)
		one := new(big.Float).SetPrec(300).SetInt64(1)
		ref := new(big.Float).Quo(new(big.Float).Sub(e, one), new(big.Float).Add(e, one))
		if u := units(Tanh(x), ref); u > 2 {
			t.Errorf("Tanh(%v) is %v, %.2f units away", x, Tanh(x), u)
		}
	}
}

func TestSpecialCasesAreThoseOfMath(t *testing.T) {
	for _, x := range special() {
		if got, want := Exp(x), math.Exp(x); !same(got, want) && x != 709.78 &&
			units(got, new(big.Float).SetFloat64(want)) > 1 {
			t.Errorf("Exp(%v) is %v, expected %v", x, got, want)
		}
		if got, want := Tanh(x), math.Tanh(x); !same(got, want) && math.Abs(got-want) > 1e-15 {
			t.Errorf("Tanh(%v) is %v, expected %v", x, got, want)
		}
		for _, y := range special() {
			got, want := Pow(x, y), math.Pow(x, y)
			if !same(got, want) && math.Abs(got-want) > 1e-13*math.Abs(want) {
				t.Errorf("Pow(%v, %v) is %v, expected %v", x, y, got, want)
			}
		}
	}
}

// units is the distance in units in the last place of got.
func units(got float64, ref *big.Float) float64 {
	if math.IsInf(got, 0) || math.IsNaN(got) {
		return math.Inf(1)
	}
	d := new(big.Float).SetPrec(300).SetFloat64(got)
	v, _ := d.Sub(d, ref).Float64()
	return math.Abs(v) / (math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got))
}

// bigExp is e^x to 250 bits, by halving, a series and squaring.
func bigExp(x float64) *big.Float {
	const halvings = 40
	r := new(big.Float).SetPrec(400).SetFloat64(x)
	r.SetMantExp(r, -halvings)
	sum, term := new(big.Float).SetPrec(400).SetInt64(1), new(big.Float).SetPrec(400).SetInt64(1)
	for i := int64(1); i < 40; i++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetPrec(400).SetInt64(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func BenchmarkExp(b *testing.B) {
	xs := grid(4096)
	for name, f := range map[string]func(float64) float64{"fixmath": Exp, "math": math.Exp} {
		b.Run(name, func(b *testing.B) {
			var sum float64
			for i := range b.N {
				sum += f(xs[i&4095])
			}
			_ = sum
		})
	}
}

func BenchmarkTanh(b *testing.B) {
	xs := grid(4096)
	for name, f := range map[string]func(float64) float64{"fixmath": Tanh, "math": math.Tanh} {
		b.Run(name, func(b *testing.B) {
			var sum float64
			for i := range b.N {
				sum += f(xs[i&4095])
			}
			_ = sum
		})
	}
}

// near checks relative errors against the standard library, whose own are below 1e-15.
func near(t *testing.T, name string, x, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)+1e-300) && !same(got, want) {
		t.Errorf("%s(%v) is %v, expected %v", name, x, got, want)
	}
}

func TestAgainstTheStandardLibrary(t *testing.T) {
	for _, x := range arguments(20_000) {
		if x > -1 {
			near(t, "Log1p", x, Log1p(x), math.Log1p(x), 1e-15)
		}
		if math.Abs(x) < 700 {
			near(t, "Expm1", x, Expm1(x), math.Expm1(x), 2e-15)
		}
		if math.Abs(x) < 0.999 {
			near(t, "Atanh", x, Atanh(x), math.Atanh(x), 2e-15)
		}
		if math.Abs(x) < 37 {
			near(t, "NormalCDF", x, NormalCDF(x), 0.5*math.Erfc(-x/math.Sqrt2), 1e-13*max(1, x*x/50))
		}
		if p := NormalCDF(x); p > 1e-300 && p < 0.999 {
			near(t, "NormalCDF of NormalQuantile", p, NormalCDF(NormalQuantile(p)), p, 1e-14)
		}
	}
	for p, want := range map[float64]float64{0: math.Inf(-1), 1: math.Inf(1), 0.5: 0, -1: math.NaN(), 2: math.NaN()} {
		if got := NormalQuantile(p); !same(got, want) && math.Abs(got-want) > 1e-15 {
			t.Errorf("NormalQuantile(%v) is %v, expected %v", p, got, want)
		}
	}
	if got := NormalQuantile(0.975); math.Abs(got-1.959963984540054) > 1e-14 {
		t.Errorf("NormalQuantile(0.975) is %v", got)
	}
}
