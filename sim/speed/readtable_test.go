package speed

import (
	"strings"
	"testing"
)

const head = "model,intra_ring_gpus,slots,machines_or_scattered_in_rack,racks_or_scattered_in_network," +
	"compute_fraction\n"

func TestReadTableErrors(t *testing.T) {
	topo, _ := lab(t)
	for _, c := range []struct{ why, in, want string }{
		{"nothing", "", "f:1: EOF, expected a header with model and compute_fraction"},
		{"columns", "model,slots,slots,speed\n", `f:1: column "slots" appears twice
f:1: unknown column "speed"
f:1: column "compute_fraction" is missing
f:1: column "intra_ring_gpus" is missing
f:1: column "machines_or_scattered_in_rack" is missing
f:1: column "racks_or_scattered_in_network" is missing`},
		{"no rows", head, "f: no rows, expected at least one"},
		{"short row", head + "vgg,2\n", "f:2: 2 fields, expected 6"},
		{"no model", head + ",2,,,,0.5\n", `f:2: model is "", expected a model's name`},
		{"no number", head + "vgg,two,,,,0.5\n",
			`f:2: intra_ring_gpus is "two", expected a whole number, 0..1048576, or nothing`},
		{"negative", head + "vgg,,-2,,,0.5\n", `f:2: slots is "-2", expected a whole number, 0..1048576, or nothing`},
		{"fraction 0", head + "vgg,2,,,,0\n", `f:2: compute_fraction is "0", expected a number in (0, 1]`},
		{"fraction 2", head + "vgg,2,,,,2\n", `f:2: compute_fraction is "2", expected a number in (0, 1]`},
		{"fraction NaN", head + "vgg,2,,,,NaN\n", `f:2: compute_fraction is "NaN", expected a number in (0, 1]`},
		{"no shape", head + "vgg,1,,,,0.5\n", "f:2: no units, expected a shape of at least 2 GPUs"},
		{"twice", head + "vgg,2,,,,0.5\nVGG,2,1,,,0.25\n", "f:3: compute_fraction is 0.25, but an earlier row gives " +
			"0.5 to the same model and shape"},
		{"two faults", head + "vgg,x,,,,0.5\nvgg,2,,,,y\n", `f:2: intra_ring_gpus is "x", expected a whole number, 0..1048576, or nothing
f:3: compute_fraction is "y", expected a number in (0, 1]`},
		{"finer level", strings.Replace(head, "slots", "dim1,slots", 1) + "vgg,2,3,,,,0.5\n",
			`f:2: dim1 is "3", expected nothing: no level is finer than a slot`},
	} {
		_, err := ReadTable(strings.NewReader(c.in), "f", topo, nil, nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", c.why, err, c.want)
		}
	}
	m, err := ReadTable(strings.NewReader(head+"vgg,2,,,,0.5\n"), "f", topo, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Speed(query("bert", 0, 1)); err == nil || err.Error() != `f: no row for model "bert" of job "j"` {
		t.Errorf("unknown model: %v", err)
	}
}
