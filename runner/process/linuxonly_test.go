//go:build unix

package process_test

// linuxOnly lists the tests that are compiled for Linux alone, with the reasons. Other systems skip them by name.
var linuxOnly = map[string]string{
	"it takes a system call that fails, or lies, when told to": `TestFaults TestInjectedFaults TestUnadopted`,
	"it takes namespaces, or Linux's way to start a command as another user": `TestFirstProcess TestFirstProcessReaps
		TestFirstProcessSignals TestFirstProcessSimulates TestFirstProcessDrains TestFirstProcessTimeout
		TestWithoutProc TestScratchRoot TestSurvivor`,
	"its commands leave their group by setsid(1), and are looked for in /proc": `TestTimeoutEndsTree TestTimeoutEndsHeadless
		TestSignalEndsTree TestTimeoutEndsForkers TestTimeoutEndsRacingForks TestTimeoutAtProcessLimit TestDaemonLives
		TestSweep TestEarlierChildrenLive TestZombies TestStatusesAmongOrphans`,
	"the signals that a process ignores or blocks, and the call that it waits in, are told by /proc": `TestDispositions
		TestIgnoredInRetry TestNohup TestSignalBeforeTheRun`,
	"it asks the rules of the process tree about processes that /proc shows": `TestOwns TestTarget TestStrays TestGone
		TestGroupWithoutLeader TestStoppedIsAsked TestSendSpares TestHunt TestReap TestSurvivorIsNamed`,
	"it is about a clock or a way to wait that only Linux has": `TestBootTime TestBootTimer TestDeadlineCountsSuspension
		TestBlockUntilExit TestStopped`,
	"it sends signals that Linux alone has":                    `TestUnusualSignals`,
	"this system doesn't tell what was taken from its sockets": `TestTCPInput TestInputThatCannotBeWatched`,
}
