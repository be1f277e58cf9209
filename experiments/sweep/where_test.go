package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/output/results"
)

func crossed(t *testing.T) *Data {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "w")
	spec := Spec{Name: "w", Kind: "simulate", Base: Settings{"trace": "synth:demo,load={load}",
		"cluster": "{racks}x2x8"}, Seeds: FirstSeeds(2),
		Axes: []Axis{{Name: "load", Values: []string{"0.5", "0.9"}}, {Name: "racks", Values: []string{"2", "4"}},
			{Name: "policy", Values: []string{"dally", "fifo"}}}}
	if _, err := Plan(shipped.All(), dir, spec, "test", false); err != nil {
		t.Fatal(err)
	}
	d, err := OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// kept counts the cells that rows may belong to.
func kept(t *testing.T, d *Data) int {
	t.Helper()
	n := 0
	for i := range d.Folders[0].Len() {
		c, err := d.Folders[0].Cell(i)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := d.Cell(results.Keys{Experiment: "w", Cell: c.ID}); ok {
			n++
		}
	}
	return n
}

func TestWhere(t *testing.T) {
	for text, want := range map[string]int{
		"": 16, "racks=2": 8, "racks=2.0": 8, "racks=2;load=0.9": 4, "load=0.5;load=0.9": 16, "policy=dally;seed=2": 4,
		" load = 0.50 ;racks=4;policy=fifo;seed=1": 1,
	} {
		d := crossed(t)
		var conditions []string
		if text != "" {
			conditions = strings.Split(text, ";")
		}
		if err := d.Where(conditions...); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := kept(t, d); got != want {
			t.Errorf("%q keeps %d cells, want %d", text, got, want)
		}
	}
}

// What is not there is named with what is, all faults at once, and nothing changes.
func TestWhereIsStrict(t *testing.T) {
	d := crossed(t)
	err := d.Where("rack=2", "load=0.7", "racks", "policy=dalli")
	want := `"rack=2": no axis is called "rack", expected one of load, racks, policy, seed; did you mean "racks"?
"load=0.7": the axis load has no value "0.7", expected one of 0.5, 0.9; did you mean "0.5"?
"racks", expected AXIS=VALUE
"policy=dalli": the axis policy has no value "dalli", expected one of dally, fifo; did you mean "dally"?`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	if got := kept(t, d); got != 16 {
		t.Errorf("%d cells are left after an error", got)
	}
}
