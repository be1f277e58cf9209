package operators

import (
	"slices"
	"strings"
	"testing"

	"tarry/sim/param"
)

// Every setting that is read has a line, and every line is read; texts fit a line.
func TestSettings(t *testing.T) {
	for _, o := range All() {
		var read []string
		for _, s := range o.Settings() {
			read = append(read, s.Key)
		}
		if want := param.Keys(o.Params); !slices.Equal(read, want) {
			t.Errorf("%s reads %v, described are %v", o.Name, read, want)
		}
		if len(o.Doc) > 120 || o.Doc == "" {
			t.Errorf("%s: %q", o.Name, o.Doc)
		}
	}
}

func TestParse(t *testing.T) {
	all := All()
	for _, spec := range []string{"none", "none:lend=all", "fixed:replicas=3,place=spread", "least:ahead_s=60,lend=all," +
		"notice_s=600", "lifecycle:reuse_s=0", "deepboot:sleep_s=5",
		"learned:rule=recent,lend=all", "loans:list=0:2/3600:0"} {
		if o, err := all.Parse(spec); err != nil || o == nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if o, err := all.Parse(""); o != nil || err != nil {
		t.Errorf("nothing: %v %v", o, err)
	}
	for spec, want := range map[string]string{"lest": `did you mean "least"?`, "least:": "nothing after the colon",
		"least:lent=all": "lent", "loans": "expected one of the two", "loans:list=3": "AT_S:MACHINES",
		"loans:list=0:1,file=x": "expected one of the two", "loans:file=none.csv": "none.csv",
		"least:notice_s=5": "expected lend=all", "fixed:reclaim=all": "reclaim", "loans:list=-1:2": "AT_S:MACHINES"} {
		if _, err := all.Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", spec, err, want)
		}
	}
}
