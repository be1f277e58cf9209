package app

import (
	"os/exec"
	"strings"
	"testing"

	"tarry/internal/release"
)

// TestVersionIsOfTheBuild: the program's version ends in the build ID that the Go tool shows,
// unless it is a commit's.
func TestVersionIsOfTheBuild(t *testing.T) {
	said, err := exec.Command("go", "tool", "buildid", binary()).Output()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(said))
	id = id[strings.LastIndexByte(id, '/')+1:][:12]
	for _, args := range [][]string{{"version"}, {"--version"}, {"-v"}} {
		s := good(t, t.TempDir(), args...)
		fields := strings.Fields(s.out)
		if len(fields) != 8 || fields[0] != "tarry" || fields[1] != release.Version || fields[2] != "commit" ||
			fields[4] != "build" || s.errors != "" {
			t.Fatalf("tarry %v prints %q, expected one line: tarry VERSION commit C build B GO PLATFORM", args, s.out)
		}
		if v := fields[5]; (strings.Contains(v, "(devel)") || strings.Contains(v, "+dirty")) &&
			!strings.HasSuffix(v, "."+id) {
			t.Errorf("version %q does not end in the build's %q", v, id)
		}
	}
	if got := release.CodeID(binary()); got != id {
		t.Errorf("code id %q, expected %q from the note", got, id)
	}
}
