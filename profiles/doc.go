// Package profiles makes, watches and removes the private profile directories
// that browsers run in: one directory for each browser, none shared, none left.
//
// A ProfileManager owns one root directory below the system's directory for
// temporary files. A locked file in it says that its owner lives; the lock
// falls with the process, however that ends, and does not mind that process ids
// are used again. Every profile is a directory in that root:
//
//	<parent>/poscrape-<pid>-<random>/      0700, or 0711 where Chrome runs as another user
//	    owner.lock                         locked while the owner lives
//	    owner.json                         who the owner is; written once the lock is held
//	    base/                              the base profile's essentials, copied once
//	    worker_001-1/                      a profile: Chrome's user data directory, 0700
//	        Default/Preferences
//	        Downloads/                     the browser's downloads
//	    worker_001-1.json                  the profile's record: its processes
//
// Records lie beside the profiles, not in them: where Chrome runs as another
// user, it cannot write what a later sweep will trust.
//
// A manager starts no browser and ends no process, and removes nothing that it
// did not make. What a killed owner left, its browsers among it, is named by
// Leftovers and swept by Sweep: only what is provably ours, and whose owner is
// provably dead.
//
// # States of a profile
//
//	         Create           Remove, RemoveAll, Close
//	making ---------> ready <---------------------------> removing ----> gone
//	   |              ^  |     (back, if something is in the way)
//	   |              `--` recording: RecordProcess
//	   `--> gone (it could not be made)
package profiles
