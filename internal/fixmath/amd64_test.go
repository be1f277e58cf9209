//go:build amd64 && !amd64.v3

package fixmath

import (
	"math"
	"os"
	"strings"
	"testing"
)

// TestNoNumberMoved: on a processor with FMA the functions equal the standard library's, bit
// for bit.
func TestNoNumberMoved(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !strings.Contains(string(info), " fma ") || strings.Contains(os.Getenv("GODEBUG"), "cpu.") {
		t.Skip("the standard library uses FMA here only on a Linux processor that has it, with GODEBUG unset")
	}
	for i, x := range arguments(300_000) {
		if x > 709.4 && x < 709.79 {
			continue // too large for the standard library's path, though the result is finite
		}
		if got, want := Exp(x), math.Exp(x); !same(got, want) {
			t.Fatalf("Exp(%v) is %v, expected %v", x, got, want)
		}
		if got, want := Tanh(x), math.Tanh(x); !same(got, want) {
			t.Fatalf("Tanh(%v) is %v, expected %v", x, got, want)
		}
		if x < 1<<29 && x > -1<<29 {
			sin, cos := Sincos(x)
			if a, b := math.Sincos(x); !same(sin, a) || !same(cos, b) {
				t.Fatalf("Sincos(%v) is %v, %v, expected %v, %v", x, sin, cos, a, b)
			}
		}
		for _, y := range []float64{float64(i%41)/7 - 3, float64(i%301 - 150)} {
			if got, want := Pow(x, y), math.Pow(x, y); !same(got, want) {
				t.Fatalf("Pow(%v, %v) is %v, expected %v", x, y, got, want)
			}
		}
	}
}
