package agents_test

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/dqn"
	"tarry/agents/mixture"
	"tarry/agents/policysearch"
	"tarry/agents/ppo"
	"tarry/agents/registry"
	"tarry/agents/reinforce"
	"tarry/agents/sac"
	"tarry/catalogue/agents"
)

// interval reads [lo,hi], with round brackets where an end is not taken.
var interval = regexp.MustCompile(`^([\[(])([^,]+),([^,]+)([\])])$`)

// TestEverySettingIsDescribed: each setting has its meaning, its range and a default that its own
// range takes.
func TestEverySettingIsDescribed(t *testing.T) {
	for _, e := range agents.All() {
		var got []string
		for _, a := range e.Settings() {
			got = append(got, a.Key)
			if len(a.Meaning) < 10 || a.Range == "" {
				t.Errorf("%s: %s lacks its meaning %q or range %q", e.Name, a.Key, a.Meaning, a.Range)
			}
		}
		if !reflect.DeepEqual(got, e.Keys) {
			t.Errorf("%s describes %q, it has %q", e.Name, got, e.Keys)
		}
	}
}

// A text of two learners is declared once, in agents/registry/common.go.
func TestSharedSettingsAreDeclaredOnce(t *testing.T) {
	where, used := map[string]string{}, map[string]int{}
	for _, of := range []any{ppo.Config{}, a2c.Config{}, reinforce.Config{}, dqn.Config{}, dqn.Demo{}, sac.Config{},
		sac.Demo{}, mixture.Config{}, policysearch.Config{}} {
		s := reflect.TypeOf(of)
		for i := range s.NumField() {
			f := s.Field(i)
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			text := f.Tag.Get("about")
			switch twin := where[key+": "+text]; {
			case key == "" || key == "seed":
			case text == "":
				used[key]++
			case twin != "":
				t.Errorf("%s and %s both say %q of %s, expected a row in agents/registry/common.go", twin, s, text, key)
			default:
				where[key+": "+text] = s.String()
			}
		}
	}
	for _, key := range []string{"gamma", "max_grad_norm", "hidden", "total_steps", "learning_rate"} {
		if used[key] < 3 {
			t.Errorf("%d learners share the declaration of %s, expected most", used[key], key)
		}
	}
}

// complains reports whether a value of one setting is refused.
func complains(e *registry.Entry, key, value string) bool {
	_, err := e.Configure(nil, 1, []registry.Setting{{Key: key, Value: value}})
	return err != nil && strings.Contains(err.Error(), " "+key+" is ") || err != nil &&
		strings.Contains(err.Error(), " "+key+"[")
}

// TestRangesAreThoseOfValidate tries the ends of each interval, and what is beyond them, on the
// code that checks.
func TestRangesAreThoseOfValidate(t *testing.T) {
	tried := 0
	for _, e := range agents.All() {
		for _, a := range e.Settings() {
			whole := !strings.ContainsAny(a.Default, ".e") && strings.HasSuffix(a.Range, ",inf)") &&
				a.Range[1] != '0' || slices.Contains([]string{"learning_starts", "places", "values_first", "rollouts",
				"critic_only"}, a.Key)
			if a.Default != "" && a.Range != "a JSON object" && complains(&e, a.Key, a.Default) {
				t.Errorf("%s: the default %s=%s is refused", e.Name, a.Key, a.Default)
			}
			m := interval.FindStringSubmatch(a.Range)
			if m == nil {
				for _, word := range strings.Split(a.Range, ", ") {
					if strings.Contains(a.Range, ", ") && a.Key != "encoder" && complains(&e, a.Key, word) {
						t.Errorf("%s: %s=%s is refused", e.Name, a.Key, word)
					}
				}
				if !strings.HasPrefix(a.Range, "a JSON") && a.Range != "at least one update" &&
					!complains(&e, a.Key, "0") {
					if _, err := e.Configure(nil, 1, []registry.Setting{{Key: a.Key, Value: "0"}}); err == nil {
						t.Errorf("%s: %s=0 is taken, its range is %s", e.Name, a.Key, a.Range)
					}
				}
				continue
			}
			tried++
			ends(t, &e, a, m, whole)
		}
	}
	if tried < 75 {
		t.Errorf("%d intervals were tried, expected all", tried)
	}
}

// ends tries both ends of an interval.
func ends(t *testing.T, e *registry.Entry, a registry.About, m []string, whole bool) {
	for _, end := range []struct {
		text   string
		closed bool
		out    float64
	}{{m[2], m[1] == "[", -1}, {m[3], m[4] == "]", 1}} {
		if end.text == "inf" {
			if big := "1000000000"; a.Key != "minibatches" && a.Key != "epochs" && e.Name+" "+a.Key != "ppo rollouts" &&
				complains(e, a.Key, big) {
				t.Errorf("%s: %s=%s is refused, its range is %s", e.Name, a.Key, big, a.Range)
			}
			continue
		}
		at, err := strconv.ParseFloat(end.text, 64)
		if err != nil {
			t.Fatalf("%s: %s has the range %q", e.Name, a.Key, a.Range)
		}
		step := 1e-6 * (1 + math.Abs(at))
		if whole {
			step = 1
		}
		at1, beyond := end.text, strconv.FormatFloat(at+end.out*step, 'g', -1, 64)
		if !end.closed {
			at1, beyond = strconv.FormatFloat(at-end.out*step, 'g', -1, 64), end.text
		}
		if complains(e, a.Key, at1) {
			t.Errorf("%s: %s=%s is refused, its range is %s", e.Name, a.Key, at1, a.Range)
		}
		if !complains(e, a.Key, beyond) {
			t.Errorf("%s: %s=%s is taken, its range is %s", e.Name, a.Key, beyond, a.Range)
		}
	}
}
