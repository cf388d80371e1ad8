// Command leftovers runs a command and fails if it leaves anything behind: a
// process that goes on after the command has ended, or a file in the temporary
// directory.
//
//	leftovers COMMAND [ARG...]
//
// The tests run under it. They start browsers, and a browser that is forgotten
// is a bug that no test of one package sees. The command gets a temporary
// directory of its own, so whatever lies there afterwards is the command's; and
// on Linux this process takes in the orphans of the command, so whatever child
// it has afterwards is the command's too, whatever its name, group or user.
// Other systems have no such adoption: there, only files are looked for.
//
// It prints nothing of its own where nothing is left, and ends with the exit
// code of the command. What is left is named on standard error and removed, and
// the exit code is 1 if the command itself ended with 0.
package main
