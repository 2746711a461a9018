// Package ccl has the collective operations of several devices: AllReduce, Broadcast, AllGather and
// the like, queued on streams, so that they order with kernels. NVIDIA's GPUs run them by NCCL, AMD's
// by RCCL; no cgo is involved. Devices on the host (cpu, sim, emu) run them by shared memory and, between
// processes, by MPI, so that a program and its tests run anywhere.
//
//	comms, err := ccl.All(ctx, devs...)            // one rank for each device
//	err = ccl.AllReduce(comms[i], stream, ccl.Sum, dst, src)
//
// # Ranks
//
// A communicator has as many ranks as devices, numbered from 0. A [Comm] is one rank. [All] makes
// all ranks in this process, [Init] makes one rank from an [ID] that all ranks share, [Join] makes one
// rank from what torchrun, Slurm or mpirun wrote to the environment. Ranks of devices on the host
// meet within one process, or by Join between processes that mpirun has started (Open MPI, MPICH).
//
// All ranks call the same operations in the same order. A goroutine that drives several ranks of
// GPUs calls them inside [Group].
//
// # Errors and deadlines
//
// What is wrong with a call's own arguments is the call's error, and nothing is queued. What goes
// wrong later is the stream's error, an [*Error] that names rank and operation: another rank never
// came, called another operation, aborted or closed. It ends the communicator: later calls return
// it, and [Comm.Err] tells it.
//
// An operation waits for the other ranks without limit, unless its rank is one of [Comm.With]: if the
// context is done before the operation has ended, the communicator is aborted, and every rank that
// waits has an error.
package ccl
