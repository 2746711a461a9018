// Package memory tests memory of the host's side on all devices: pinned, registered and managed
// memory, regions, pools, peers and views. Package launch's own tests have no emulator in their
// program.
package memory
