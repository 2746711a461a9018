package ccl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"heddle/internal/env"
	"heddle/launch"
)

// A Place is where this process stands among those of a job, and how they find each other.
type Place struct {
	Rank, Size int
	// Local is the rank among those of this machine: the number of the GPU to open.
	Local int
	// Address is host:port at which rank 0 listens while the ranks meet.
	Address string
	// Token is a secret that all ranks share (HEDDLE_CCL_TOKEN). Who does not have it is refused.
	Token string
	// File, if it is not "", takes the place of Address and Token (HEDDLE_CCL_FILE): a file that all
	// ranks can write, and nobody else. It need not be there.
	File string
	// Check has rank 0 compare what the ranks of GPUs call (HEDDLE_CCL_CHECK): a call that is not that of the other ranks ends the
	// communicator with [ErrMismatch], where NCCL and RCCL hang or write rubbish. All ranks set it alike, and meet
	// over TCP; where a process ends without Close, the others' operations end with [ErrLost]. Without it only the calls of one
	// process are compared; those of devices on the host always are.
	Check bool
	// By is who started the job: "torchrun", "Slurm", "Open MPI" or "MPICH".
	By string

	kept *kept
}

// A kept has the connections by which the ranks met, for Check.
type kept struct{ all []net.Conn }

// A starter says which variables a launcher sets.
type starter struct {
	by                string
	rank, size, local string
}

// starters are the launchers, the more explicit one first: an Open MPI job within Slurm has both sets.
var starters = []starter{
	{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK"},
	{"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
	{"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
	{"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
}

// masterPort is where rank 0 listens if MASTER_PORT does not say: torchrun's own default.
const masterPort = 29500

// Environment is the place that torchrun or a training operator of Kubernetes (RANK, WORLD_SIZE, LOCAL_RANK,
// MASTER_ADDR, MASTER_PORT), Open MPI, Slurm or MPICH wrote to the environment.
func Environment() (Place, error) {
	for _, s := range starters {
		if os.Getenv(s.rank) == "" {
			continue
		}
		p := Place{By: s.by, Token: env.Get(env.Token), File: env.Get(env.Meeting), Check: env.Get(env.Compare) != ""}
		var err error
		number := func(name string, needed bool) int {
			text := os.Getenv(name)
			if text == "" && !needed {
				return 0
			}
			n, e := strconv.Atoi(text)
			if e != nil || n < 0 {
				err = errors.Join(err, fmt.Errorf("ccl: %s is %q, want a number (%s)", name, text, s.by))
			}
			return n
		}
		p.Rank, p.Size, p.Local = number(s.rank, true), number(s.size, true), number(s.local, false)
		if err == nil && p.Rank >= p.Size {
			err = fmt.Errorf("ccl: %s is %d and %s %d: ranks are below the size", s.rank, p.Rank, s.size, p.Size)
		}
		if err == nil {
			p.Address, err = address(p.Size)
		}
		return p, err
	}
	var names []string
	for _, s := range starters {
		names = append(names, s.rank)
	}
	return Place{}, fmt.Errorf("ccl: none of %s is set: start the program by torchrun, Slurm or mpirun, or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT", strings.Join(names, ", "))
}

// address is where rank 0 listens.
func address(size int) (string, error) {
	port := masterPort
	if text := os.Getenv("MASTER_PORT"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 65534 {
			return "", fmt.Errorf("ccl: MASTER_PORT is %q, want the number of a port", text)
		}
		port = n
		if os.Getenv("TORCHELASTIC_USE_AGENT_STORE") == "True" {
			port++ // torchrun itself listens there
		}
	} else if job := os.Getenv("SLURM_JOB_ID"); job != "" {
		n, _ := strconv.Atoi(job)
		port = 15000 + n%15000 // two jobs on one machine take two ports
	}
	host := os.Getenv("MASTER_ADDR")
	if host == "" {
		host = firstHost(cmp.Or(os.Getenv("SLURM_STEP_NODELIST"), os.Getenv("SLURM_JOB_NODELIST")))
	}
	if host == "" && os.Getenv("OMPI_COMM_WORLD_LOCAL_SIZE") == strconv.Itoa(size) {
		host = "127.0.0.1"
	}
	if host == "" {
		return "", nil // a file, or one rank, does not need it
	}
	return net.JoinHostPort(host, strconv.Itoa(port)), nil
}

// firstHost is the first name of a list as Slurm writes it: "gpu[03-07,9],login".
func firstHost(list string) string {
	name, rest, ranged := strings.Cut(list, "[")
	if plain, _, more := strings.Cut(name, ","); more || !ranged {
		return plain
	}
	number, tail, _ := strings.Cut(rest, "]")
	number, _, _ = strings.Cut(number, ",")
	number, _, _ = strings.Cut(number, "-")
	tail, _, _ = strings.Cut(tail, ",")
	return name + number + tail
}

// Join makes the rank on dev whose place the environment says ([Environment]): a process for each rank. Rank 0 makes
// the ID, and the others get it from rank 0, as long as ctx lasts. Where dev is on the host, the ranks meet and talk by the MPI
// whose mpirun has started the process, Open MPI or MPICH, which has to be installed; a process does that once.
func Join(ctx context.Context, dev *launch.Device) (*Comm, error) {
	p, err := Environment()
	if err != nil {
		return nil, err
	}
	return p.Join(ctx, dev)
}

// Join makes the rank of this place on dev. Errors of its own are a rank that is late ([ErrLate]), a size that is not
// that of rank 0 ([ErrSize]), a number that two ranks have ([ErrDuplicate]), and a wrong token ([ErrToken]).
func (p Place) Join(ctx context.Context, dev *launch.Device) (*Comm, error) {
	if dev == nil {
		return nil, errors.New("ccl: Join: nil Device")
	}
	if p.Size < 1 || p.Rank < 0 || p.Rank >= p.Size {
		return nil, fmt.Errorf("ccl: Join: rank %d of %d", p.Rank, p.Size)
	}
	if kindOf(dev) == onHost && p.Size > 1 {
		port, err := mpiJoin(ctx, &p)
		if err != nil {
			return nil, &Error{p.Rank, p.Size, "Join on " + dev.Name(), err}
		}
		return &Comm{port: port, dev: dev, rank: p.Rank, size: p.Size, ctx: context.Background()}, nil
	}
	var id ID
	var err error
	if p.Rank == 0 {
		if id, err = NewID(dev); err != nil {
			return nil, err
		}
	}
	if id, err = p.exchange(ctx, id); err != nil {
		return nil, &Error{p.Rank, p.Size, "Join", err}
	}
	if p.kept == nil {
		return Init(ctx, dev, id, p.Rank, p.Size)
	}
	t := tableOf(id, p.Size)
	for _, conn := range p.kept.all {
		t.connect(conn)
	}
	c, err := Init(ctx, dev, id, p.Rank, p.Size)
	if err != nil {
		t.release(id, 0)
	}
	return c, err
}

// exchange is the ID of rank 0 on every rank, when all have come.
func (p *Place) exchange(ctx context.Context, id ID) (ID, error) {
	switch {
	case p.Size == 1:
		return id, nil
	case p.File != "" && p.Check:
		return id, errCheckFile
	case p.File != "":
		return p.exchangeFile(ctx, id)
	case p.Token == "":
		return id, fmt.Errorf("the ranks have no token: set %s to a secret that all share, or %s to a file that all can write", env.Token, env.Meeting)
	case p.Address == "":
		return id, fmt.Errorf("nothing says where rank 0 listens: set MASTER_ADDR and MASTER_PORT, or %s to a file that all can write", env.Meeting)
	case p.Rank == 0:
		return id, p.serve(ctx, id)
	}
	return p.ask(ctx)
}
