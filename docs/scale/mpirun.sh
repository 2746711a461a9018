#!/bin/sh
# Two machines with 4 GPUs each, by Open MPI: sh mpirun.sh gpu1 gpu2
# mpirun only starts the processes; the ranks talk by NCCL or RCCL.
set -eu
first=${1:?the first machine}
second=${2:?the second machine}

MASTER_ADDR=$first
MASTER_PORT=29500
HEDDLE_CCL_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export MASTER_ADDR MASTER_PORT HEDDLE_CCL_TOKEN

mpirun -np 8 --host "$first:4,$second:4" -x MASTER_ADDR -x MASTER_PORT -x HEDDLE_CCL_TOKEN ./train
