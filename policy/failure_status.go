package policy

import (
	"slices"
	"strings"
)

// StatusFailure returns the failure that an exit status stands for according to the tool's documentation. command is the
// tool's base name. ok is false for other commands and for ambiguous statuses. The statuses of sysexits.h count only for
// tools that document them, except EX_TEMPFAIL (75), which counts for any command.
func StatusFailure(command string, status int) (f Failure, ok bool) {
	tool := strings.TrimSuffix(strings.ToLower(command), ".exe")
	for _, row := range statusTable {
		if slices.Contains(strings.Fields(row.tools), tool) {
			f, ok = row.statuses.meaning(status).failure(0)
			f.Rule = "status/" + strings.Fields(row.tools)[0]
		}
	}
	switch {
	case ok:
		return f, true
	case status == 75:
		f, _ = passing.failure(0)
		f.Rule = "status/sysexits"
		return f, true
	}
	return Failure{}, false
}

// statuses maps exit statuses to their meanings.
type statuses []struct {
	status  int
	meaning meaning
}

// meaning returns unknown for a status that is not listed.
func (all statuses) meaning(status int) meaning {
	for _, s := range all {
		if s.status == status {
			return s.meaning
		}
	}
	return unknown
}

// hidesStatus reports whether a tool may exit 0 on any response from the server, like curl without -f or HTTPie without
// --check-status.
func hidesStatus(tool string) bool {
	return slices.Contains([]string{"curl", "http", "https", "xh", "xhs", "curlie", "lynx", "w3m", "wget2", "hurl", "oha"}, tool)
}

// statusTable lists the exit statuses that tools document.
var statusTable = []struct {
	tools    string // base names; the first one also names the row
	statuses statuses
	source   string
}{
	{"curl curlie", curlStatuses, "curl(1) EXIT CODES"},
	{"wget", wgetStatuses, "wget(1) EXIT STATUS"},
	{"wget2", statuses{{2, badUsage}, {4, networkFailure}, {6, badCredentials}}, "wget2(1) EXIT STATUS"},
	{"aria2c", statuses{
		{2, timeOut}, {3, absent}, {4, absent}, {5, timeOut}, {6, networkFailure}, {8, unsupported}, {9, noSpace}, {16, denied}, {17, denied},
		{18, denied}, {19, resolution}, {23, endless}, {24, badCredentials}, {28, badUsage}, {29, serverFailure},
		{25, badInput}, {26, badInput}, {27, badInput}, {32, badChecksum},
	}, "aria2c(1) EXIT STATUS"},
	{"rsync", statuses{
		{1, badUsage}, {2, unsupported}, {4, unsupported}, {6, denied}, {10, lost}, {12, lost}, {30, timeOut}, {35, timeOut},
	}, "rsync(1) EXIT VALUES"},
	{"s3cmd", statuses{
		{10, badUsage}, {12, absent}, {13, absent}, {14, present}, {15, badInput}, {64, badUsage}, {65, badInput}, {74, networkFailure},
		{75, serverFailure}, {77, denied}, {78, badInput},
	}, "s3cmd S3/ExitCodes.py"},
	{"rclone", statuses{{2, badUsage}, {3, absent}, {4, absent}, {5, serverFailure}, {7, denied}}, "rclone.org/docs, Exit code"},
	{"ansible-playbook ansible", statuses{{4, unconnected}}, "ansible-playbook(1)"},
	{"pg_isready", statuses{{1, serverFailure}, {2, unconnected}, {3, badUsage}}, "pg_isready(1)"},
	{"sendmail msmtp ssmtp nullmailer-send swaks", statuses{
		{64, badUsage}, {65, badInput}, {66, absent}, {67, absent}, {68, resolution}, {69, serverFailure}, {75, serverFailure}, {76, badInput},
		{77, denied}, {78, badInput},
	}, "sysexits.h"},
	{"timeout gtimeout", statuses{{124, timeOut}, {137, timeOut}}, "timeout(1)"},
	{"nslookup dig host", statuses{{9, resolution}}, "dig(1)"},
	{"http https", statuses{{2, timeOut}, {6, endless}}, "HTTPie docs, Exit status"},
}

// curlStatuses are from curl(1), EXIT CODES. Statuses that may be transient or permanent are left out: 22 (any HTTP error),
// 13, 19, 21, 25 and others (responses of FTP servers), 79 (SSH) and 97 (proxy).
var curlStatuses = statuses{
	{1, unsupported},
	{2, badUsage},
	{3, badURL},
	{4, unsupported},
	{5, resolution}, // the proxy's name
	{6, resolution},
	{7, unconnected},
	{9, denied}, // by an FTP server
	{12, timeOut},
	{16, lost}, // HTTP/2 framing
	{18, lost}, // within the body
	{23, noSpace},
	{26, absent}, // a local file
	{28, timeOut},
	{35, handshake},
	{37, absent},
	{43, badUsage},
	{47, endless},
	{48, badUsage},
	{51, badCertificate}, // 60 since curl 7.62
	{52, lost},           // before an answer
	{53, badUsage},
	{55, lost},
	{56, lost},
	{58, badCertificate}, // the client's
	{59, badTLS},
	{60, badCertificate},
	{63, tooLarge},
	{66, badTLS},
	{67, badCredentials},
	{68, absent}, // by TFTP
	{69, denied}, // by TFTP
	{70, noSpace},
	{73, present},
	{74, absent},
	{77, badCertificate},
	{78, absent},
	{82, badCertificate},
	{83, badCertificate},
	{90, badCertificate},
	{91, badCertificate},
	{92, lost}, // an HTTP/2 stream
	{94, badCredentials},
	{95, lost}, // HTTP/3
	{96, lost}, // QUIC; it may be a handshake
	{98, badCertificate},
}

// wgetStatuses are from wget(1), EXIT STATUS. 1, 3 (file I/O), 7 (protocol) and 8 (any HTTP error) are left out as
// ambiguous.
var wgetStatuses = statuses{
	{2, badUsage},
	{4, networkFailure}, // includes a body that is cut short
	{5, badCertificate},
	{6, badCredentials},
}
