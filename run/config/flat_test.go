package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFlat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	for _, c := range []struct{ text, want, fault string }{
		{"gamma: 0.5 # a remark\nhidden: [64, 32]\nenv: tarry/X-v0:a=1,b=2\ncandidates: {global: 3, features: 2}\n",
			`[gamma=0.5@1:1 hidden=[64,32]@2:1 env=tarry/X-v0:a=1,b=2@3:1 candidates={"global":3,"features":2}@4:1]`,
			""},
		{"a: 1\nb:\nc: []\na: 2\n", "", "run.yaml:2:1: b is empty|run.yaml:3:1: c is an empty list|run.yaml:4:1: a " +
			"appears twice"},
		{"", "", "the file is empty"},
		{"- 1\n", "", "expected key: value"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadFlat(path)
		if c.fault == "" {
			var all []string
			for _, e := range got {
				all = append(all, fmt.Sprintf("%s=%s@%s", e.Key, e.Value, strings.TrimPrefix(e.Where, path+":")))
			}
			if err != nil || fmt.Sprint(all) != c.want {
				t.Errorf("%q gives %v, %v\nwant %s", c.text, all, err, c.want)
			}
			continue
		}
		for want := range strings.SplitSeq(c.fault, "|") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q gives %v, expected %s", c.text, err, want)
			}
		}
	}
	if _, err := ReadFlat(path + "x"); err == nil {
		t.Error("a file that is not there was read")
	}
}
