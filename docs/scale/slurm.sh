#!/bin/sh
# Two machines with 4 GPUs each, a process for each GPU: sbatch slurm.sh
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
set -eu

# All ranks get the environment of this script: a secret of this job, so that only its ranks meet.
HEDDLE_CCL_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export HEDDLE_CCL_TOKEN

# Rank 0 listens on the first machine of the job; ccl.Environment reads the rest from SLURM_*.
srun --kill-on-bad-exit=1 ./train
