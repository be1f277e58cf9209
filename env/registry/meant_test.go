package registry

import (
	"strings"
	"testing"
)

// An id without its namespace, with a comma before its settings or with a slip has the id that was
// meant in its error.
func TestFindMeant(t *testing.T) {
	c := Catalogue{{ID: "probe/Limits-v0"}, {ID: "tarry/Racks-v0"}}
	for id, want := range map[string]string{
		"Racks-v0":                 `; did you mean "tarry/Racks-v0"?`,
		"tarry/Raks-v0":            `; did you mean "tarry/Racks-v0"?`,
		"tarry/Racks-v0,targets=2": `; did you mean "tarry/Racks-v0:targets=2"?`,
		"other":                    "expected one of probe/Limits-v0, tarry/Racks-v0",
	} {
		if _, err := c.Find(id); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", id, err, want)
		}
	}
}
