package memory

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestFree(t *testing.T) {
	if free := Free(); free < 0 || free == 0 && runtime.GOOS == "linux" {
		t.Errorf("%d bytes are free", free)
	}
	limit, used := addresses()
	if limit < 0 || used < 0 {
		t.Errorf("an address space of %d bytes, %d taken", limit, used)
	}
}

func TestNumber(t *testing.T) {
	file := filepath.Join(t.TempDir(), "n")
	for text, want := range map[string]int64{"42\n": 42, "max\n": -1, "": -1} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := number(file); got != want {
			t.Errorf("%q is %d, expected %d", text, got, want)
		}
	}
	if number(file+"x") != -1 {
		t.Error("a file that is absent holds a number")
	}
}

func TestText(t *testing.T) {
	for bytes, want := range map[int64]string{512: "0.5 KiB", 3 << 19: "1.5 MiB", 5 << 30: "5 GiB",
		160 << 30: "160 GiB"} {
		if got := Text(bytes); got != want {
			t.Errorf("%d bytes are %s, expected %s", bytes, got, want)
		}
	}
}
