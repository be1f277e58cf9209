package moved

import (
	"math"
	"testing"
)

const page = `# A page

<!-- table q/jct -->
| policy | batch | week |
|---|---:|---:|
| ` + "`dally`" + ` | 1.0 [0.9, 1.1] | 2.0 |
| fifo | +3.5 | 4.0 |

A sentence.
<!-- end -->

<!-- table other/jct -->
| a | b |
|---|---:|
| x | 1 |
<!-- end -->
`

// The tables of one question are taken from a page, and of others none.
func TestBlocks(t *testing.T) {
	b := Blocks(page, "q")
	if len(b) != 1 || Blocks(page, "none")["jct"] != "" || len(Blocks("<!-- table q/x --> no end", "q")) != 0 {
		t.Errorf("%q", b)
	}
	if c := Compare("q/jct", b["jct"], b["jct"]); len(c.Changes) != 0 || c.Cells != 4 {
		t.Errorf("%+v", c)
	}
}

// Cells are compared by their labels, wherever their row stands; the largest change is by number.
func TestCompare(t *testing.T) {
	was := Blocks(page, "q")["jct"]
	is := "| policy | batch | week |\n|---|---:|---:|\n| fifo | +3.4 | 9.0 |\n| `dally` | 1.0 [0.9, 1.1] | 2.0 |\n" +
		"| new | 1 | 2 |\n\nA sentence.\n"
	c := Compare("q/jct", was, is)
	var got []string
	for _, one := range c.Changes {
		got = append(got, one.String())
	}
	want := []string{"fifo, batch: +3.5 -> +3.4", "fifo, week: 4.0 -> 9.0", "new, batch: (none) -> 1",
		"new, week: (none) -> 2"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s, want %s", got[i], want[i])
		}
	}
	if l, ok := c.Largest(); !ok || l.By() != 5 {
		t.Errorf("%v %v", l, ok)
	}
	if d := (Change{Was: "never", Is: "2"}).By(); !math.IsNaN(d) {
		t.Error(d)
	}
}

// What went, doubled labels, several columns of labels and the text below are seen.
func TestCompareEdges(t *testing.T) {
	two := "| setting | order | x |\n|---|---|---:|\n| a | b | 1 |\n| a | c | 2 |\n| a | c | 3 |\nSaid.\n"
	c := Compare("t", two, "| setting | order | x |\n|---|---|---:|\n| a | b | 1 |\n| a | c | 2 |\nSaid else.\n")
	if len(c.Changes) != 2 || c.Changes[0].String() != "a, c (2), x: 3 -> (none)" ||
		c.Changes[1].Row != "below the table" {
		t.Errorf("%+v", c)
	}
	if c := Compare("t", "", two); len(c.Changes) != 4 {
		t.Errorf("%+v", c)
	}
	if c := Compare("t", "| a |\n|---|\n| x |\n", "| a |\n|---|\n| y |\n"); c.Cells != 0 {
		t.Errorf("%+v", c)
	}
}

// A file of comma-separated values is compared as a table is; its first column labels rows.
func TestFromCSV(t *testing.T) {
	was, err := FromCSV("policy,x,x low\ndally,1,\nfifo,2,0.5\n")
	if err != nil || was != "| policy | x | x low |\n|---|---:|---:|\n| dally | 1 |  |\n| fifo | 2 | 0.5 |\n" {
		t.Errorf("%q, %v", was, err)
	}
	is, err := FromCSV("policy,x,x low\ndally,1,\nfifo,3,0.5\n")
	if err != nil {
		t.Fatal(err)
	}
	if c := Compare("t", was, is); len(c.Changes) != 1 || c.Changes[0].String() != "fifo, x: 2 -> 3" {
		t.Errorf("%+v", c)
	}
	if _, err := FromCSV("a,b\n1\n"); err == nil {
		t.Error("no error for a row of another length")
	}
}
