package scenario_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/service"
)

// The settings give a run services on its cluster and their operator, least where none is named. Files
// are recorded, with the loads that they name.
func TestServices(t *testing.T) {
	dir := t.TempDir()
	file, load := filepath.Join(dir, "services.csv"), filepath.Join(dir, "load.csv")
	for path, text := range map[string]string{file: "name,rate_per_s,gpus,model,load\na,5,2,vgg16,load.csv\nb,6,1,,3\n",
		load: "start_s,requests\n0,10\n10,30\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := built(t, "cluster=1x4x8,services="+param.Quote(file+",own=2,latency=mmc")+",operator=least:lend=all")
	if err != nil {
		t.Fatal(err)
	}
	m := s.Services()
	if len(m.Services) != 2 || m.Services[0].Replicas != 8 || m.Services[0].Load.At(0) != 1 || m.Latency != service.MMC ||
		!slices.Equal(m.Own, []bool{false, false, true, true}) || s.Operator() == nil {
		t.Errorf("services %+v, operator %v", m, s.Operator())
	}
	if len(s.Files) != 2 || s.Files[0].Path != file || s.Files[1].Path != load {
		t.Errorf("files %+v", s.Files)
	}
	if s, err = built(t, "services=steady"); err != nil || s.Operator() == nil || len(s.Services().Services) != 1 {
		t.Errorf("a name alone: %+v, %v", s.Services(), err)
	}
	for _, text := range []string{"", "services=none"} {
		if s, err := built(t, text); err != nil || s.Services() != nil || s.Operator() != nil {
			t.Errorf("%q: %+v, %v, %v", text, s.Services(), s.Operator(), err)
		}
	}
}

// Jobs that need more GPUs than the services leave are remarked.
func TestTooWide(t *testing.T) {
	s, err := built(t, "cluster=1x4x8,services=steady:own=1")
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("wide", []sim.Job{{ID: "a", GPUs: 24, Work: sim.Second},
		{ID: "b", GPUs: 25, Work: sim.Second}, {ID: "c", GPUs: 32, MinGPUs: 8, MaxGPUs: 32, Work: sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "services: 1 of 3 jobs need more GPUs than the 24 on machines that are not the services' (own=): job " +
		`"b" needs 25`
	if got := s.TooWide(w); !strings.HasPrefix(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	if s, err = built(t, "cluster=1x4x8,services=steady:own=0"); err != nil || s.TooWide(w) != "" {
		t.Errorf("without own machines: %q, %v", s.TooWide(w), err)
	}
}

// Faults have the place of their setting, the value and what was expected.
func TestServicesFaults(t *testing.T) {
	for text, want := range map[string]string{
		"services=stedy":                      `did you mean "steady"?`,
		"services=steady,operator=lest":       `operator "lest": unknown, expected one of `,
		"operator=least":                      `operator is "least" without services, expected services, too`,
		"services=steady:gpus=2":              "replicas of 2 GPUs and no model, and the speed model collective asks for one",
		"services=steady:model=vgg61":         `service "online": `,
		"services=steady:own=99":              "own is 99, expected at most the cluster's 16 machines",
		"services=no.csv,operator=least:x=3":  "no such file",
		"services=none,operator=least:lend=0": `lend is "0"`,
	} {
		_, err := built(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
		if strings.HasPrefix(text, "services=no.csv") && !strings.Contains(err.Error(), `unknown key "x"`) {
			t.Errorf("%s: error %v, expected both faults", text, err)
		}
	}
}
