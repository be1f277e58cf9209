package learn

import (
	"reflect"
	"strings"
	"testing"

	"tarry/env"
)

type settings struct {
	Rate   float64 `json:"rate"`
	Hidden []int   `json:"hidden"`
}

func TestAdvise(t *testing.T) {
	s := &env.Spec{ID: "mine/Env-v0", Advice: env.Advice{"a": {"hidden": []int{3, 4}}, "bad": {"rat": 1},
		"worse": {"rate": "x"}}}
	for name, want := range map[string]settings{"a": {1, []int{3, 4}}, "b": {1, []int{2}}} {
		got := settings{1, []int{2}}
		if err := Advise(s, name, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, error %v, expected %+v", name, got, err, want)
		}
	}
	for name, want := range map[string]string{"bad": `mine/Env-v0 advises bad: json: unknown field "rat"`,
		"worse": "mine/Env-v0 advises worse: json: cannot unmarshal string"} {
		if err := Advise(s, name, &settings{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", name, err, want)
		}
	}
	if err := Advise(nil, "a", nil); err != nil {
		t.Error(err)
	}
}
