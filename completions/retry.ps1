# PowerShell completion for retry, made by: retry --completion powershell
# It runs nothing of what is typed.

Register-ArgumentCompleter -Native -CommandName @("retry", "retry.exe") -ScriptBlock {
    param($word, $ast, $cursor)

    $texts = [ordered]@{
        '-c' = 'run STRING by a shell; words after it are $0, $1, ...'
        '--shell' = 'the shell for -c, with its options (sh)'
        '--base' = 'the delay before the first retry (1s)'
        '--factor' = 'what each further delay is multiplied by (2)'
        '--cap' = 'no sleep is longer; 0 for no cap (1m, or base)'
        '--backoff' = 'exponential, constant, linear or fibonacci (exponential)'
        '--delay' = 'constant delay, no jitter, no cap'
        '--delays' = 'these delays, the last repeats; no jitter, no cap'
        '--jitter' = 'none, full, equal, decorrelated, additive[=D], normal[=S] or proportional[=R] (full)'
        '--seed' = 'draw the same sleeps every time (random)'
        '--stagger' = 'wait up to D at random before the first attempt'
        '--reset-after' = 'after an attempt that ran so long, start the schedule and the count of attempts again'
        '--success-if' = 'what makes an attempt a success (0)'
        '--fail-if' = 'what makes it a failure all the same'
        '--retry-if' = 'retry only failures like this'
        '--stop-if' = 'never retry a failure like this'
        '--until-failure' = 'run until the command fails'
        '--consecutive' = 'want N successes in a row, the base delay apart (1)'
        '-n' = 'attempts in all; 0, or a deadline alone: no limit (10)'
        '--max-attempts' = 'attempts in all; 0, or a deadline alone: no limit (10)'
        '--timeout' = 'end an attempt that runs longer, with all it started'
        '--deadline' = 'the time for everything together'
        '--tempfail' = 'exit with 75 if a failure worth another try is given up'
        '--idle-timeout' = 'end an attempt that prints nothing for so long'
        '--signal' = 'what a timeout sends first (TERM)'
        '--kill-after' = 'how long after that it sends KILL (10s)'
        '--sweep' = 'end what an attempt leaves in the background too'
        '--retry-after' = 'wait as long as a server asks for by Retry-After'
        '--retry-after-pattern' = 'the first group is how long, or until when'
        '--retry-after-max' = 'end retrying where a server asks for more (1h)'
        '--transient' = 'retry no 404 and such; unsent: nothing processed'
        '--throttle-base' = 'the first delay after throttling (5s)'
        '--messages' = 'the language of its messages; C: English'
        '--judge' = 'decides: 0 success, 1 or 75 retry, else stop; it reads the attempt''s standard output'
        '--before-retry' = 'run before each retry, and none if it fails'
        '--on-failure' = 'run once when retry gives up'
        '--budget' = 'share retries with all calls of that name: NAME:tokens=10,refund=0.1,refill=1/1m'
        '--stdin' = 'inherit, replay or none (inherit, while it lasts)'
        '--stdout' = 'live, success or last: whose output is let through (live)'
        '-o' = '--stdout success: only the successful attempt''s'
        '--stderr' = 'live or last (live)'
        '--rewind' = 'cut FILE back to its former length when an attempt fails'
        '--tty' = 'auto, always or never: keep a watched terminal one; always: make a pipe or a file one too (auto)'
        '--plan' = 'show what the schedule will do; run nothing'
        '--simulate' = 'show what many copies of it do to a server: outage or contention, with :NAME=VALUE,...; help lists them'
        '--review' = 'show what --report has written: how calls ended, how long outages last, what a schedule outlives'
        '--since' = 'with --review: only the last D'
        '--explain' = 'show what --transient makes of a saved log'
        '--at' = 'with --plan: what it does after D'
        '--aim' = 'with --at: the factor that sleeps about D then'
        '--format' = 'text, json, csv or svg (text)'
        '--scale' = 'linear or log, of the chart (linear)'
        '--report' = 'add JSON Lines to FILE; - for standard error'
        '--report-argv' = 'with the command''s arguments in them'
        '--trace' = 'append spans in OTLP JSON to FILE; - for standard error'
        '--label' = 'what retry''s lines call it (the command''s name)'
        '--summary' = 'tell GitHub or GitLab of more than one attempt'
        '-q' = 'tell of the final failure only; twice: of nothing'
        '--quiet' = 'tell of the final failure only; twice: of nothing'
        '-v' = 'tell of starts and of the rule that decided too'
        '--verbose' = 'tell of starts and of the rule that decided too'
        '--help' = 'show all options; -h shows the common ones'
        '-h' = 'show the common options'
        '--completion' = 'show how bash, zsh, fish or powershell completes retry''s line'
        '--version' = 'show version, commit and Go version'
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
