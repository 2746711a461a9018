// Package streams tests what programs do with streams on every device of the machine: graphs,
// calls of the host, typed launches, modules of other compilers.
package streams
