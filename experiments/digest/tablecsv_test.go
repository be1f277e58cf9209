package digest

import "testing"

func TestCSV(t *testing.T) {
	for markdown, want := range map[string]string{
		"| s | a, b | n |\n|---|---:|---:|\n| `x` | -1.5 [-2.0, 0.1] | 3 |\n| y | 0.0 | |\n": "s," +
			"\"a, b\",\"a, b low\",\"a, b high\",n\nx,-1.5,-2.0,0.1,3\ny,0.0,,,\n",
		"| best |\n|---|\n| `x-1.1` -6.9 [-8.4, -5.2] |\n": "best,best low,best " +
			"high\nx-1.1 -6.9,-8.4,-5.2\n",
		"": "",
	} {
		if got, err := CSV(markdown); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", markdown, got, err, want)
		}
	}
}

func TestBelow(t *testing.T) {
	got := Below("| a |\n|---|\n| 1 |\n\nSome rows.\n\n\\* knows.\n")
	if len(got) != 2 || got[0] != "Some rows." || got[1] != "\\* knows." {
		t.Errorf("%q", got)
	}
}
