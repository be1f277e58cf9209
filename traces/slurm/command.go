package slurm

import "strings"

// Fields names what the command should print, separated by commas: all that is read, and the id in
// both forms.
func Fields() string {
	return "JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw," +
		"TimelimitRaw,NNodes,ReqTRES,AllocTRES,NodeList"
}

// Command is a script of shell that writes the accounting log and the nodes of a cluster, with what
// to check before and after. The words stand as a shell takes them; empty ones are left out.
func Command(start, end, partition string) string {
	limits := " --starttime=" + start + " --endtime=" + end
	if partition != "" {
		limits += " --partition=" + partition
	}
	return strings.NewReplacer("LIMITS", limits, "FIELDS", Fields()).Replace(script)
}

const script = `# Jobs of all users, a row for each run of a job that was requeued, none for steps. Times are seconds
# since 1970, so that changes of clocks move none. Where PrivateData hides the jobs of others, an
# operator has to run this. Put UID in place of User to keep names out of the file.
SLURM_TIME_FORMAT=%s sacct --allusers --duplicates --allocations --parsable2LIMITS \
  --format=FIELDS > sacct.txt

# To check: a count of 0 means that Slurm does not account for GPUs: slurm.conf needs
# AccountingStorageTRES=gres/gpu, with gres/gpu:TYPE for each type. Older jobs have them in
# AllocGRES alone: put that field into the list then.
grep -c gres/gpu sacct.txt

# The nodes, for --cluster; with racks by scontrol, where the site states them.
sinfo --Node --format="%N|%P|%G|%c|%m|%T" > nodes.txt
# (scontrol show nodes; scontrol show topology) > nodes.txt

# What was read, and what was left out and why.
tarry trace info --trace slurm:sacct.txt
`
