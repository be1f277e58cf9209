package tenants

import (
	"math"
	"testing"
)

func TestNamesWithColons(t *testing.T) {
	if name, rack, net, ok := parseTimers("a:b:1:inf"); name != "a:b" || rack != 1 || !math.IsInf(net, 1) || !ok {
		t.Errorf("a name with a colon is read as %q %v %v %v", name, rack, net, ok)
	}
}
