package policy

// lockRows are about locks, which other processes release.
var lockRows = []row{
	{"file/locked", locked, false, []string{
		"could not get lock", "unable to acquire the dpkg", "is locked by another process",
		"was locked by another process", "locked by another", "another process is using", "is another process using",
		"another instance is running", "another process has", "resource is locked", "unable to acquire lock",
		"failed to acquire lock", "failed to acquire the lock", "acquiring the state lock", "state lock",
		"state is locked", "could not acquire lock", "cannot acquire lock", "create/acquire the lock", "could not lock",
		"cannot lock", "lock file already", "lock is held", "already locked", "waiting for cache lock",
		"existing lock", "timeout waiting to lock", "lock acquisition", "blocking waiting for file lock",
		"being used by another process", "process cannot access the file", "resource deadlock avoided", "text file busy",
		"resource busy", "device or resource busy", "lock held by", "lockerror", "failed to lock",
		"another apt", "is currently locked", "failed to obtain lock", "yum lock", "rpm lock", "lock already",
		"can't lock", "unable to obtain lock", "repository is already locked", "lock has been acquired",
	}, []string{
		`\bebusy\b`, `\betxtbsy\b`, `\belocked\b`,
	}, "apt, terraform, strerror(3) EBUSY and ETXTBSY, Windows"},
	{"file/shortage", shortage, false, []string{
		"cannot allocate memory", "out of memory", "too many open files",
		"resource temporarily unavailable", "no buffer space", "oomkilled", "not enough memory",
		"failed to start thread", "can't create thread", "unable to fork", "cannot fork", "fork: retry",
		"too many processes", "java heap space", "outofmemoryerror", "std::bad_alloc", "memory exhausted",
	}, []string{
		`\bemfile\b`, `\benfile\b`, `\benomem\b`, `\benobufs\b`,
	}, "strerror(3) ENOMEM, EMFILE, EAGAIN"},
}

// fileRows are about files and disks.
var fileRows = []row{
	{"file/space", noSpace, false, []string{
		"no space left", "disk full", "not enough space", "disk quota", "insufficient disk",
		"not enough free space", "not enough free disk", "there is not enough space", "insufficient space",
		"not enough disk", "filesystem is full", "file system full", "quota exceeded",
		"auf dem gerät ist kein speicherplatz", "aucun espace disponible", "no queda espacio", "デバイスに空き領域がありません",
		"设备上没有空间",
	}, []string{
		`\bedquot\b`, `\benospc\b`,
	}, "strerror(3) ENOSPC and EDQUOT"},
	{"file/access", denied, false, []string{
		"read-only file system", "permission denied", "operation not permitted",
		"keine berechtigung", "permission non accordée", "permiso denegado", "許可がありません", "权限不够", "permissionerror",
		"access is denied",
	}, []string{
		`\beperm\b`, `\beacces\b`, `\berofs\b`,
	}, "strerror(3) EACCES, EPERM and EROFS"},
	{"file/absent", absent, true, []string{
		"no such file or directory", "datei oder verzeichnis nicht gefunden", "aucun fichier ou dossier",
		"no existe el archivo", "そのようなファイルやディレクトリはありません", "没有那个文件或目录", "filenotfounderror", "filenotfoundexception",
		"no such file", "file not found", "cannot open file", "can't open file", "no such directory",
		"file does not exist", "cannot find the file", "cannot find the path", "nosuchfileexception",
		"directory not found", "cannot stat", "failed to open file",
	}, []string{
		"path .* does not exist", "repository .* does not exist",
		`\benoent\b`,
	}, "strerror(3) ENOENT"},
	{"file/kind", badInput, false, []string{
		"is a directory", "not a directory", "file name too long",
		"directory not empty", "cross-device link", "exec format error", "cannot execute binary",
		"bad interpreter", "invalid cross-device", "too many levels of symbolic links",
	}, []string{
		`\beisdir\b`, `\beloop\b`, `\benotdir\b`, `\benametoolong\b`, `\benotempty\b`,
	}, "strerror(3)"},
	{"file/too-large", tooLarge, false, []string{
		"maximum file size exceeded", "file too large", "entity too large", "entitytoolarge", "payload too large",
		"exceeds the limit", "message size exceeds", "exceeds maximum", "request entity too large",
	}, []string{
		`\befbig\b`,
	}, "strerror(3) EFBIG; curl"},
}
