// Package dl loads dynamic libraries and finds functions in them.
package dl
