package policy

import "strings"

// StatusTrouble is what an exit status of curl or wget tells; command is the base name of either. ok is false for
// other commands, and for statuses that stand for too many things to tell.
func StatusTrouble(command string, status int) (t Trouble, ok bool) {
	switch strings.TrimSuffix(strings.ToLower(command), ".exe") {
	case "curl":
		return curlMeaning(status).trouble()
	case "wget":
		if status >= 0 && status < len(wgetMeanings) {
			return wgetMeanings[status].trouble()
		}
	}
	return Trouble{}, false
}

func curlMeaning(status int) meaning {
	if status < 0 || status >= len(curlMeanings) {
		return unknown
	}
	return curlMeanings[status]
}

// curlMeanings are the exit statuses of curl(1), EXIT CODES. Not there, for they may be either: 22, any HTTP error; 8,
// 13, 19, 21, 25 and other answers of FTP servers; 47, redirects without end; 79, an error of SSH; 97, one of a proxy.
// Neither are 23, 26, 27 and others of this machine: a full disk is no network trouble, but may have room later.
var curlMeanings = [...]meaning{
	1:  unsupported,
	2:  badUsage,
	3:  badURL,
	4:  unsupported,
	5:  resolution, // of the proxy's name
	6:  resolution,
	7:  unconnected,
	9:  denied, // by an FTP server
	12: timeOut,
	16: lost, // HTTP/2 framing
	18: lost, // within the body
	28: timeOut,
	35: handshake,
	51: badCertificate, // 60 since curl 7.62
	52: lost,           // before an answer
	55: lost,
	56: lost,
	58: badCertificate, // the client's
	60: badCertificate,
	67: badCredentials,
	68: absent, // by TFTP
	69: denied, // by TFTP
	77: badCertificate,
	78: absent,
	82: badCertificate,
	83: badCertificate,
	90: badCertificate,
	91: badCertificate,
	92: lost, // an HTTP/2 stream
	95: lost, // HTTP/3
	96: lost, // QUIC; it may be a handshake
	98: badCertificate,
}

// wgetMeanings are those of wget(1), EXIT STATUS. 1 and 7 may be anything, 3 is a local file, and 8 any HTTP error.
var wgetMeanings = [...]meaning{
	2: badUsage,
	4: networkTrouble, // of any kind, a broken body too
	5: badCertificate,
	6: badCredentials,
}
