package natural

import "testing"

func TestCompare(t *testing.T) {
	// Numbers by value, of equal value by their bytes, then names by their bytes.
	want := []string{"0", "00", "1", "007", "7", "9", "10", "99999999999999999999999", "0100000000000000000000000", "",
		"-1", "1a", "a", "a10", "a9"}
	for i, a := range want {
		for k, b := range want {
			if got := Compare(a, b); (got < 0) != (i < k) || (got > 0) != (i > k) {
				t.Errorf("Compare(%q, %q) = %d, expected the order of %q", a, b, got, want)
			}
		}
	}
}
