// Package vector holds the small value types that kernels and hosts share.
package vector
