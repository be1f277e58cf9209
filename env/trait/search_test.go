package trait

import (
	"math"
	"strings"
	"testing"
)

func TestCheckParameters(t *testing.T) {
	inf := math.Inf(1)
	if err := CheckParameters([]Parameter{{"a", 0, 0.5, -inf, inf}, {"b", 1, 0.1, 1, 2}}); err != nil {
		t.Error(err)
	}
	if err := CheckParameters(nil); err == nil || err.Error() != "no parameter, expected at least one" {
		t.Errorf("nothing gives %v", err)
	}
	err := CheckParameters([]Parameter{{"a", 0, 0, 0, 1}, {"a", 3, 1, 0, 1}, {"", math.NaN(), 1, -inf, inf},
		{"d", 0, 1, 1, 1}, {"e", inf, inf, 0, inf}})
	for _, want := range []string{"parameter 0 (a): sigma is 0,",
		`parameter 1 (a): name is "a", expected one of its own`, "parameter 1 (a): start is 3, expected a finite " +
			"number from 0 to 1",
		`parameter 2 (): name is ""`, "parameter 2 (): start is NaN", "parameter 3 (d): bounds are 1 to 1",
		"parameter 4 (e): sigma is +Inf", "parameter 4 (e): start is +Inf"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
}
