package k8s

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// instruction is one line of a Containerfile, KEYWORD and its words.
type instruction struct {
	keyword string
	words   []string
}

// containerfile reads the Containerfile of the module; it has one instruction per line.
func containerfile(t *testing.T) (stages [][]instruction) {
	t.Helper()
	text, err := os.ReadFile("../../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if words[0] == "FROM" {
			stages = append(stages, nil)
		}
		if len(stages) == 0 || words[len(words)-1] == "\\" {
			t.Fatalf("%q, expected a stage of one instruction per line", line)
		}
		last := &stages[len(stages)-1]
		*last = append(*last, instruction{words[0], words[1:]})
	}
	if len(stages) != 2 {
		t.Fatalf("%d stages, expected one that builds and one that runs", len(stages))
	}
	return stages
}

// find gives the words of the only instruction with a keyword and, if it is not "", a first word.
func find(t *testing.T, stage []instruction, keyword, first string) []string {
	t.Helper()
	var found [][]string
	for _, i := range stage {
		if i.keyword == keyword && (first == "" || i.words[0] == first) {
			found = append(found, i.words)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d instructions %s %s, expected one", len(found), keyword, first)
	}
	return found[0]
}

// TestContainerfile holds the image against what it is for: the build is as in the Makefile with
// the Go of go.mod, the result is where PATH finds the command of the engine's manifest, and it
// does not run as root.
func TestContainerfile(t *testing.T) {
	stages := containerfile(t)
	built, final := stages[0], stages[1]

	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if from := find(t, built, "FROM", "")[0]; goVersion == nil || from != "golang:"+string(goVersion[1]) {
		t.Errorf("FROM %s, expected golang of go.mod's go %s, and no registry", from, goVersion)
	}
	if from := find(t, final, "FROM", "")[0]; from != "scratch" {
		t.Errorf("FROM %s, expected scratch", from)
	}

	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(find(t, built, "RUN", "CGO_ENABLED=0")[1:], []string{"make", "build"}) {
		t.Errorf("the build is not make build without C, which scratch has no library for")
	}
	for _, want := range []string{"\nBUILD   := build\n", "\nTARRY   := $(BUILD)/tarry\n",
		"-o $(TARRY) ./cmd/tarry\n"} {
		if !strings.Contains(string(makefile), want) {
			t.Errorf("the Makefile has no %q: look whether make build still writes build/tarry", want)
		}
	}

	workdir := find(t, built, "WORKDIR", "")[0]
	copied := find(t, final, "COPY", "--from=build")
	if copied[1] != path.Join(workdir, "build/tarry") {
		t.Errorf("%s is copied, expected what make build writes in %s", copied[1], workdir)
	}
	opt, err := parseK8sOptions(map[string]string{"image": "x", "claim": "y"}, nil, "demo", "/s", 1)
	if err != nil {
		t.Fatal(err)
	}
	onPath := find(t, final, "ENV", "")[0]
	if onPath != "PATH="+path.Dir(copied[2]) || path.Base(copied[2]) != opt.program {
		t.Errorf("the program is %s and the environment %s, expected %s of the manifest on the path", copied[2],
			onPath, opt.program)
	}
	if entry := find(t, final, "ENTRYPOINT", ""); !slices.Equal(entry, []string{`["` + copied[2] + `"]`}) {
		t.Errorf("ENTRYPOINT %s, expected %s", entry, copied[2])
	}
	uid, gid, _ := strings.Cut(find(t, final, "USER", "")[0], ":")
	for _, id := range []string{uid, gid} { // runAsNonRoot takes numbers alone
		if n, err := strconv.Atoi(id); err != nil || n < 1 {
			t.Errorf("USER %s:%s, expected two numbers above 0", uid, gid)
		}
	}
}
