package kaisref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every run and slot of the shared data is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "kais") }

// By hand: one node in each cluster with a pod of 10 CPU and 1 of memory, of 20 and 2; requests of 10
// CPU-seconds. On one node the first ends at 1.5 s, when the second is too late; in turns the first goes
// to the cloud, and the second runs on the node. A node in use has half of all free, s = 0; one that is
// not has s = sqrt(1/8).
const (
	setting = `{"nodes": [{"cpu": 20, "mem": 2}, {"cpu": 20, "mem": 2}], "deploy": [[1], [1]], "coefficient": [1],
		"pod_cpu": 10, "pod_mem": 1, "slot_s": 0.5, "slots": 3}`
	requests = "cluster,type,arrive_s,deadline_s,work_cpu_s\n1,0,0.1,2,10\n1,0,0.2,2.2,10\n"
	means    = "rule,cpu_returned,done,missed,throughput_rate,mean_reward_sum\n" +
		"shortest-queue,1,1,1,0.5,3.47176155501\nround-robin,0,1,0,1,3.60291800177\n"
	slots = "rule,cpu_returned,slot,done_1,done_2,missed_1,missed_2,reward_1,reward_2\n" +
		"round-robin,0,1,0,0,0,0,2,1.70218850133\nshortest-queue,1,2,1,0,1,0,1.30871916104,1.70218850133\n"
)

func TestByHand(t *testing.T) {
	files := map[string]string{"a-setting.json": setting, "a-requests.csv": requests, "a-means.csv": means,
		"a-slots.csv": slots, "b-setting.json": setting, "b-requests.csv": requests, "b-means.csv": means}
	const three, half = "mine: 5 of 6", "mine: 3 of 6"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":         {"a-means.csv", "", "", "mine: 6 of 6", ""},
		"done":          {"a-means.csv", "queue,1,1", "queue,1,2", three, "a-means.csv: row 1: done is 1, there 2"},
		"missed":        {"b-means.csv", "robin,0,1,0", "robin,0,1,1", three, "b-means.csv: row 2: missed is 0, there 1"},
		"the part":      {"a-means.csv", ",0.5,", ",0.6,", three, "throughput_rate is 0.5, there 0.6"},
		"a mean":        {"a-means.csv", ",1,0,1,3.6", ",1,0,1,3.7", three, "mean_reward_sum is 3.6"},
		"a rule":        {"b-means.csv", "round", "square", three, "no rule \"square-robin\""},
		"a reward":      {"a-slots.csv", ",0,2,1.70", ",0,2,1.71", three, "reward_2 is 1.702"},
		"a slot":        {"a-slots.csv", "queue,1,2", "queue,1,3", three, "slot 3 of 3"},
		"a run":         {"a-slots.csv", "queue,1,2", "queue,0,2", three, "slot 2 of 0"},
		"a slot's done": {"a-slots.csv", "queue,1,2,1", "queue,1,2,0", three, "done_1 is 1, there 0"},
		"a word":        {"a-slots.csv", "queue,1,2,1", "queue,1,2,one", three, "expected a number"},
		"work":          {"a-requests.csv", "2.2,10", "2.2,1", half, "missed is 0, there 1"},
		"a pod":         {"a-setting.json", `"pod_cpu": 10`, `"pod_cpu": 11`, half, "mean_reward_sum"},
	})
}

// What a set must not be is an error.
func TestFaults(t *testing.T) {
	files := map[string]string{"setting.json": setting, "requests.csv": requests, "means.csv": means}
	reftest.Refused(t, setup(), files, map[string][3]string{
		"pods of 1 nodes, expected 2":   {"setting.json", "[[1], [1]]", "[[1]]"},
		"pods of types [0 1], expected": {"setting.json", "[[1], [1]]", "[[1, 1], [1]]"},
		"expected numbers above 0":      {"setting.json", `"slots": 3`, `"slots": 0`},
		"cluster 3, expected 1..2":      {"requests.csv", "1,0,0.1", "3,0,0.1"},
		"expected a number":             {"requests.csv", "1,0,0.1", "1,0,soon"},
	})
}
