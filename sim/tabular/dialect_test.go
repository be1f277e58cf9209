package tabular

import (
	"strings"
	"testing"
)

// Columns are found in another case, but no column that another has by its own name; fields behind
// the last column may be empty.
func TestHeaderInAnotherCase(t *testing.T) {
	r := reader(t, "ID,Gpus,SLO,slo,Note\n7,2,a,b,c,,\n")
	r.Optional = []string{"slo", "note", "absent"}
	if err := r.Header("id", "gpus"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.Columns(), ","); got != "id,gpus,SLO,slo,note" {
		t.Errorf("the columns are %s", got)
	}
	row, err := r.Next()
	if err != nil || len(row.Faults()) > 0 || row.Text("id")+row.Text("slo")+row.Text("note") != "7bc" {
		t.Errorf("%+v, %v", row, err)
	}
	if err := reader(t, "ID,Id\n").Header("id"); err == nil || !strings.Contains(err.Error(), `column "id" is missing`) {
		t.Errorf("two columns that differ from id by case alone: %v", err)
	}
}

// A field behind the last column that holds something is a fault, and so is an empty one between
// tabs, where nothing else marks the end of a row.
func TestFieldsBehindTheLast(t *testing.T) {
	for text, want := range map[string]int{"a,b\n1,2,\n": 0, "a,b\n1,2,,x\n": 1, "a,b\n1\n": 1, "a,b\n1,2,,\n": 0} {
		r := reader(t, text)
		if err := r.Header("a"); err != nil {
			t.Fatal(err)
		}
		row, err := r.Next()
		if err != nil || len(row.Faults()) != want {
			t.Errorf("%q: %d faults, %v, expected %d", text, len(row.Faults()), err, want)
		}
	}
	r := reader(t, "1\t2\t\n")
	r.Tabs = true
	r.SetColumns([]string{"a", "b"})
	if row, err := r.Next(); err != nil || len(row.Faults()) != 1 {
		t.Errorf("%+v, %v", row, err)
	}
}

// Comments may begin with any of several bytes, behind blanks; remarks are those before the rows.
func TestCommentsAndFit(t *testing.T) {
	r := reader(t, " ; one\n# two\n1 2\n; three\n1 2 3 4\n1")
	var remarks []string
	r.Blanks, r.Comment, r.Remark = true, ";#", func(line string) { remarks = append(remarks, line) }
	r.SetColumns([]string{"a", "b"})
	var cut bool
	r.Fit = func(fields []string, end bool) ([]string, bool) {
		cut = end
		if len(fields) > 2 {
			return fields[:2], true
		}
		return append(fields, "-1"), !end
	}
	for _, want := range []struct {
		b      string
		faults int
	}{{"2", 0}, {"2", 0}, {"", 1}} {
		row, err := r.Next()
		if err != nil || row.Text("b") != want.b || len(row.Faults()) != want.faults {
			t.Errorf("%+v, %v, expected %v", row, err, want)
		}
	}
	if !cut || strings.Join(remarks, "|") != "; one|# two" {
		t.Errorf("cut %v, remarks %q", cut, remarks)
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{"": "", "NaN": "", "None": "", "<NA>": "", "17.0": "17",
		"-1.0": "", "-1": "", "u1": "u1", " a ": "a"} {
		if got := NewRow("f", 1, 1, []string{"a"}, []string{text}).Name("a"); got != want {
			t.Errorf("%q is the name %q, expected %q", text, got, want)
		}
	}
}
