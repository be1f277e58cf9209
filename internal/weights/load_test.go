package weights

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no text of weights is one error that states where such a text comes from.
func TestLoadFaults(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "best.ckpt")
	if err := os.WriteFile(binary, []byte("tarry state\x01\x04\x00header\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":  "weights: the name of the file is empty, expected a file",
		dir: "weights: " + dir + " is a folder, expected a file; of a training run, what tarry export weights",
		binary: binary + `:1: the file is a checkpoint, expected "kind 1": tarry export weights writes it of the ` +
			"folder of a training run",
		filepath.Join(dir, "none"): "no such file",
	} {
		if _, err := Load(path, parse); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, expected %s", path, err, want)
		}
	}
}
