package sim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSecondsRoundsAndSaturates(t *testing.T) {
	const quarter = Time(math.MaxInt64 / 4)
	for _, c := range []struct {
		s    float64
		want Time
	}{
		{0, 0}, {1, Second}, {.0000004, 0}, {.0000005, 1}, {.0000016, 2}, {-1.5, -1_500_000}, {-.0000016, -2},
		{math.NaN(), 0}, {math.Inf(1), quarter}, {math.Inf(-1), -quarter}, {1e300, quarter}, {-3e12, -quarter},
		{2e12, 2e18},
	} {
		if got := Seconds(c.s); got != c.want {
			t.Errorf("Seconds(%v) = %d, expected %d", c.s, got, c.want)
		}
	}
}

func TestTimeText(t *testing.T) {
	for at, want := range map[Time]string{0: "0s", 1: "1e-06s", Second: "1s", 90*Second + Second/2: "90.5s",
		-Second: "-1s", Never: "never"} {
		if got := at.String(); got != want {
			t.Errorf("%d is printed %q, expected %q", int64(at), got, want)
		}
	}
	if !math.IsInf(Never.Seconds(), 1) || (3*Second/2).Seconds() != 1.5 {
		t.Errorf("in seconds: %v and %v", Never.Seconds(), (3 * Second / 2).Seconds())
	}
}

func TestAddSaturates(t *testing.T) {
	for _, c := range []struct{ a, b, want Time }{
		{1, 2, 3}, {Never, 1, Never}, {1, Never, Never}, {Never - 1, 1, Never}, {Never - 2, 1, Never - 1},
		{Never - 1, 2, Never}, {Never / 2, Never, Never},
	} {
		if got := c.a.add(c.b); got != c.want {
			t.Errorf("%d + %d = %d, expected %d", int64(c.a), int64(c.b), int64(got), int64(c.want))
		}
	}
}

// The sums behind Little's law are exact beyond 64 bits.
func TestAreaIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var a area
	want := new(big.Int)
	for range 2000 {
		x, y := r.Uint64()>>(1+r.IntN(40)), r.Uint64()>>(1+r.IntN(40))
		a.add(x, y)
		want.Add(want, new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y)))
		got := new(big.Int).Lsh(new(big.Int).SetUint64(a.hi), 64)
		if want.BitLen() > 128 {
			break
		}
		if got.Add(got, new(big.Int).SetUint64(a.lo)); got.Cmp(want) != 0 {
			t.Fatalf("%v, expected %v", got, want)
		}
	}
	if want.BitLen() < 100 {
		t.Errorf("the sums stayed below %d bits: the case is too easy", want.BitLen())
	}
}
