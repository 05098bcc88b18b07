# PowerShell completion for retry, made by: retry --completion powershell
# It runs nothing of what is typed.

Register-ArgumentCompleter -Native -CommandName @("retry", "retry.exe") -ScriptBlock {
    param($word, $ast, $cursor)

    $texts = [ordered]@{
        '-c' = 'run STRING with a shell; later arguments are $0, ...'
        '--shell' = 'the shell that runs -c and other command strings (sh)'
        '--base' = 'upper limit of the first sleep, before jitter (1s)'
        '--factor' = 'multiply the delay by F after each retry (2)'
        '--cap' = 'maximum sleep; 0 for no maximum (1m, or base)'
        '--backoff' = 'exponential, constant, linear or fibonacci (exponential)'
        '--delay' = 'constant delay, without jitter or cap'
        '--delays' = 'list of delays, the last one repeats; without jitter or cap'
        '--jitter' = 'none, full, equal, decorrelated, additive[=D], normal[=S] or proportional[=R] (full)'
        '--seed' = 'seed; the same seed gives the same sleeps (random)'
        '--stagger' = 'sleep a random time up to D before the first attempt'
        '--reset-after' = 'restart the schedule and the count of attempts after an attempt that ran for at least D'
        '--success-if' = 'what counts as success (0)'
        '--fail-if' = 'what counts as failure, even with a success status'
        '--retry-if' = 'retry only failures that match'
        '--stop-if' = 'never retry failures that match'
        '--until-failure' = 'run until the command fails'
        '--consecutive' = 'require N successes in a row, the base delay apart (1)'
        '-n' = 'maximum attempts; 0 or only --deadline: no limit (10)'
        '--max-attempts' = 'maximum attempts; 0 or only --deadline: no limit (10)'
        '--timeout' = 'time limit for each attempt and everything it starts'
        '--deadline' = 'time limit for the whole run, including sleeps'
        '--tempfail' = 'exit with status 75 if a later call could succeed'
        '--idle-timeout' = 'end an attempt that prints nothing for D'
        '--signal' = 'signal that a timeout sends first (TERM)'
        '--kill-after' = 'time from that signal to KILL (10s)'
        '--sweep' = 'also end what an attempt leaves in the background'
        '--retry-after' = 'wait as long as the server''s Retry-After says'
        '--retry-after-pattern' = 'read the time to wait from the first group of RE'
        '--retry-after-max' = 'give up if a server asks for a longer wait (1h)'
        '--transient' = 'retry only temporary failures; =unsent: only if the server processed nothing'
        '--throttle-base' = 'first delay after throttling (HTTP 429) (5s)'
        '--messages' = 'locale for the command''s messages; C for English'
        '--judge' = 'let CMD judge the standard output: status 0 is success, 1 or 75 retry, any other stop'
        '--before-retry' = 'run CMD before each retry; give up if it fails'
        '--on-failure' = 'run CMD once when retry gives up'
        '--budget' = 'limit the retries of all calls with this NAME together: NAME:tokens=10,refund=0.1,refill=1/1m'
        '--stdin' = 'inherit, replay or none (inherit, until consumed)'
        '--stdout' = 'live, success or last: which attempts'' output to pass on (live)'
        '-o' = 'only a successful attempt''s output (--stdout success)'
        '--stderr' = 'live or last (live)'
        '--rewind' = 'truncate FILE to its old length if an attempt fails'
        '--tty' = 'when to give the command a terminal for output that retry reads: auto, always or never (auto)'
        '--plan' = 'show what the schedule will do; run nothing'
        '--simulate' = 'show what many clients do to a server: outage or contention, with :NAME=VALUE,...; see --simulate help'
        '--review' = 'summarize files written by --report: how calls ended, how long outages lasted, how many a schedule outlives'
        '--since' = 'with --review: use only what happened in the last D'
        '--explain' = 'show how --transient would judge a saved log'
        '--at' = 'with --plan: show what happens around the time D'
        '--aim' = 'with --at: find the factor for sleeps of about D then'
        '--format' = 'text, json, csv or svg (text)'
        '--scale' = 'axis of the chart: linear or log (linear)'
        '--report' = 'append JSON Lines to FILE; - for standard error'
        '--report-argv' = 'include the command''s arguments in the report'
        '--trace' = 'append spans in OTLP JSON to FILE; - for standard error'
        '--label' = 'name of the command in messages (the command''s name)'
        '--summary' = 'show retries on the job page of GitHub or GitLab'
        '-q' = 'print only the final failure; twice: print nothing'
        '--quiet' = 'print only the final failure; twice: print nothing'
        '-v' = 'also print starts and the rules that decided'
        '--verbose' = 'also print starts and the rules that decided'
        '--help' = 'show all options; -h shows the common ones'
        '-h' = 'show the common options'
        '--completion' = 'print the completion script for bash, zsh, fish or powershell'
        '--version' = 'show the version, commit and Go version'
    }
    $values = @{
        '--shell' = 'sh', 'bash', 'dash', 'fish', 'ksh', 'zsh'
        '--backoff' = 'exponential', 'constant', 'linear', 'fibonacci'
        '--jitter' = 'none', 'full', 'equal', 'decorrelated', 'additive', 'normal', 'proportional'
        '--success-if' = 'code:', 'signal:', 'http:', 'timeout', 'stdout:', 'stderr:', 'output:'
        '--fail-if' = 'code:', 'signal:', 'http:', 'timeout', 'stdout:', 'stderr:', 'output:'
        '--retry-if' = 'code:', 'signal:', 'http:', 'timeout', 'stdout:', 'stderr:', 'output:'
        '--stop-if' = 'code:', 'signal:', 'http:', 'timeout', 'stdout:', 'stderr:', 'output:'
        '--signal' = 'TERM', 'INT', 'HUP', 'QUIT', 'KILL', 'USR1', 'USR2'
        '--transient' = 'unsent'
        '--messages' = 'C'
        '--stdin' = 'inherit', 'replay', 'none'
        '--stdout' = 'live', 'success', 'last'
        '--stderr' = 'live', 'last'
        '--tty' = 'auto', 'always', 'never'
        '--simulate' = 'outage', 'contention', 'help'
        '--format' = 'text', 'json', 'csv', 'svg'
        '--scale' = 'linear', 'log'
        '--completion' = 'bash', 'zsh', 'fish', 'powershell'
    }
    $commands = '-c', '--judge', '--before-retry', '--on-failure'

    # The words before the one to complete. The command is the word at $at, once that is known, and $option is the option
    # whose value is to be completed.
    $elements = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor })
    $words = @($elements | ForEach-Object { $_.Extent.Text })
    $at = 0
    $option = ''
    for ($i = 1; $i -lt $words.Count; $i++) {
        if ($words[$i] -ceq '--') {
            $at = $i + 1
            break
        }
        if ($words[$i] -notmatch '^-.') {
            $at = $i
            break
        }
        if ($words[$i] -cmatch '^(--(shell|base|factor|cap|backoff|delay|delays|jitter|seed|stagger|reset-after|success-if|fail-if|retry-if|stop-if|consecutive|max-attempts|timeout|deadline|idle-timeout|signal|kill-after|retry-after-pattern|retry-after-max|throttle-base|messages|judge|before-retry|on-failure|budget|stdin|stdout|stderr|rewind|tty|simulate|review|since|explain|at|aim|format|scale|report|trace|label|completion)|-[^-cn]*[cn])$') {
            $option = $words[$i]
            if ($option -notlike '--*') { $option = '-' + $option[-1] }
            $i++
            if ($i -lt $words.Count) { $option = '' }
        }
    }

    $word = "$word"
    $prefix = ''
    if (-not $option -and -not $at -and $word -match '^(--[^=]+)=') {
        $option = $Matches[1]
        $prefix = $Matches[0]
    }
    if ($option -and $commands -ccontains $option) {
        [System.Management.Automation.CompletionCompleters]::CompleteCommand($word.Substring($prefix.Length)) | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($prefix + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
        }
    } elseif ($option) {
        # Where there is nothing to choose from, PowerShell offers files.
        $values[$option] | Where-Object { $_ -and ($prefix + $_).StartsWith($word, 'Ordinal') } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($prefix + $_, $_, 'ParameterValue', $_)
        }
    } elseif (-not $at -and $word.StartsWith('-')) {
        $texts.Keys | Where-Object { $_.StartsWith($word, 'Ordinal') } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $texts[$_])
        }
    } elseif (-not $at -or $at -ge $words.Count) {
        [System.Management.Automation.CompletionCompleters]::CompleteCommand($word)
    } else {
        # The command's own completion, as if it stood alone.
        $start = $elements[$at].Extent.StartOffset
        $line = $ast.Extent.Text.Substring($start - $ast.Extent.StartOffset)
        $line = $line.PadRight($cursor - $start).Substring(0, $cursor - $start)
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches
    }
}
