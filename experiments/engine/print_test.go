package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrint lets a shell run the lines, and xargs each line as one command.
func TestPrint(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "my tarry")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\" >> \"$LIST\"\necho >> \"$LIST\"\n"),
		0o777); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	j := &Job{Dir: "out of $HOME's", Pending: []int{2, 5, 6}, Worker: []string{program, "sweep", "worker"}, Out: &out}
	if err := Print(context.Background(), j); !errors.Is(err, ErrHandedOut) {
		t.Fatalf("%v, expected ErrHandedOut", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Fatalf("%d lines, expected 3:\n%s", n, out.String())
	}
	want := ""
	for _, i := range []string{"2", "5", "6"} {
		want += "sweep|worker|--out|out of $HOME's|--index|" + i + "|\n"
	}
	for _, command := range []string{"sh", `tr '\n' '\0' | xargs -0 -n1 sh -c`} {
		list := filepath.Join(dir, "list")
		os.Remove(list)
		cmd := exec.Command("sh", "-c", command)
		cmd.Stdin, cmd.Env = strings.NewReader(out.String()), append(os.Environ(), "LIST="+list)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, said)
		}
		if got, err := os.ReadFile(list); err != nil || string(got) != want {
			t.Errorf("%s ran %q, %v, expected %q", command, got, err, want)
		}
	}
	j.Options = map[string]string{"image": "x"}
	if err := Print(context.Background(), j); err == nil ||
		err.Error() != `print: option image="x", expected none: engine print has no options` {
		t.Errorf("with an option: %v", err)
	}
}
