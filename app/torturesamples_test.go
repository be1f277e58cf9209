package app

import (
	"fmt"
	"strings"
	"testing"
)

// sample is a small whole trace of a format; path is what stands after the format's name, "" =
// name.
type sample struct{ format, name, text, path string }

// samples gives one of every foreign format.
func samples(t *testing.T) []sample {
	t.Helper()
	rows := func(head string, row func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range 20 {
			b.WriteString(row(i))
		}
		return b.String()
	}
	philly := "[" + strings.TrimSuffix(rows("", func(i int) string {
		return fmt.Sprintf(
			`{"status": "Pass", "vc": "v%d", "jobid": "application_%d", "attempts": [{"start_time": "2017-10-07 03:%02d:00", "end_time": "2017-10-07 04:00:30", "detail": [{"ip": "m1", "gpus": ["gpu1"]}]}], "submitted_time": "2017-10-07 01:36:00", "user": "u"}`+",\n", i%3, i, i)
	}), ",\n") + "]"
	artist := "[" + strings.TrimSuffix(rows("", func(i int) string {
		return fmt.Sprintf(
			`{"job_id": "%d", "user": "u", "model": "VGG", "total_iterations": "1000", "time_per_iteration": "0.25", "max_parallelism": "4", "arrival_time": "%d"}`+",\n", i, 60*i)
	}), ",\n") + "]"
	return []sample{
		{"philly", "philly.json", philly, ""},
		{"artistsim", "artist.json", artist, ""},
		{"helios", "helios.csv", rows("job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,"+
			"end_time,duration,queue\n", func(i int) string {
			return fmt.Sprintf("%d,uA,vcB,8,48,1,COMPLETED,2020-04-01 00:%02d:10,2020-04-01 00:31:00,2020-04-01 "+
				"01:01:00,3600,50\n", i, i)
		}), ""},
		{"openb", "openb.csv", rows("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"+
			"creation_time,deletion_time,scheduled_time\n", func(i int) string {
			return fmt.Sprintf("p%d,12000,16384,2,1000,V100M16,LS,Running,%d,12537,%d\n", i, 100+i, 200+i)
		}), ""},
		{"tiresias", "tiresias.csv", rows("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n",
			func(i int) string {
				return fmt.Sprintf("%d,8,%d,133,vgg11,147,23\n", i, 5+i)
			}), ""},
		{"swf", "jobs.swf", rows("; Version: 2.2\n", func(i int) string {
			return fmt.Sprintf("  %d  %d   10   60   4  -1 -1   4   70 -1 1 3 2 -1 1 -1 -1 -1\n", i+1, 5*i)
		}), ""},
		{"slurm", "sacct.txt", rows("JobID|User|State|Submit|Start|End|ElapsedRaw|AllocTRES\n", func(i int) string {
			return fmt.Sprintf("%d|u%d|COMPLETED|2024-03-01T08:%02d:00|2024-03-01T09:00:00|2024-03-01T10:00:00|3600|"+
				"cpu=8,gres/gpu=2,mem=64G\n", i, i%3, i)
		}), ""},
		{"itp", "itp.csv", rows("job,cluster,submission_time,duration,num_gpu\n",
			func(i int) string { return fmt.Sprintf("%d,0%d,%d,700,2\n", i, i%3, 5*i) }), ""},
		{"gavel", "gavel.csv", rows("job_id,job_type,scale_factor,total_steps,arrival_s\n",
			func(i int) string { return fmt.Sprintf("%d,ResNet-50 (batch size 64),2,900,%d\n", i, 5*i) }), ""},
		{"elasticflow", "elasticflow.csv", rows("job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,"+
			"duration\n", func(i int) string {
			return fmt.Sprintf("%d,%d,900,resnet50,%d,64,2,90\n", i, 5*i, 5*i+700)
		}), ""},
		{"shockwave", "shockwave.csv", rows("job,job_type,total_steps,scale_factor,mode,arrival_s\n",
			func(i int) string { return fmt.Sprintf("%d,ResNet-50 (batch size 64),900,2,gns,%d\n", i, 5*i) }), ""},
		{"muri", "muri.csv", rows("job_id,num_gpu,submit_time,iterations,model_name,iteration_time\n",
			func(i int) string { return fmt.Sprintf("%d,2,%d,900,bert,190\n", i, 5000*i) }), ""},
		{"deepshare", "deepshare.csv", rows("job,model,num_gpus,total_samples,submit_s\n",
			func(i int) string { return fmt.Sprintf("%d,DLRM,2,900,%d\n", i, 5*i) }), ""},
		{"pollux", "pollux.csv", rows("name,time,application,num_replicas,batch_size\n",
			func(i int) string { return fmt.Sprintf("cifar10-%d,%d,cifar10,2,256\n", i, 5*i) }), ""},
		{"pai", "pai/pai_job_table.csv", rows("", func(i int) string {
			return fmt.Sprintf(
				"j%d,i1,uA,Terminated,%d.0,5000.0\n", i, 1000+i)
		}), "pai"},
		{"pai", "pai/pai_task_table.csv", rows("", func(i int) string {
			return fmt.Sprintf("j%d,worker,2,Terminated,1110,5000,600,29.296875,150,V100\n", i)
		}), "pai"},
	}
}
