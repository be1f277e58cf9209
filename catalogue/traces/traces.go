// Package traces lists the workloads that tarry reads: every trace format and the generator under
// one spelling, FORMAT:PATH or synth:NAME.
//
// Reading guide: All lists the formats; recognise.go states by what a file is recognised. Each
// format is a package below traces.
package traces

import (
	"tarry/catalogue/generator"
	"tarry/sim"
	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/traces/acme"
	"tarry/traces/arrowfmt"
	"tarry/traces/artistsim"
	"tarry/traces/batsim"
	"tarry/traces/csvfmt"
	"tarry/traces/deepshare"
	"tarry/traces/dlrm"
	"tarry/traces/elasticflow"
	"tarry/traces/gavel"
	"tarry/traces/helios"
	"tarry/traces/intake"
	"tarry/traces/itp"
	"tarry/traces/jobtable"
	"tarry/traces/jsonlfmt"
	"tarry/traces/k8s"
	"tarry/traces/muri"
	"tarry/traces/openb"
	"tarry/traces/pai"
	"tarry/traces/parquetfmt"
	"tarry/traces/philly"
	"tarry/traces/pollux"
	"tarry/traces/shockwave"
	"tarry/traces/slurm"
	"tarry/traces/spot"
	"tarry/traces/swf"
	"tarry/traces/tiresias"
)

// All lists the formats that tarry ships.
func All() entry.Traces {
	return entry.Traces{
		recognised(file("philly", "Microsoft Philly: cluster_job_log (JSON) or the job-level CSV",
			"Jeon et al., USENIX ATC 2019", philly.Read), columns("timestamp", "duration", "num_gpus", "cluster"),
			objects("jobid", "attempts")),
		recognised(file("helios", "SenseTime Helios: cluster_log.csv", "Hu et al., SC 2021", helios.Read),
			without(columns("job_id", "user", "vc", "gpu_num", "state", "submit_time", "duration"), "type")),
		recognised(file("acme", "Shanghai AI Lab AcmeTrace: trace_seren.csv, trace_kalos.csv", "Hu et al., NSDI 2024",
			acme.Read), columns("job_id", "user", "gpu_num", "type", "state", "submit_time", "start_time", "end_time")),
		recognised(file("pai", "Alibaba PAI 2020: the folder of the tables, or its job table",
			"Weng et al., NSDI 2022", pai.Read), named("pai_job_table", "")),
		recognised(file("openb", "Alibaba GPU 2023: pod list CSV", "Weng et al., USENIX ATC 2023", openb.Read),
			columns("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "creation_time")),
		recognised(file("dlrm", "Alibaba GPU 2025: instance list disaggregated_DLRM_trace.csv", "Yang et al., NSDI 2025",
			dlrm.Read), columns("instance_sn", "app_name", "gpu_request", "creation_time")),
		recognised(file("spot", "Alibaba spot GPU 2026: job_info_df.csv", "Duan et al., ASPLOS 2026", spot.Read),
			columns("job_name", "organization", "gpu_request", "worker_num", "job_type")),
		recognised(file("tiresias", "Tiresias simulator: job list CSV", "Gu et al., NSDI 2019", tiresias.Read),
			without(columns("job_id", "num_gpu", "submit_time", "duration"), "model_name", "batch_size")),
		recognised(file("artistsim", "simulator of the Dally paper: job list JSON", "Sharma et al., arXiv 2401.16492",
			artistsim.Read), objects("max_parallelism", "time_per_iteration")),
		recognised(file("swf", "Standard Workload Format 2.2, a processor taken as a GPU", "Chapin et al., JSSPP 1999",
			swf.Read), named("", ".swf"), numbers(18)),
		file("swf-partitions", "the same with a job's partition as the GPU type that it needs", "",
			swf.Partitions{}.Read),
		file("swf-rlscheduler", "the same by the reading rules of RLScheduler, for its windows", "",
			swf.Published{}.Read),
		recognised(file("slurm", "Slurm: what sacct -P prints of one's own cluster; tarry trace slurm-command prints "+
			"the command", "", slurm.Read), func(h *entry.Head) bool { return slurm.Header(h.Line()) },
			objects("jobs", "het", "association")),
		file("slurm-partitions", "the same with the partition as GPU type where the log states none", "",
			slurm.Partitions{}.Read),
		recognised(file("itp", "Microsoft ITP 2021, ten clusters: CSV of jobs", "Gu et al., ASPLOS 2023", itp.Read),
			without(columns("submission_time", "duration", "num_gpu"), "model_name", "batch_size")),
		recognised(file("gavel", "Gavel: CSV of jobs with job_type and total_steps, or its own .trace",
			"Narayanan et al., OSDI 2020", gavel.Read), columns("job_id", "job_type", "scale_factor", "total_steps"),
			except(named("", ".trace"), tabbed(12))),
		recognised(file("elasticflow", "ElasticFlow: CSV of elastic jobs with model_name, batch_size, iterations "+
			"and deadlines", "Gu et al., ASPLOS 2023", elasticflow.Read),
			without(columns("job_id", "model_name", "batch_size", "num_gpu", "duration"), "iteration_time")),
		recognised(file("shockwave", "Shockwave: CSV of jobs with job_type, total_steps and mode, or its own .trace",
			"Zheng et al., NSDI 2023", shockwave.Read), columns("job", "job_type", "scale_factor", "total_steps",
			"mode"), tabbed(12)),
		recognised(file("pollux", "simulator of Pollux: CSV of jobs with application, num_replicas and batch_size, "+
			"which end with their epochs", "Qiao et al., OSDI 2021", pollux.Read),
			columns("name", "time", "application", "num_replicas", "batch_size")),
		recognised(file("muri", "simulator of Muri: CSV of jobs with iterations, model_name and iteration_time",
			"Zhao et al., SIGCOMM 2022", muri.Read), columns("job_id", "num_gpu", "submit_time", "iterations",
			"model_name", "iteration_time")),
		recognised(file("deepshare", "simulator of DeepShare: its own JSON, or CSV with model, num_gpus and total_samples",
			"arXiv 2310.20209, ICPADS 2023", deepshare.Read), columns("job", "model", "num_gpus", "total_samples"),
			objects("model", "gpu_demand", "total_samples_to_train")),
		recognised(file("batsim", "Batsim: workload JSON, a resource taken as a GPU; FILE,speed=1Gf for profiles of "+
			"computations", "", batsim.Read), objects("jobs", "subtime", "res")),
		recognised(file("k8s", "Kubernetes: what kubectl get pods -A -o json prints", "", k8s.Read), k8s.FitsPods),
		recognised(table("csv", "tarry's own CSV: docs/reference/job-columns.md has the columns", csvfmt.Format()),
			ownColumns, parts(".csv")),
		recognised(table("parquet", "tarry's own Parquet, a file or a folder of parts, with the same columns",
			parquetfmt.Format()), begins(entry.ParquetMagic), parts(".parquet")),
		recognised(table("arrow", "Arrow IPC or Feather V2, a file or stream, with the same columns",
			arrowfmt.Format()), begins(entry.ArrowMagic), begins(entry.ArrowStream), parts(".arrow"), parts(".feather")),
		recognised(table("jsonl", "JSON lines: an object with the same columns on each line", jsonlfmt.Format()),
			ownKeys, parts(".jsonl"), parts(".json"), parts(".ndjson")),
		generator.Entry(),
	}
}

// file is a format whose path names a file or folder.
func file(name, doc, paper string,
	read func(string, intake.Options) (*sim.Workload, *account.Report, error)) entry.Trace {
	open := func(path string, opt entry.TraceOptions) (*sim.Workload, *account.Report, error) {
		return read(path, intake.Options{Strict: opt.Strict, MaxJobs: opt.MaxJobs, Columns: opt.Columns,
			Repair: opt.Repair})
	}
	return entry.Trace{Name: name, Doc: doc, Paper: paper, Open: open}
}

// table is a table of jobs with tarry's own columns.
func table(name, doc string, f *jobtable.Format) entry.Trace {
	t := file(name, doc, "", f.Read)
	t.Table = f.Ends
	return t
}
