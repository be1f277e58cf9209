package k8s

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// k8sJob runs the engine in a folder and gives the manifest, with the folder written DIR.
func k8sJob(t *testing.T, dir string, options map[string]string) string {
	t.Helper()
	var out, log bytes.Buffer
	j := &engine.Job{Dir: dir, Folder: &sweep.Folder{Spec: sweep.Spec{Name: "Load_sweep"}}, Pending: []int{0, 3, 4, 9},
		Parallel: 2,
		Worker:   []string{"/usr/bin/tarry", "sweep", "worker"}, Options: options, Out: &out, Log: &log}
	if err := Run(context.Background(), j); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatalf("%v, expected engine.ErrHandedOut", err)
	}
	return out.String()
}

func TestK8sManifest(t *testing.T) {
	dir := t.TempDir()
	got := k8sJob(t, dir, map[string]string{
		"name": "load", "image": "registry.example/tarry:1.0", "claim": "sweeps", "mount": "/sweeps",
		"folder":    "/sweeps/load $(X)",
		"namespace": "research", "cpu": "2", "memory": "4Gi", "gpus": "1", "queue": "team-a",
		"service-account": "runner", "workdir": "/data",
		"priority-class": "low", "sub-path": "mine", "deadline": "86400", "keep": "3600", "max-failed": "2",
		"user": "1000:100",
	})
	want, err := os.ReadFile("testdata/job.yaml")
	if err != nil || got != string(want) {
		t.Errorf("manifest:\n%s\nexpected testdata/job.yaml (%v)", got, err)
	}
	for name, want := range map[string]string{"job-1.yaml": got, "job-1.cells": "0\n3\n4\n9\n"} {
		data, err := os.ReadFile(filepath.Join(dir, "k8s", name))
		if err != nil || string(data) != want {
			t.Errorf("%s is %q, %v, expected %q", name, data, err, want)
		}
	}
	if again := k8sJob(t, dir, map[string]string{"image": "x", "claim": "y"}); !strings.Contains(again, "job-2.cells") {
		t.Errorf("the second manifest does not name job-2.cells:\n%s", again)
	}
}

func TestK8sOptionErrors(t *testing.T) {
	_, err := parseK8sOptions(map[string]string{"pull": "Sometimes", "mount": "sweeps", "backoff": "-1", "imge": "x",
		"name": "A_b", "user": "0"}, nil, "demo", "/s/demo", 4)
	want := strings.Join([]string{
		`k8s: option backoff is "-1", expected a whole number >= 0`,
		`k8s: option user is "0", expected UID or UID:GID, numbers in 1..2147483647 (id -u and id -g print one's own)`,
		`k8s: option image is "", expected the image that has the program, as in registry.example/tarry:1.0`,
		`k8s: option claim is "", expected the name of the PersistentVolumeClaim that holds the sweep's folder`,
		`k8s: option name is "A_b", expected at most 50 small letters, digits and -`,
		`k8s: option pull is "Sometimes", expected Always, IfNotPresent or Never`,
		`k8s: option mount is "sweeps", expected an absolute path in the pod`,
		`k8s: option folder is "/s/demo", expected a folder below mount=sweeps`,
		`k8s: unknown option imge="x", expected ` + k8sKeys,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("errors:\n%v\nexpected:\n%s", err, want)
	}
}

// TestK8sUser: as whom pods run is written only where it is set.
func TestK8sUser(t *testing.T) {
	for user, want := range map[string]string{
		"":     "",
		"1000": "      securityContext:\n        runAsNonRoot: true\n        runAsUser: 1000\n      containers:\n",
		"1000:50": "        runAsUser: 1000\n        runAsGroup: 50\n        fsGroup: 50\n        " +
			"fsGroupChangePolicy: OnRootMismatch\n      containers:\n",
	} {
		options := map[string]string{"image": "x", "claim": "y"}
		if user != "" {
			options["user"] = user
		}
		got := k8sJob(t, t.TempDir(), options)
		if !strings.Contains(got, want) || user == "" && strings.Contains(got, "securityContext") {
			t.Errorf("user=%s: manifest:\n%s\nexpected in it:\n%s", user, got, want)
		}
	}
	for _, user := range []string{"-1", "01", "1:", "1:x", ":5", "root", "2147483648", "1:2:3"} {
		if _, err := parseK8sOptions(map[string]string{"image": "x", "claim": "y", "user": user}, nil, "demo", "/s",
			1); err == nil || !strings.Contains(err.Error(), "expected UID or UID:GID") {
			t.Errorf("user=%s: %v, expected a fault", user, err)
		}
	}
}

func TestK8sName(t *testing.T) {
	for text, want := range map[string]string{"Load_sweep": "tarry-load-sweep-01ff", "-x.": "tarry-x-01ff",
		strings.Repeat("ab-", 20): "tarry-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-01ff"} {
		if got := k8sName(text, []byte{1, 0xff}); got != want {
			t.Errorf("k8sName(%q) = %s, expected %s", text, got, want)
		}
	}
}

// TestK8sSchema holds the manifest against the schema of Kubernetes.
func TestK8sSchema(t *testing.T) {
	python, err := filepath.Abs("../../../build/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(python, "-c", "import kubernetes_validate").Run(); err != nil {
		t.Skip("the schema of Kubernetes is not asked: build/venv has no kubernetes-validate (make venv makes it " +
			"where Python 3 is installed)")
	}
	good, err := os.ReadFile("testdata/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"as it is":    {string(good), true},
		"a wrong key": {strings.Replace(string(good), "backoffLimitPerIndex", "backofLimitPerIndex", 1), false},
	} {
		file := filepath.Join(t.TempDir(), "job.yaml")
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "-m", "kubernetes_validate", "--strict", file).CombinedOutput()
		if (err == nil) != c.ok {
			t.Errorf("%s: %v, expected valid: %v\n%s", name, err, c.ok, out)
		}
	}
}

// TestK8sUnwritable: a folder that cannot be written is named as that.
func TestK8sUnwritable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "k8s"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	j := &engine.Job{Dir: dir, Folder: &sweep.Folder{Spec: sweep.Spec{Name: "s"}}, Pending: []int{0},
		Worker: []string{"tarry"}, Options: map[string]string{"image": "i", "claim": "c"}}
	err := Run(context.Background(), j)
	want := "the sweep's folder cannot be written: mkdir " + filepath.Join(dir, "k8s") + ": not a directory"
	if !errors.Is(err, sweep.ErrStorage) || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
}
