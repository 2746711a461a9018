package ccl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"heddle/ccl"
)

// A rank of a GPU that waits for one that never comes has an error by its deadline, and its stream
// works afterwards.
func TestDeadlineOfGPU(t *testing.T) {
	for _, kind := range []string{"cuda", "hip"} {
		t.Run(kind, func(t *testing.T) {
			p := newParty(t, kind, 2)
			b := numbersOn(t, p, 8)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			// NCCL connects at the first operation, so the call itself may wait for the other rank.
			err := ccl.AllReduce(p.comms[0].With(ctx), p.streams[0], ccl.Sum, b[0], b[0])
			if err == nil {
				err = p.streams[0].Sync()
			}
			is(t, err, ccl.ErrAborted, "rank 0 of 2: AllReduce of 8 float32, sum", "deadline exceeded")
			if err := p.comms[0].Err(); !errors.Is(err, ccl.ErrAborted) {
				t.Error(err)
			}
			if err := errors.Join(b[0].Clear(p.streams[0]), b[0].Download(make([]float32, 8))); err != nil {
				t.Error("afterwards: ", err)
			}
			p.comms[1].Abort()
		})
	}
}

// A process for each GPU, started as torchrun does it and by mpirun: the operations, and what goes wrong.
func TestProcessesOfGPUs(t *testing.T) {
	for _, kind := range []string{"cuda", "hip"} {
		for _, c := range []struct {
			what string
			want [2]string // in what each rank says, "" for a rank that is killed
		}{
			{"operations", [2]string{"ended", "ended"}},
			{"split", [2]string{"ended", "ended"}},
			{"mismatch", [2]string{"mismatch: ", "mismatch: "}},
			{"killed", [2]string{"lost: ccl: rank 0 of 2: AllReduce of 1048576 float32, sum: ", ""}}, // by the connection, before the deadline
			{"absent", [2]string{"late: ", ""}},
			{"sizes", [2]string{"size: ", "size: "}},
		} {
			for _, by := range []string{"torchrun", "mpirun"} {
				t.Run(kind+"/"+c.what+"/"+by, func(t *testing.T) {
					devices(t, kind, 2) // or it skips
					saw, out := startOnGPUs(t, by, c.what, kind)
					for i, want := range c.want {
						if !strings.Contains(saw[i], want) || want == "" && saw[i] != "" {
							t.Errorf("rank %d says %q, want %q\n%s", i, saw[i], want, out)
						}
					}
					t.Log(saw)
				})
			}
		}
	}
}

// startOnGPUs runs what of TestRank in two processes, and returns what each rank says, and their output.
func startOnGPUs(t *testing.T, by, what, kind string) (saw []string, out string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	dir := t.TempDir()
	env := append(os.Environ(), mpiDo+"="+what, mpiDevice+"="+kind, mpiSaw+"="+dir,
		"MASTER_ADDR=127.0.0.1", "MASTER_PORT="+port, "HEDDLE_CCL_TOKEN=secret", "HEDDLE_CCL_CHECK=on")
	rank := []string{exe, "-test.run=^TestRank$", "-test.count=1", "-test.timeout=50s"}
	var texts [2]bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wait sync.WaitGroup
	start := func(text *bytes.Buffer, args, env []string) {
		wait.Go(func() {
			cmd := exec.CommandContext(ctx, args[0], args[1:]...)
			cmd.Env, cmd.Stdout, cmd.Stderr = env, text, text
			fmt.Fprintln(text, cmd.Run())
		})
	}
	if by == "mpirun" {
		if _, err := exec.LookPath(by); err != nil {
			t.Skip(err)
		}
		start(&texts[0], append([]string{by, "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--enable-recovery", "-np", "2"}, rank...), env)
	} else {
		for i := range texts {
			n := strconv.Itoa(i)
			start(&texts[i], rank, append(slices.Clone(env), "RANK="+n, "WORLD_SIZE=2", "LOCAL_RANK="+n))
		}
	}
	wait.Wait()
	for i := range texts {
		b, _ := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)))
		saw, out = append(saw, string(b)), out+texts[i].String()
	}
	return saw, out
}
