package traces_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/rng"
	work "tarry/traces"
)

// beginnings is a file of each format that is recognised, by its name.
func beginnings() map[string][2]string {
	return map[string][2]string{
		"philly":  {"p.csv", "timestamp,duration,num_gpus,cluster\n"},
		"philly ": {"cluster_job_log", `[{"status": "Pass", "vc": "a", "jobid": "x", "attempts": []}]`},
		"helios":  {"cluster_log.csv", "\"job_id\",user,vc,gpu_num,cpu_num,state,submit_time,duration\n"},
		"acme": {"trace_seren.csv", "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time," +
			"duration,queue,gpu_time\n"},
		"acme ": {"t.csv", "job_id,user,vc,gpu_num,type,state,submit_time,start_time,end_time,duration\n"},
		"dlrm": {"d.csv", "instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time," +
			"scheduled_time,deletion_time\n"},
		"spot": {"job_info_df.csv", "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time," +
			"duration,job_type\n"},
		"deepshare ": {"trace0", `{"0": {"model": "MoE", "gpu_demand": 8, "total_samples_to_train": 1.5}}`},
		"pai":        {"pai_job_table.csv", "a,b,c,Terminated,1,2\n"},
		"openb": {"o.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time," +
			"deletion_time,scheduled_time\n"},
		"tiresias":  {"t.csv", "\ufeffjob_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"},
		"artistsim": {"a.json", "\n[{\"time_per_iteration\": \"1\", \"max_parallelism\": \"4\"}]"},
		"slurm":     {"log.txt", "JobID|User|AllocTRES|\n1|u|gres/gpu=1|\n"},
		"slurm ":    {"log.csv", "\"JobIDRaw\",\"Submit\",\"State\"\n"},
		"slurm   ":  {"s.json", "{\"meta\": {},\n\"jobs\": [{\"account\": \"a\", \"association\": {}, \"het\": {}}]}"},
		"slurm  ":   {"table.txt", "JobID           JobName      State\n------- ------- --------\n"},
		"itp":       {"i.csv", "job,cluster,submission_time,duration,num_gpu\n"},
		"gavel": {"g.csv", "job_id,job_type,model,batch_size,scale_factor,total_steps,arrival_s," +
			"priority_weight,slo\n"},
		"gavel ":     {"small.trace", "A3C\tcd\t-n\t1\t100\t0.0\t1\n"},
		"gavel  ":    {"old.trace", "A3C\tcd\t-n\t100\t0\t1\n"},
		"shockwave ": {"120.trace", "A3C\tcd\td\t-n\t1\t100\t1\tstatic\t1\t-1\t5\t0\n"},
		"elasticflow": {"e.csv", "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration," +
			"best_effort\n"},
		"elasticflow ": {"f.csv", "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu," +
			"duration\n"},
		"shockwave": {"s.csv", "job,job_type,total_steps,scale_factor,mode,priority_weight,slo,duration_s," +
			"arrival_s\n"},
		"muri": {"m.csv", "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval," +
			"iteration_time,resource_time_0,resource_time_1,resource_time_2,priority\n"},
		"deepshare": {"d.csv", "job,model,num_gpus,total_samples\n"},
		"pollux":    {"w.csv", "name,time,application,num_replicas,batch_size\n"},
		"swf":       {"log.swf", "; a remark\n"},
		"swf ":      {"log.txt", "; a remark\n1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"},
		"swf  ":     {"wagap", "0 5 0 10 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1 {7} q 1:ppn=4\n"},
		"batsim":    {"w.json", `{"nb_res": 8, "jobs": [{"id": "1", "subtime": 0, "res": 2, "profile": "p"}]}`},
		"k8s":       {"p.json", `{"apiVersion": "v1", "items": [{"spec": {"containers": []}}], "kind": "List"}`},
		"csv":       {"j.csv", "id,submit_s,gpus,work_s\n"},
		"csv ":      {"k.csv", "Submit;GPUs;Duration\n"},
		"jsonl":     {"j.jsonl", "{\"submit\":0,\"gpus\":1,\"work_s\":2}\n"},
		"jsonl ":    {"j.json", "[\n {\"gpus\":1,\"submit_us\":0,\"work_s\":2},"},
	}
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRecognise(t *testing.T) {
	dir := t.TempDir()
	for want, file := range beginnings() {
		if f, err := traces.All().Recognise(put(t, dir, file[0], file[1])); err != nil || f.Name != strings.TrimSpace(want) {
			t.Errorf("%s is recognised as %q (%v), want %s", file[0], f.Name, err, want)
		}
	}
	tables := filepath.Join(dir, "tables")
	if err := os.Mkdir(tables, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, tables, "pai_job_table.csv.gz", "")
	if f, err := traces.All().Recognise(tables); err != nil || f.Name != "pai" {
		t.Errorf("a folder of tables is %q (%v)", f.Name, err)
	}
	for name, c := range map[string][2]string{
		"none": {"what,else\n", "fit no format, expected FORMAT:PATH with FORMAT one of philly, "},
		"two": {"job_id,num_gpu,submit_time,duration,timestamp,num_gpus,cluster\n",
			"fit philly and tiresias, expected FORMAT:PATH with one of these"},
		"zip": {"PK\x03\x04", "is a zip archive, expected UTF-8 text"},
	} {
		path := put(t, dir, name, c[0])
		if _, _, err := traces.All().Open(path, entry.TraceOptions{}); err == nil || !strings.Contains(err.Error(), c[1]) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s gives %v, expected %s", name, err, c[1])
		}
	}
}

// What tarry writes is read without naming its format, and the account states which it is.
func TestOpenUnnamed(t *testing.T) {
	w, _, err := traces.All().Open("synth:demo,jobs=20", entry.TraceOptions{Source: rng.Source{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"jobs.csv", "jobs.csv.gz", "jobs.csv.zst", "jobs.parquet", "jobs.jsonl",
		"jobs.ndjson.zst"} {
		path := filepath.Join(t.TempDir(), name)
		if err := work.Write(path, w); err != nil {
			t.Fatal(err)
		}
		got, report, err := traces.All().Open(path, entry.TraceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		format := "csv"
		switch {
		case strings.HasSuffix(name, "parquet"):
			format = "parquet"
		case strings.Contains(name, "json"):
			format = "jsonl"
		}
		if notes := strings.Join(report.Notes, "\n"); got.Hash() != hashOf(t, format+":"+path) ||
			!strings.Contains(notes, " is read as "+format+",") {
			t.Errorf("%s: other jobs than of %s, or notes %q", name, format, notes)
		}
	}
}

func hashOf(t *testing.T, spec string) string {
	t.Helper()
	var w *sim.Workload
	w, _, err := traces.All().Open(spec, entry.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w.Hash()
}
