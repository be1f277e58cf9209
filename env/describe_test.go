package env

import "testing"

func TestDescribe(t *testing.T) {
	for want, s := range map[string]Space{
		"Box (2 real numbers)":                 NewBox(0, 1, 2),
		"Box (1 real number)":                  NewBox(0, 1, 1),
		"Discrete (3 choices)":                 Discrete{N: 3},
		"MultiDiscrete (2 choices of several)": MultiDiscrete{N: []int{2, 5}},
		"MultiBinary (4 choices of yes or no)": MultiBinary{N: 4},
		"Dict (1 part)":                        Dict{{Name: "a", Space: Discrete{N: 2}}},
		"Tuple (2 parts)":                      Tuple{Discrete{N: 2}, Discrete{N: 3}},
		"of no known kind":                     nil,
	} {
		if got := Describe(s); got != want {
			t.Errorf("%#v is %q, want %q", s, got, want)
		}
	}
}
