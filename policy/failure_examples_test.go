package policy

// failureExamples are messages of tools by the category that they must be given. Each row of the table decides at least
// one. They are not in the table, to keep them out of the program.
var failureExamples = map[string]string{
	"too many redirects": `
perl | 302 Found
ruby | response.rb:124:in ` + "`" + `error!': 302 "Found" (Net::HTTPRetriableError)
svn  | svn: E170011: Repository moved temporarily to 'http://example.com/x'
axios | Error [ERR_FR_TOO_MANY_REDIRECTS]: Maximum number of redirects exceeded
bun  | error: TooManyRedirects downloading package manifest left-pad
deno | TypeError: Fetch failed: Maximum number of redirects (20) reached
got  | MaxRedirectsError: Redirected 10 times. Aborting.
`,
	"temporary failure": `
bash | Segmentation fault (core dumped)
gcc  | gcc: internal compiler error: Segmentation fault signal terminated program cc1plus
`,
	"no common TLS": `
curl | curl: (35) OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number
git  | fatal: unable to access 'https://127.0.0.1:18080/r/': gnutls_handshake() failed: An unexpected TLS packet was received.
git  | fatal: unable to access 'https://127.0.0.1:1/r/': OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number
git  | fatal: unable to access 'https://127.0.0.1:1/r/': TLS connect error: error:0A00010B:SSL routines::wrong version number
wget | GnuTLS: An unexpected TLS packet was received.
wget | OpenSSL: error:1408F10B:SSL routines:ssl3_get_record:wrong version number
apt  |   Could not handshake: An unexpected TLS packet was received. [IP: 127.0.0.1 18080]
npm  | npm error code ERR_SSL_WRONG_VERSION_NUMBER
pip  | Could not fetch URL https://127.0.0.1:18080/simple/foo/: There was a problem confirming the ssl certificate: HTTPSConnectionPool(host='127.0.0.1', port=18080): Max retries exceeded with url: /simple/foo/ (Caused by SSLError(SSLError(1, '[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)'))) - skipping
aws  | SSL validation failed for https://127.0.0.1:18080/ [SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)
docker | Get "https://registry.example.com/v2/": remote error: tls: handshake failure
wget | GnuTLS: received alert [40]: Handshake failed
`,
	"damaged transfer": `
tar  | tar: Unexpected EOF in archive
apt  |   Hash Sum mismatch
apt  | E: Failed to fetch http://deb.debian.org/debian/pool/main/h/hello/hello_2.10-3_amd64.deb  Hash Sum mismatch
gzip | gzip: stdin: unexpected end of file
`,
	"already exists": `
twine | HTTPError: File already exists. See https://pypi.org/help/#file-name-reuse
gem | Repushing of gem versions is not allowed.
mkdir | mkdir: cannot create directory 'x': File exists
`,
	"shortage": `
bash | bash: fork: Cannot allocate memory
node | Error: EMFILE: too many open files, open 'x'
bash | fork: retry: Resource temporarily unavailable
`,
	"too large": `
curl | curl: (63) Maximum file size exceeded
any | write: File too large
`,
	"no space left": `
curl | curl: (23) Failure writing output to destination
any | write error: No space left on device
pip | ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device
`,
	"bad input": `
any | cat: x: Is a directory
any | bash: ./x: cannot execute binary file: Exec format error
`,
	"unmet requirement": `
npm | npm error code ERESOLVE
`,
	"name resolution": `
curl | curl: (6) Could not resolve host: x.invalid
curl |   0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0curl: (6) Could not resolve host: x.invalid
curl | curl: (5) Could not resolve proxy: x.invalid
curl | curl: (28) Resolving timed out after 5001 milliseconds
git  | fatal: unable to access 'http://x.invalid/r/': Could not resolve host: x.invalid
git  | fatal: unable to access 'http://example.com/r/': Could not resolve proxy: x.invalid
git  | error: RPC failed; curl 6 Could not resolve host: example.com
git  | fatal: unable to look up x.invalid (port 9418) (Name or service not known)
ssh  | ssh: Could not resolve hostname x.invalid: Name or service not known
ssh  | ssh: Could not resolve hostname example.com: Temporary failure in name resolution
wget | wget: unable to resolve host address 'x.invalid'
wget | wget: unable to resolve host address ‘x.invalid’
busybox wget | wget: bad address 'x.invalid'
apt  | E: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving 'deb.debian.org'
apt  |   Temporary failure resolving 'deb.debian.org'
apt  |   Could not resolve 'x.invalid'
apt  | W: Failed to fetch http://x.invalid/./InRelease  Could not resolve 'x.invalid'
apt  |   Something wicked happened resolving 'deb.debian.org:http' (-5 - No address associated with hostname)
npm  | npm error code ENOTFOUND
npm  | npm ERR! code EAI_AGAIN
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7fac43d14d50>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/foo/
pip  | WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0xffff9f2197b0>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/pip/
pip  | WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NameResolutionError("<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f1>: Failed to resolve 'pypi.org' ([Errno -3] Temporary failure in name resolution)")': /simple/foo/
gh   | error connecting to api.github.com
kubectl | Unable to connect to the server: dial tcp: lookup x.invalid on 10.255.255.53:53: no such host
kubectl | error: lookup x.invalid on 10.0.0.1:53: no such host
gh   | Post "https://api.github.com/graphql": dial tcp: lookup api.github.com on [::1]:53: read udp [::1]:63914->[::1]:53: read: connection refused
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 192.168.65.7:53: server misbehaving
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 192.168.65.7:53: read udp 192.168.65.3:44342->192.168.65.7:53: i/o timeout
any  | Resolving x.invalid (x.invalid)... failed: Name or service not known.
any  | Resolving example.com (example.com)... failed: Temporary failure in name resolution.
any  | failed: No address associated with hostname.
any  | ping: cannot resolve x.invalid: nodename nor servname provided, or not known
any  | psql: could not translate host name "x.invalid" to address: Name does not resolve
`,
	"connection refused": `
git  | fatal: unable to access 'https://example.com/r/': Failed to connect to example.com port 443: Connection refused
git  | 127.0.0.1[0: 127.0.0.1]: errno=Connection refused
ssh  | ssh: connect to host 127.0.0.1 port 1: Connection refused
wget | Connecting to 127.0.0.1:1... failed: Connection refused.
wget | Connecting to localhost (localhost)|127.0.0.1|:1... failed: Connection refused.
wget | failed: Connection refused.
busybox wget | wget: can't connect to remote host (127.0.0.1): Connection refused
apt  |   Could not connect to 127.0.0.1:1 (127.0.0.1). - connect (111: Connection refused)
apt  | W: Failed to fetch http://127.0.0.1:1/./InRelease  Could not connect to 127.0.0.1:1 (127.0.0.1). - connect (111: Connection refused)
npm  | npm error code ECONNREFUSED
npm  | npm ERR! code ECONNREFUSED
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPConnection object at 0x7f0dec7babd0>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/foo/
kubectl | The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?
kubectl | The connection to the server localhost:8080 was refused - did you specify the right host or port?
docker | Error response from daemon: Get "http://localhost:5000/v2/": dial tcp 127.0.0.1:5000: connect: connection refused
docker | Get "http://localhost:5000/v2/": dial tcp [::1]:5000: connectex: No connection could be made because the target machine actively refused it.
`,
	"no connection": `
curl | curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server
curl | curl: (7) Failed to connect to 127.0.0.1 port 1 after 0 ms: Could not connect to server
curl | curl: (7) Failed to connect to 127.0.0.1 port 1: Connection refused
git  | fatal: unable to access 'http://127.0.0.1:1/r/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server
git  | fatal: unable to access 'http://127.0.0.1:1/r/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Could not connect to server
git  | example.com[0: 192.0.2.1]: errno=Network is unreachable
ssh  | ssh: connect to host 192.0.2.1 port 22: No route to host
wget | Connecting to 192.0.2.1:80... failed: Network is unreachable.
busybox wget | wget: can't connect to remote host (192.0.2.1): Host is unreachable
apt  |   Could not connect to deb.debian.org:80 (192.0.2.1). - connect (113: No route to host)
apt  |   Cannot initiate the connection to deb.debian.org:80 (2001:db8::1). - connect (101: Network is unreachable)
npm  | npm ERR! code ENETUNREACH
npm  | npm ERR! code EHOSTUNREACH
pip  | WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f1>: Failed to establish a new connection: [Errno 101] Network is unreachable')': /simple/foo/
docker | Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
kubectl | Unable to connect to the server: dial tcp 192.0.2.1:6443: connect: no route to host
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp [2001:db8::1]:443: connect: network is unreachable
`,
	"connection lost": `
curl | curl: (18) transfer closed with 95 bytes remaining to read
curl | curl: (52) Empty reply from server
curl | curl: (56) Recv failure: Connection reset by peer
curl | curl: (92) HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2)
git  | fatal: unable to access 'http://127.0.0.1:18080/reset/r/': Recv failure: Connection reset by peer
git  | fatal: unable to access 'https://example.com/r/': Send failure: Broken pipe
git  | fatal: unable to access 'http://example.com/r/': Empty reply from server
git  | fatal: unable to access 'https://example.com/r/': transfer closed with outstanding read data remaining
git  | fatal: unable to access 'https://example.com/r/': OpenSSL SSL_read: Connection reset by peer, errno 104
git  | fatal: unable to access 'https://example.com/r/': GnuTLS recv error (-110): The TLS connection was non-properly terminated.
git  | error: RPC failed; curl 56 GnuTLS recv error (-54): Error in the pull function.
git  | error: RPC failed; curl 92 HTTP/2 stream 0 was not closed cleanly: CANCEL (err 8)
git  | fatal: unable to access 'https://example.com/r/': HTTP/2 stream 1 was not closed cleanly before end of the underlying stream
ssh  | kex_exchange_identification: read: Connection reset by peer
ssh  | Connection reset by 192.0.2.1 port 22
ssh  | Connection closed by 2001:db8::1 port 22
ssh  | Connection to example.com closed by remote host.
ssh  | client_loop: send disconnect: Broken pipe
wget | HTTP request sent, awaiting response... Read error (Connection reset by peer) in headers.
wget | Read error (Connection reset by peer) in headers.
wget | 2026-11-21 03:36:29 (3.51 MB/s) - Connection closed at byte 5. Giving up.
wget | 2026-11-21 03:36:29 (3.51 MB/s) - Read error at byte 5/100 (Connection reset by peer). Giving up.
wget | HTTP request sent, awaiting response... No data received.
wget | No data received.
busybox wget | wget: error getting response: Connection reset by peer
apt  |   Connection failed [IP: 127.0.0.1 18080]
apt  | W: Failed to fetch http://127.0.0.1:18080/reset/./InRelease  Connection failed [IP: 127.0.0.1 18080]
apt  |   Error reading from server. Remote end closed connection [IP: 192.0.2.1 80]
npm  | npm error code ECONNRESET
npm  | npm ERR! code ECONNRESET
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ProtocolError('Connection aborted.', ConnectionResetError(104, 'Connection reset by peer'))': /reset/simple/foo/
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ProtocolError('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))': /empty/simple/foo/
pip  | pip._vendor.urllib3.exceptions.ProtocolError: ('Connection broken: IncompleteRead(1048576 bytes read, 2097152 more expected)', IncompleteRead(1048576 bytes read, 2097152 more expected))
aws  | Connection was closed before we received a valid response from endpoint URL: "http://127.0.0.1:18080/reset".
kubectl | Unable to connect to the server: EOF
kubectl | error: client rate limiter Wait returned an error: context deadline exceeded - error from a previous attempt: read tcp 127.0.0.1:42536->127.0.0.1:18080: read: connection reset by peer
docker | write tcp 10.0.0.2:50000->192.0.2.1:443: write: connection reset by peer
docker | error during connect: write tcp 10.0.0.2:50000->192.0.2.1:443: write: broken pipe
docker | Error response from daemon: Get https://registry-1.docker.io/v2/: EOF
docker | failed to solve: failed to fetch oauth token: Get "https://auth.docker.io/token?scope=repository%3Ax%2Fy%3Apull&service=registry.docker.io": EOF
docker | failed to copy: http2: server sent GOAWAY and closed the connection; LastStreamID=3, ErrCode=NO_ERROR
gh   | Post "https://api.github.com/graphql": stream error: stream ID 1; CANCEL; received from peer
`,
	"time-out": `
curl | curl: (28) Operation timed out after 1045 milliseconds with 0 bytes received
curl | curl: (28) Operation timed out after 42000 milliseconds with 1146 out of 50000 bytes received
curl | curl: (28) Operation timed out after 1001 milliseconds with 0 bytes received
curl | curl: (28) Connection timed out after 2001 milliseconds
curl | curl: (28) Failed to connect to example.com port 443 after 130000 ms: Timeout was reached
git  | fatal: unable to access 'https://example.com/r/': Operation timed out after 300000 milliseconds with 0 out of 0 bytes received
git  | fatal: unable to access 'https://example.com/r/': Connection timed out after 300000 milliseconds
git  | fatal: unable to access 'https://example.com/r/': Operation too slow. Less than 1000 bytes/sec transferred the last 30 seconds
git  | fatal: unable to access 'https://example.com/r/': Failed to connect to example.com port 443: Connection timed out
git  | fatal: unable to access 'https://example.com/r/': Failed to connect to example.com port 443: Operation timed out
git  | fatal: unable to access 'https://example.com/r/': Failed to connect to example.com port 443 after 130000 ms: Timeout was reached
git  | example.com[0: 192.0.2.1]: errno=Connection timed out
ssh  | ssh: connect to host 192.0.2.1 port 22: Connection timed out
ssh  | ssh: connect to host 192.0.2.1 port 22: Operation timed out
ssh  | Connection timed out during banner exchange
ssh  | Connection to 10.255.255.1 port 1 timed out
ssh  | Timeout, server example.com not responding.
wget | Connecting to 192.0.2.1:80... failed: Connection timed out.
wget | HTTP request sent, awaiting response... Read error (Connection timed out) in headers.
busybox wget | wget: download timed out
apt  |   Could not connect to deb.debian.org:80 (192.0.2.1), connection timed out
apt  |   Connection timed out [IP: 192.0.2.1 80]
npm  | npm ERR! code ETIMEDOUT
npm  | npm ERR! code ESOCKETTIMEDOUT
npm  | npm error code ERR_SOCKET_TIMEOUT
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ReadTimeoutError("HTTPConnectionPool(host='127.0.0.1', port=18080): Read timed out. (read timeout=1.0)")': /slow/simple/foo/
pip  | pip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.pythonhosted.org', port=443): Read timed out.
pip  | WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f1>, 'Connection to pypi.org timed out. (connect timeout=15)')': /simple/foo/
aws  | Connect timeout on endpoint URL: "https://sts.us-east-1.amazonaws.com/"
aws  | Read timeout on endpoint URL: "https://sts.us-east-1.amazonaws.com/"
aws  | upload failed: ./x to s3://b/x An error occurred (RequestTimeout) when calling the PutObject operation (reached max retries: 4): Your socket connection to the server was not read from or written to within the timeout period.
kubectl | Error from server: etcdserver: request timed out
kubectl | Unable to connect to the server: dial tcp 192.0.2.1:6443: i/o timeout
kubectl | Unable to connect to the server: dial tcp 192.0.2.1:6443: connect: connection timed out
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)
`,
	"TLS handshake": `
git  | fatal: unable to access 'https://example.com/r/': OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to example.com:443 
npm  | npm ERR! code EPROTO
kubectl | Unable to connect to the server: net/http: TLS handshake timeout
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout
`,
	"throttling": `
aws  | An error occurred (ThrottlingException) when calling the DescribeServices operation (reached max retries: 4): Rate exceeded
aws  | An error occurred (Throttling) when calling the GetStackPolicy operation (reached max retries: 4): Rate exceeded
aws  | An error occurred (RequestLimitExceeded) when calling the DescribeInstances operation (reached max retries: 4): Request limit exceeded.
aws  | upload failed: ./x to s3://b/x An error occurred (SlowDown) when calling the PutObject operation (reached max retries: 4): Please reduce your request rate.
aws  | operation error SSM: GetParameter, https response error StatusCode: 400, RequestID: 1, api error ThrottlingException: Rate exceeded
aws  | ThrottlingException: Rate exceeded
aws  | level=error msg="Throttling: Rate exceeded
gh   | HTTP 403: API rate limit exceeded for user ID 1. (https://api.github.com/user)
gh   | gh: You have exceeded a secondary rate limit. Please wait a few minutes before you try again. (HTTP 403)
gh   | GraphQL: API rate limit already exceeded for user ID 1.
`,
	"server trouble": `
php  | PHP Fatal error:  Uncaught PDOException: SQLSTATE[08006] [7] connection to server at "example.com" (192.0.2.1), port 5432 failed: FATAL:  the cause is in another language
docker | received unexpected HTTP status: blob upload unknown
aws  | An error occurred (InternalError) when calling the PutObject operation (reached max retries: 4): We encountered an internal error. Please try again.
aws  | An error occurred (ServiceUnavailable) when calling the ListObjectsV2 operation (reached max retries: 4): Service is unable to handle request.
`,
	"network trouble": `
aws  | Could not connect to the endpoint URL: "http://127.0.0.1:1/"
aws  | Failed to connect to proxy URL: "http://127.0.0.1:1"
`,
	"bad URL": `
curl | curl: (3) bad range specification in URL position 9:
curl | curl: (3) URL using bad/illegal format or missing URL
docker | Error response from daemon: Get "https://192.0.2.1:5000/v2/": http: server gave HTTP response to HTTPS client
`,
	"bad usage": `
curl | curl: (2) no URL specified
`,
	"unsupported protocol": `
curl | curl: (1) Protocol "foo" not supported or disabled in libcurl
git  | fatal: unable to find remote helper for 'foo'
git  | fatal: protocol 'foo' is not supported
wget | foo://x: Unsupported scheme 'foo'.
`,
	"bad certificate": `
curl | curl: (60) SSL certificate problem: self-signed certificate
curl | curl: (60) SSL: no alternative certificate subject name matches target host name 'example.com'
git  | fatal: unable to access 'https://example.com/r/': SSL certificate problem: unable to get local issuer certificate
git  | fatal: unable to access 'https://127.0.0.1:18443/r/': server certificate verification failed. CAfile: /etc/ssl/certs/ca-certificates.crt CRLfile: none
git  | fatal: unable to access 'https://example.com/r/': SSL: no alternative certificate subject name matches target host name 'example.com'
wget | ERROR: cannot verify example.com's certificate, issued by 'CN=x':
wget | ERROR: The certificate of '127.0.0.1' is not trusted.
wget | ERROR: The certificate of '127.0.0.1' doesn't have a known issuer.
wget | The certificate's owner does not match hostname '127.0.0.1'
wget | ERROR: certificate common name 'x' doesn't match requested host name '127.0.0.1'.
wget | ERROR: no certificate subject alternative name matches
apt  | W: Failed to fetch https://127.0.0.1/./InRelease  Certificate verification failed: The certificate is NOT trusted. The certificate issuer is unknown.  Could not handshake: Error in the certificate verification. [IP: 127.0.0.1 443]
npm  | npm error code DEPTH_ZERO_SELF_SIGNED_CERT
npm  | npm ERR! code SELF_SIGNED_CERT_IN_CHAIN
npm  | npm ERR! code CERT_HAS_EXPIRED
npm  | npm ERR! code UNABLE_TO_GET_ISSUER_CERT_LOCALLY
npm  | npm ERR! code UNABLE_TO_VERIFY_LEAF_SIGNATURE
npm  | npm ERR! code ERR_TLS_CERT_ALTNAME_INVALID
pip  | WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)'))': //simple/foo/
aws  | SSL validation failed for https://127.0.0.1:18443/ [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)
kubectl | Unable to connect to the server: tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs
docker | Error response from daemon: Get "https://localhost:5000/v2/": x509: certificate signed by unknown authority
docker | Get "https://registry.example.com/v2/": remote error: tls: bad certificate
`,
	"bad host key": `
ssh  | Host key verification failed.
`,
	"wrong checksum": `
npm  | npm ERR! code EINTEGRITY
pip  | ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have updated the package versions, please update the hashes. Otherwise, examine the package contents carefully; someone may have tampered with them.
`,
	"bad credentials": `
mysql | ERROR 1045 (28000): zugriff verweigert
pdo | SQLSTATE[HY000] [1045] zugriff verweigert
pymysql | (1045, "zugriff verweigert")
ftp  | 530 Login incorrect.
curl | curl: (67) Access denied: 530
git  | fatal: Authentication failed for 'https://example.com/r/'
git  | fatal: could not read Username for 'http://127.0.0.1:18080': No such device or address
git  | fatal: could not read Username for 'https://github.com': terminal prompts disabled
git  | fatal: could not read Password for 'https://user@example.com': No such device or address
ssh  | git@github.com: Permission denied (publickey).
ssh  | user@example.com: Permission denied (gssapi-keyex,publickey,password).
wget | Username/Password Authentication Failed.
npm  | npm ERR! code ENEEDAUTH
npm  | npm error code EOTP
aws  | An error occurred (ExpiredToken) when calling the ListObjectsV2 operation: The provided token has expired.
aws  | An error occurred (InvalidClientTokenId) when calling the GetCallerIdentity operation: The security token included in the request is invalid.
aws  | An error occurred (SignatureDoesNotMatch) when calling the PutObject operation: The request signature we calculated does not match the signature you provided.
aws  | Unable to locate credentials. You can configure credentials by running "aws configure".
aws  | Error when retrieving token from sso: Token has expired and refresh failed
docker | Error response from daemon: Get "https://registry.example.com/v2/x/manifests/1": unauthorized: authentication required
docker | Error response from daemon: Get "https://registry-1.docker.io/v2/": unauthorized: incorrect username or password
docker | Error response from daemon: Head "https://1.dkr.ecr.us-east-1.amazonaws.com/v2/x/manifests/1": no basic auth credentials
`,
	"access denied": `
mariadb | ERROR 2002 (HY000): Received error packet before completion of TLS handshake. The authenticity of the following error cannot be verified: 1130 - Host '192.0.2.1' is not allowed to connect to this MySQL server
pymysql | pymysql.err.OperationalError: (1142, "INSERT command denied to user 'u'@'192.0.2.1' for table 't'")
curl | curl: (9) Server denied you to change to the given directory
aws  | An error occurred (AccessDenied) when calling the ListObjectsV2 operation: Access Denied
aws  | An error occurred (UnauthorizedOperation) when calling the DescribeInstances operation: You are not authorized to perform this operation.
docker | Error response from daemon: pull access denied for x, repository does not exist or may require 'docker login': denied: requested access to the resource is denied
docker | denied: requested access to the resource is denied
`,
	"not found": `
ftp  | 550 Failed to open file.
curl | curl: (78) The file does not exist
git  | fatal: repository 'http://127.0.0.1:18080/404/r/' not found
git  | fatal: repository '/nonexistent' does not exist
git  | remote: Repository not found.
git  | ERROR: Repository not found.
git  | fatal: '/srv/x.git' does not appear to be a git repository
aws  | An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.
aws  | An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist
docker | Error response from daemon: manifest for alpine:x not found: manifest unknown: manifest unknown
docker | no matching manifest for linux/arm64/v8 in the manifest list entries
`,
	"HTTP 451": `
perl | 451 Unavailable For Legal Reasons
`,
	"HTTP 415": `
regctl | unsupported media type: "text/plain"
`,
	"HTTP 400": `
kubectl | Error from server (BadRequest): the server rejected our request for an unknown reason
`,
	"HTTP 401": `
curl | curl: (22) The requested URL returned error: 401
gh   | unable to determine base repository: HTTP 401: Bad credentials (https://api.github.com/graphql)
npm  | npm ERR! code E401
kubectl | error: You must be logged in to the server (the server has asked for the client to provide credentials)
kubectl | Error from server (Unauthorized): the server has asked for the client to provide credentials
`,
	"HTTP 403": `
curl | curl: (56) CONNECT tunnel failed, response 403
curl | curl: (56) Received HTTP code 403 from proxy after CONNECT
apt  | E: Failed to fetch http://127.0.0.1:18080/403/./Packages  403  Forbidden [IP: 127.0.0.1 18080]
busybox wget | wget: server returned error: HTTP/1.1 403 Forbidden
docker | unexpected status from HEAD request to https://ghcr.io/v2/x/y/manifests/latest: 403 Forbidden
kubectl | Error from server (Forbidden): pods is forbidden: User "x" cannot list resource "pods"
`,
	"HTTP 404": `
curl | curl: (22) The requested URL returned error: 404
curl | curl: (22) The requested URL returned error: 404 Not Found
wget | 2026-11-21 03:36:29 ERROR 404: Not Found.
apt  |   404  Not Found [IP: 127.0.0.1 18080]
npm  | npm error code E404
npm  | #8 1.234 npm ERR! code E404
pip  |   ERROR: HTTP error 404 while getting http://127.0.0.1:18080/404/foo-1.0.tar.gz
pip  | ERROR: Could not install requirement http://127.0.0.1:18080/404/foo-1.0.tar.gz because of HTTP error 404 Client Error: Not Found for url: http://127.0.0.1:18080/404/foo-1.0.tar.gz for URL http://127.0.0.1:18080/404/foo-1.0.tar.gz
gh   | gh: Not Found (HTTP 404)
aws  | fatal error: An error occurred (404) when calling the HeadObject operation: Key "x" does not exist
kubectl | Error from server (NotFound): pods "x" not found
`,
	"HTTP 407": `
pip  | WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication Required'))': /simple/foo/
`,
	"HTTP 409": `
kubectl | Error from server (AlreadyExists): namespaces "x" already exists
`,
	"HTTP 413": `
git  | error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413
`,
	"HTTP 429": `
git  | fatal: unable to access 'http://127.0.0.1:18080/429/r/': The requested URL returned error: 429
npm  | npm error code E429
docker | toomanyrequests: retry-after: 985.86µs, allowed: 44000/minute
docker | Error response from daemon: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit
docker | Error response from daemon: error parsing HTTP 429 response body: invalid character 'T' looking for beginning of value: "Too Many Requests (HAP429).\n"
kubectl | Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later
`,
	"HTTP 500": `
wget | ERROR 500: Internal Server Error.
git  | error: RPC failed; HTTP 500 curl 22 Received garbage
kubectl | Error from server (InternalError): an error on the server has prevented the request from succeeding
`,
	"HTTP 502": `
gh   | failed to get run: HTTP 502: 502 Bad Gateway (https://api.github.com/repos/x/x/actions/runs/1?exclude_pull_requests=true
wget2 | HTTP ERROR response 502 Bad Gateway [http://127.0.0.1:18080/502]
gh   | HTTP 502 (https://api.github.com/graphql)
gh   | HTTP 502
gh   | HTTP 502: Bad Gateway
`,
	"HTTP 503": `
curl | curl: (22) The requested URL returned error: 503
wget | 2026-11-21 03:36:29 ERROR 503: Service Unavailable.
wget | ERROR 503: Service Unavailable.
git  | fatal: unable to access 'http://127.0.0.1:18080/503/r/': The requested URL returned error: 503
apt  | E: Failed to fetch http://127.0.0.1:18080/503/./Packages  503  Service Unavailable [IP: 127.0.0.1 18080]
npm  | npm error code E503
pip  | pip._vendor.requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://pypi.org/simple/foo/
pip  | urllib.error.HTTPError: HTTP Error 503: Service Unavailable
pip  | pip._vendor.requests.exceptions.RetryError: HTTPConnectionPool(host='127.0.0.1', port=18080): Max retries exceeded with url: /503/foo-1.0.tar.gz (Caused by ResponseError('too many 503 error responses'))
aws  | An error occurred (503) when calling the GetCallerIdentity operation (reached max retries: 0): Service Unavailable
docker | Error response from daemon: Head "https://ghcr.io/v2/x/y/manifests/v2.2.0": received unexpected HTTP status: 503 Service Unavailable
docker | failed to solve: rpc error: code = Unknown desc = unexpected status: 503 Service Unavailable
docker | failed to fetch anonymous token: unexpected status from GET request to https://auth.docker.io/token: 503 Service Unavailable
kubectl | Error from server (ServiceUnavailable): the server is currently unable to handle the request
`,
	"HTTP 504": `
kubectl | Error from server (Timeout): Timeout: request did not complete within requested timeout
`,
}

// innocentLines must not end retrying: they are too vague, follow a line that says more, are ordinary output, or mention
// failures without reporting one.
const innocentLines = `
stty: 'standard input': Inappropriate ioctl for device
mesg: ttyname failed: Inappropriate ioctl for device
0
timeout
error
404
503 Service Unavailable
connection refused
Connection refused
Connection timed out
i/o timeout
EOF
unexpected EOF
bash: line 1: unexpected EOF while looking for matching quote
context deadline exceeded
curl: (22) words without a number
More details here: https://curl.se/docs/sslcerts.html
  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
100 40400  100 40400    0     0   404k      0 --:--:-- --:--:-- --:--:--  404k
 50%[=========>          ] 503.00K   404KB/s    eta 5s
HTTP request sent, awaiting response... 200 OK
2026-11-21 03:36:29 (404 KB/s) - 'index.html' saved [503/503]
Connecting to 127.0.0.1:80... connected.
HTTP/1.1 503 Service Unavailable
HTTP 200: OK (https://api.github.com/user)
127.0.0.1 - - [21/Nov/2026:03:36:29 +0000] "GET /404 HTTP/1.1" 404 503 "-" "curl/7.88.1"
2026-11-21T10:00:00Z INFO request id=404 path=/v1/items/503 status=503 took 429ms
level=info msg="retrying after connection reset" attempt=2
ok  	retry/policy	0.404s
=== RUN   TestHTTP404
--- PASS: TestConnectionRefused (0.00s)
warning: unused variable: timeout
  Compiling http v0.4.29
[404/503] Building CXX object net/CMakeFiles/net.dir/ConnectionRefused.cpp.o
javac ThrottlingException.java
 * @throws ThrottlingException if the rate is exceeded
npm warn deprecated request@2.88.2: request has been deprecated
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
npm ERR! code ELIFECYCLE
npm ERR! code 1
ERROR: Could not find a version that satisfies the requirement foo (from versions: none)
ERROR: No matching distribution found for foo
Collecting requests<3,>=2.0
Successfully installed HTTPError-404
fatal: Could not read from remote repository.
fatal: the remote end hung up unexpectedly
fatal: early EOF
error: failed to push some refs to 'https://example.com/r/'
remote: Enumerating objects: 503, done.
Receiving objects: 100% (404/404), 503.00 KiB | 429.00 KiB/s, done.
Unable to establish SSL connection.
the name does not resolve
Name does not resolve to anything registered
kex_exchange_identification: Connection closed by remote host
Connection closed by UNKNOWN port 65535
Connection to example.com closed.
Get:1 http://deb.debian.org/debian bookworm InRelease [151 kB]
Err:3 http://127.0.0.1:18080/503 ./ Packages
E: Some index files failed to download. They have been ignored, or old ones used instead.
E: The repository 'http://127.0.0.1:18080 ./ Release' does not have a Release file.
   File has unexpected size (404 != 503). Mirror sync in progress? [IP: 192.0.2.1 80]
Error from server (Conflict): Operation cannot be fulfilled on pods "x": the object has been modified
Error from server: error when creating "x.yaml"
error: the server doesn't have a resource type "x"
No resources found in default namespace.
0 problems: no lint errors found
No key found for account a@b.test. Generating a P256 key.
[NOTE] No configuration file found, using built-in defaults.
svn: E170013: Unable to connect to a repository at URL 'http://example.com/x'
! Couldn't find module or a distribution Foo::Bar
Remote file does not exist -- broken link!!!
the server must have gone out for lunch
This step requires internet access
Using default tag: latest
404d0e5b2d13: Pull complete
Unable to parse response (no element found: line 1, column 0), invalid XML received. Further retries may succeed:
check your internet connection or https://githubstatus.com
X Some checks were not successful
lookup table: no such host
See HTTP 503: it has a row in the table
`
