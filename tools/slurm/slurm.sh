#!/usr/bin/env bash
# A small Slurm on this machine's loopback, for tests and for trying things: one controller, one
# node, two partitions, of which the jobs of one preempt the jobs of the other.
#
#   tools/slurm/slurm.sh fetch PREFIX        unpack Debian's packages into PREFIX (nothing is installed)
#   tools/slurm/slurm.sh start PREFIX DIR    start it with its files in DIR, wait until the node is idle
#   tools/slurm/slurm.sh stop DIR            stop it
#
# PREFIX "/" takes the Slurm that is installed. After start, put DIR/bin before PATH: sbatch, squeue,
# scontrol, scancel and sinfo there speak to this Slurm and to no other. No daemon of the system, no
# systemd, no munge and no database is needed, and root is not either.
#
# Settings from the environment: SLURM_CPUS of the node (default 4), SLURM_PORT of the controller
# (default: the first free pair from 26817), SLURM_EXTRA lines for slurm.conf.
set -euo pipefail

packages="slurmctld slurmd slurm-client slurm-wlm-basic-plugins libmunge2 libhwloc15 libnuma1 libudev1 liblz4-1 libreadline8"

die() { printf 'slurm.sh: %s\n' "$*" >&2; exit 1; }

fetch() {
  local prefix=$1 scratch
  if [ -x "$prefix/usr/sbin/slurmctld-wlm" ] && [ -e "$prefix/complete" ]; then return; fi
  command -v apt-get >/dev/null || die "no apt-get here: install Slurm and give / as the prefix"
  mkdir -p "$prefix"
  prefix=$(cd "$prefix" && pwd)
  scratch=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder's name of now is meant
  trap "rm -rf '$scratch'" EXIT
  cd "$scratch"
  # The lists of packages may be missing or old; they are asked for again only then. Outside root
  # that fails, and the second download reports what is wrong.
  # shellcheck disable=SC2086 # a list of words
  apt-get -q download $packages >first.log 2>&1 ||
    { apt-get -q update >update.log 2>&1 || true; apt-get -q download $packages >second.log 2>&1; } ||
    { cat ./*.log >&2; die "the packages could not be downloaded"; }
  for deb in *.deb; do dpkg-deb -x "$deb" "$prefix"; done
  touch "$prefix/complete"
}

# program finds a binary below the prefix; Debian's carry the suffix -wlm behind alternatives.
program() {
  local p
  for p in "$prefix/usr/sbin/$1-wlm" "$prefix/usr/sbin/$1" "$prefix/usr/bin/$1"; do
    if [ -x "$p" ]; then printf '%s' "$p"; return; fi
  done
  die "no $1 below $prefix/usr"
}

free_port() {
  local p=${SLURM_PORT:-26817}
  while (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null || (exec 3<>"/dev/tcp/127.0.0.1/$((p + 1))") 2>/dev/null; do
    p=$((p + 2))
  done
  printf '%s' "$p"
}

configure() {
  local port=$1 host
  host=$(uname -n)
  host=${host%%.*}
  cat > "$dir/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
PluginDir=$lib/slurm-wlm
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
OverTimeLimit=0
MinJobAge=60
MaxArraySize=1001
${SLURM_EXTRA:-}
NodeName=node1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=${SLURM_CPUS:-4} RealMemory=4000 State=UNKNOWN
PartitionName=low Nodes=node1 Default=YES MaxTime=60 DefaultTime=10 PriorityTier=1 GraceTime=2 State=UP
PartitionName=high Nodes=node1 MaxTime=60 DefaultTime=10 PriorityTier=10 PreemptMode=OFF State=UP
CONF
}

# clients writes the commands that speak to this Slurm.
clients() {
  local c
  for c in sbatch squeue scontrol scancel sinfo srun sdiag; do
    printf '#!/bin/sh\nSLURM_CONF=%q LD_LIBRARY_PATH=%q exec %q "$@"\n' "$dir/slurm.conf" "$libs" "$(program $c)" > "$dir/bin/$c"
    chmod +x "$dir/bin/$c"
  done
}

# daemon starts one program and notes its process.
daemon() {
  local name=$1
  shift
  SLURM_CONF=$dir/slurm.conf LD_LIBRARY_PATH=$libs setsid "$@" </dev/null >"$dir/$name.out" 2>&1 &
  echo $! > "$dir/$name.process"
}

start() {
  prefix=${1%/} dir=$2
  mkdir -p "$dir"/{state,spool,bin}
  dir=$(cd "$dir" && pwd)
  [ -z "$prefix" ] || prefix=$(cd "$prefix" && pwd)
  lib=$(cd "$prefix/usr/lib/"*-linux-gnu/slurm-wlm/.. 2>/dev/null && pwd) || die "no Slurm below ${prefix:-/}"
  libs=$lib:$lib/slurm-wlm:${lib/#$prefix\/usr\/lib/$prefix\/lib}
  configure "$(free_port)"
  clients
  daemon slurmctld "$(program slurmctld)" -D
  daemon slurmd "$(program slurmd)" -D -N node1 -d "$(program slurmstepd)"
  for _ in $(seq 100); do
    if [ "$("$dir/bin/sinfo" -h -p low -o %T 2>/dev/null)" = idle ]; then return; fi
    for d in slurmctld slurmd; do
      kill -0 "$(cat "$dir/$d.process")" 2>/dev/null || { cat "$dir/$d.out" "$dir/$d.log" >&2; stop "$dir"; die "$d ended"; }
    done
    sleep 0.1
  done
  tail -n 20 "$dir"/*.log "$dir"/*.out >&2
  stop "$dir"
  die "the node is not idle after 10 s"
}

stop() {
  local d p
  for d in slurmd slurmctld; do
    [ -e "$1/$d.process" ] || continue
    p=$(cat "$1/$d.process")
    kill "$p" 2>/dev/null || true
    for _ in $(seq 50); do
      kill -0 "$p" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$p" 2>/dev/null || true
    rm -f "$1/$d.process"
  done
}

case "${1:-}:$#" in
  fetch:2) fetch "$2" ;;
  start:3) start "$2" "$3" ;;
  stop:2) stop "$2" ;;
  *) die "expected fetch PREFIX, start PREFIX DIR or stop DIR" ;;
esac
