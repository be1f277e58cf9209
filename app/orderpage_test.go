package app

import (
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The example of docs/reference/scores.md is better than Dally, by the numbers beside it.
func TestExampleOfTheOrderPage(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/scores.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("tarry (compare --trace synth:recur,jobs=4000 .*)").FindStringSubmatch(string(page))
	if command == nil {
		t.Fatal("the page has no command with synth:recur,jobs=4000")
	}
	s := good(t, t.TempDir(), append(strings.Fields(command[1]), "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(s.out)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	plain := strings.ReplaceAll(string(page), " ", "")
	for i, name := range rows[0] {
		switch name {
		case "jct_mean_diff_s", "jct_mean_diff_lo_s", "jct_mean_diff_hi_s":
			if !strings.HasPrefix(rows[2][i], "-") {
				t.Errorf("%s is %s, expected less than Dally's", name, rows[2][i])
			}
		case "jct_mean_s":
			if v, err := strconv.ParseFloat(rows[2][i], 64); err != nil ||
				!strings.Contains(plain, fmt.Sprintf("%.0fs,Dally", v)) {
				t.Errorf("%s is %s, which the page has not (%v)", name, rows[2][i], err)
			}
		}
	}
}
