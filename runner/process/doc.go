// Package process starts, follows and ends attempts. It is the one owner of all forks, waits and kills.
package process
