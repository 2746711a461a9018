#!/bin/sh
# On each of two machines with 4 GPUs each: sh torchrun.sh NUMBER-OF-THIS-MACHINE FIRST-MACHINE
# HEDDLE_CCL_TOKEN holds one secret on all machines.
set -eu
: "${HEDDLE_CCL_TOKEN:?a secret that all machines share}"
torchrun --no-python --nnodes 2 --nproc-per-node 4 --node-rank "${1:?0 or 1}" \
	--master-addr "${2:?the first machine}" --master-port 29500 ./train
