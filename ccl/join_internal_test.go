package ccl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// child makes the test's binary a rank, which prints the ID or the error.
const child = "CCL_TEST_CHILD"

func TestMain(m *testing.M) {
	if limit := os.Getenv(child); limit != "" {
		d, err := time.ParseDuration(limit)
		if err != nil {
			panic(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), d)
		defer cancel()
		fmt.Println(exchangeHere(ctx))
		return
	}
	os.Exit(m.Run())
}

func exchangeHere(ctx context.Context) string {
	p, err := Environment()
	if err != nil {
		return err.Error()
	}
	id := ID{}
	if p.Rank == 0 {
		id = ID{4, 5, 6}
	}
	if id, err = p.exchange(ctx, id); err != nil {
		for name, is := range map[string]error{"token": ErrToken, "size": ErrSize, "duplicate": ErrDuplicate, "late": ErrLate} {
			if errors.Is(err, is) {
				return name + ": " + err.Error()
			}
		}
		return "other: " + err.Error()
	}
	if p.kept != nil {
		return compareHere(ctx, p, id)
	}
	return fmt.Sprint(id[:4])
}

// compareHere calls what is not alike, as the ranks of GPUs do.
func compareHere(ctx context.Context, p Place, id ID) string {
	t := tableOf(id, p.Size)
	for _, conn := range p.kept.all {
		t.connect(conn)
	}
	t.come(p.Rank)
	aborted := make(chan error, 1)
	c := newChecked(t, id, "", p.Rank, p.Size, func(err error) { aborted <- err })
	_ = c.call(callOf(allReduce, p.Rank, 8, 0))
	_ = c.call(callOf(broadcast, p.Rank, 8, p.Rank)) // it aborts
	select {
	case err := <-aborted:
		time.Sleep(100 * time.Millisecond) // the others have to hear of it
		return err.Error()
	case <-ctx.Done():
		return "nothing"
	}
}

// A process is one rank of a test.
type process struct {
	rank, size int
	token      string
	want       string // how what it prints begins
	also       string // what else is in it
}

func free(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// A meetingCase is processes that meet, and what else is in their environment.
type meetingCase struct {
	name, limit string
	all         []process
	env         string
}

// meet runs the processes, each with the environment that torchrun makes.
func (c *meetingCase) meet(t *testing.T, exe, port string) {
	var wait sync.WaitGroup
	for _, p := range c.all {
		wait.Go(func() {
			cmd := exec.CommandContext(t.Context(), exe)
			cmd.Env = append(os.Environ(), child+"="+c.limit, "RANK="+strconv.Itoa(p.rank), "WORLD_SIZE="+strconv.Itoa(p.size),
				"MASTER_ADDR=127.0.0.1", "MASTER_PORT="+port, "HEDDLE_CCL_TOKEN="+p.token, c.env)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), p.want) || !strings.Contains(string(out), p.also) {
				t.Errorf("%s: rank %d of %d prints %q (%v), want %q, and %q in it", c.name, p.rank, p.size, out, err, p.want, p.also)
			}
		})
	}
	wait.Wait()
}

const (
	long  = "2m"
	brief = "15s" // for what never comes
	met   = "[4 5 6 0]"
)

// TestMeet has the cases side by side, since some wait; those of one list follow each other.
func TestMeet(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := "HEDDLE_CCL_FILE=" + filepath.Join(t.TempDir(), "meeting")
	three := func(token string) []process {
		return []process{{0, 3, token, met, ""}, {1, 3, token, met, ""}, {2, 3, token, met, ""}}
	}
	var wait sync.WaitGroup
	for _, list := range [][]meetingCase{
		{{"all", long, three("s"), ""}},
		{{"one", long, []process{{0, 1, "", met, ""}}, ""}},
		{{"wrong token", brief, []process{{0, 2, "s", "late: ", "rank 1 has not come"}, {1, 2, "another", "token: ", "not that of rank 0"}}, ""}},
		{{"no token", long, []process{{0, 2, "", "other: ", "the ranks have no token: set HEDDLE_CCL_TOKEN"}}, ""}},
		{{"wrong size", long, []process{{0, 2, "s", "size: ", "3 at rank 1, 2 at rank 0"}, {1, 3, "s", "size: ", "rank 0 says: "}}, ""}},
		{{"duplicate", brief, []process{{0, 3, "s", "duplicate: ", "one number, 1"}, {1, 3, "s", "", ""}, {1, 3, "s", "", ""}}, ""}},
		{{"late", brief, []process{{0, 3, "s", "late: ", "rank 2 has not come"}, {1, 3, "s", "late: ", "rank 2 has not come"}}, ""}},
		{{"no rank 0", brief, []process{{1, 2, "s", "late: ", "rank 0 has not come"}}, ""}},
		{{"compare", long, []process{
			{0, 2, "s", "the ranks do not call", "rank 0 is in Broadcast of 8 float32, root 0, rank 1 in Broadcast of 8 float32, root 1"},
			{1, 2, "s", "rank 0 says: the ranks do not call", ""},
		}, "HEDDLE_CCL_CHECK=on"}},
		{
			{"file", long, three(""), file},
			{"file that is there", long, three(""), file},
			{"file, late", brief, []process{{0, 3, "", "late: ", "rank 2 has not come"}, {1, 3, "", "late: ", "rank 2 has not come"}}, file},
			{"file, wrong size", long, []process{{0, 2, "", "size: ", "4 at rank 1, 2 at rank 0"}, {1, 4, "", "size: ", "rank 0 says: "}}, file},
		},
	} {
		port := free(t)
		wait.Go(func() {
			for _, c := range list {
				c.meet(t, exe, port)
			}
		})
	}
	wait.Wait()
}

// A stranger that says nothing, or something else, does not disturb.
func TestStrangers(t *testing.T) {
	port := free(t)
	p := Place{Rank: 0, Size: 2, Token: "s", Address: "127.0.0.1:" + port}
	got := make(chan error)
	go func() { got <- p.serve(t.Context(), ID{7}) }()
	for _, text := range []string{"", "GET / HTTP/1.0\r\n\r\n", strings.Repeat("x", 72)} {
		for {
			conn, err := net.Dial("tcp", p.Address)
			if err != nil {
				time.Sleep(time.Millisecond)
				continue
			}
			conn.Write([]byte(text))
			conn.Close()
			break
		}
	}
	q := Place{Rank: 1, Size: 2, Token: "s", Address: p.Address}
	id, err := q.ask(t.Context())
	if err := errors.Join(err, <-got); err != nil || id != (ID{7}) {
		t.Error(id, err)
	}
}

func TestEnvironment(t *testing.T) {
	for _, e := range []struct {
		set  string
		want Place
		err  string
	}{
		{"RANK=3 WORLD_SIZE=8 LOCAL_RANK=1 MASTER_ADDR=a MASTER_PORT=99", Place{Rank: 3, Size: 8, Local: 1, Address: "a:99", By: "torchrun"}, ""},
		{"RANK=3 WORLD_SIZE=8 LOCAL_RANK=1 MASTER_ADDR=a MASTER_PORT=99 TORCHELASTIC_USE_AGENT_STORE=True", Place{Rank: 3, Size: 8, Local: 1, Address: "a:100", By: "torchrun"}, ""},
		{"SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_LOCALID=1 SLURM_JOB_ID=30007 SLURM_JOB_NODELIST=gpu[03-07,9],login", Place{Rank: 1, Size: 4, Local: 1, Address: "gpu03:15007", By: "Slurm"}, ""},
		{"SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_JOB_NODELIST=a,b", Place{Rank: 1, Size: 4, Address: "a:29500", By: "Slurm"}, ""},
		{"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2", Place{Rank: 1, Size: 2, Local: 1, Address: "127.0.0.1:29500", By: "Open MPI"}, ""},
		{"PMI_RANK=0 PMI_SIZE=2", Place{Size: 2, By: "MPICH"}, ""},
		{"RANK=2 WORLD_SIZE=2", Place{}, "RANK is 2 and WORLD_SIZE 2"},
		{"RANK=x WORLD_SIZE=2", Place{}, `RANK is "x", want a number (torchrun)`},
		{"RANK=0 WORLD_SIZE=2 MASTER_PORT=0", Place{}, "MASTER_PORT is \"0\""},
		{"", Place{}, "none of RANK, OMPI_COMM_WORLD_RANK, SLURM_PROCID, PMI_RANK is set"},
	} {
		t.Run(e.set, func(t *testing.T) {
			for _, s := range starters {
				for _, name := range []string{s.rank, s.size, s.local} {
					t.Setenv(name, "")
				}
			}
			for _, name := range []string{"MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE", "SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_STEP_NODELIST", "OMPI_COMM_WORLD_LOCAL_SIZE"} {
				t.Setenv(name, "")
			}
			for _, v := range strings.Fields(e.set) {
				name, value, _ := strings.Cut(v, "=")
				t.Setenv(name, value)
			}
			p, err := Environment()
			if e.err != "" {
				if err == nil || !strings.Contains(err.Error(), e.err) {
					t.Errorf("got %v, want %q", err, e.err)
				}
			} else if p != e.want || err != nil {
				t.Errorf("got %+v %v, want %+v", p, err, e.want)
			}
		})
	}
}

// A library that is not there is an error that says what to install.
func TestLibraryOfMPI(t *testing.T) {
	abi := *mpich
	abi.paths = []string{"libheddlehasnone.so.12"}
	if _, err := abi.load(); err == nil || !strings.Contains(err.Error(), "install libmpich12") && runtime.GOOS == "linux" {
		t.Error(err)
	}
	for name, want := range map[string]*mpiABI{"OMPI_COMM_WORLD_SIZE": openMPI, "PMI_SIZE": mpich} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OMPI_COMM_WORLD_SIZE", "")
			t.Setenv(name, "2")
			if got, err := chooseMPI(); got != want || err != nil {
				t.Error(got, err)
			}
		})
	}
}
