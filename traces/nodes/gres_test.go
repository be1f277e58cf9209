package nodes

import (
	"fmt"
	"strings"
	"testing"
)

func TestGres(t *testing.T) {
	for text, want := range map[string]string{
		"(null)": "[]", "": "[]", "N/A": "[]", "shard:8,mps:400": "[]",
		"gpu:4":                                "[{ 4 }]",
		"gpu":                                  "[{ 1 }]",
		"gpu:tesla":                            "[{tesla 1 }]",
		"gpu:a100:4(S:0-1)":                    "[{a100 4 }]",
		"gpu:a100:4(IDX:0-1,3)":                "[{a100 4 }]",
		"gpu:a100:no_consume:4":                "[{a100 4 }]",
		"craynetwork:4,gpu:k80:2,gpu:v100:2":   "[{k80 2 } {v100 2 }]",
		"gpu:a100:2,gpu:1g.10gb:7":             "[{a100 2 } {a100 1 a100-80gb}]",
		"gpu:1g.5gb:14":                        "[{a100 2 a100-40gb}]",
		"gpu:a100_3g.20gb:2,gpu:a100_1g.5gb:7": "[{a100 2 a100-40gb}]",
		"gpu:nvidia_h100_1g.10gb:8":            "[{nvidia_h100 2 h100-80gb}]",
		"gpu:h200_1g.18gb:7":                   "[{h200 1 }]",
		"gpu:a100:65":                          `at most 64 of "gpu:a100:65"`,
		"gpu:nvidia_a100-sxm4":                 `gpu:TYPE:COUNT: "gpu:nvidia_a100-sxm4" has no count and may be cut off`,
	} {
		got, err := Gres(text)
		if s := fmt.Sprint(got); err == nil && s != want || err != nil && err.Error() != want {
			t.Errorf("%q gives %s, %v, want %s", text, s, err, want)
		}
	}
}

func TestHosts(t *testing.T) {
	for text, want := range map[string]string{
		"gpu1":             "gpu1",
		"gpu[01-03,7],l1":  "gpu01 gpu02 gpu03 gpu7 l1",
		"r[1-2]n[8-10]x":   "r1n8x r1n9x r1n10x r2n8x r2n9x r2n10x",
		"a[1":              `a closing bracket in "a[1"`,
		"a[2-1]":           `a number or FIRST-LAST of at most 1048576 in "2-1"`,
		"a[1-9999999]":     `a number or FIRST-LAST of at most 1048576 in "1-9999999"`,
		"a[]":              `a number or FIRST-LAST of at most 1048576 in ""`,
		"[0-2000][0-2000]": `at most 1048576 names in "[0-2000][0-2000]"`,
	} {
		got, err := Hosts(text)
		if s := strings.Join(got, " "); err == nil && s != want || err != nil && err.Error() != want {
			t.Errorf("%q gives %s, %v, want %s", text, s, err, want)
		}
	}
}
