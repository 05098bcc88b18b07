# fish completion for retry, made by: retry --completion fish
# It runs nothing of what is typed.

# The number of the word that is the command, or has to be. It fails while there may be another option.
function __retry_command_at
    set -l words (commandline -opc)
    set -l i 2
    while test $i -le (count $words)
        if test "$words[$i]" = --
            math $i + 1
            return
        else if not string match -qr -- '^-.' "$words[$i]"
            echo $i
            return
        else if string match -qr -- '^(--(shell|base|factor|cap|backoff|delay|delays|jitter|seed|stagger|reset-after|success-if|fail-if|retry-if|stop-if|consecutive|max-attempts|timeout|deadline|idle-timeout|signal|kill-after|retry-after-pattern|retry-after-max|throttle-base|messages|judge|before-retry|on-failure|budget|stdin|stdout|stderr|rewind|tty|simulate|review|since|explain|at|aim|format|scale|report|trace|label|completion)|-[^-cn]*[cn])$' "$words[$i]"
            set i (math $i + 1)
        end
        set i (math $i + 1)
    end
    return 1
end

function __retry_in_options
    not __retry_command_at >/dev/null
end

# The command's own completion. Behind -c there are only words.
function __retry_complete_command
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l at (__retry_command_at)
    or set at (math (count $words) + 1)
    set -l rest
    if test $at -le (count $words)
        set rest $words[$at..-1]
        set words $words[1..(math $at - 1)]
    else if string match -qr -- '^-' $current
        return
    end
    if string match -qr -- '^-[^-cn]*c' $words[2..-1]
        __fish_complete_path "$current"
    else
        __retry_complete_line "$current" $rest
    end
end

# The names of commands, as an option's value.
function __retry_complete_name
    set -l current (commandline -ct)
    __retry_complete_line (string replace -r -- '^--[^=]*=' '' "$current" | string collect --allow-empty)
end

# Completes the first argument behind the others. To complete the name of a command fish runs what is in parentheses.
function __retry_complete_line
    if not string match -q -- '*(*' "$argv[1]"
        set -l line (string escape -- $argv[2..-1]) "$argv[1]"
        complete "--do-complete=$line"
    end
end

complete -c retry -f
complete -c retry -a '(__retry_complete_command)'
complete -c retry -n __retry_in_options -s c -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -s c -x -d 'run STRING with a shell; later arguments are $0, ...'
complete -c retry -n __retry_in_options -l shell -x -a 'sh bash dash fish ksh zsh'
complete -c retry -n __retry_in_options -l shell -x -d 'the shell that runs -c and other command strings (sh)'
complete -c retry -n __retry_in_options -l base -x -d 'upper limit of the first sleep, before jitter (1s)'
complete -c retry -n __retry_in_options -l factor -x -d 'multiply the delay by F after each retry (2)'
complete -c retry -n __retry_in_options -l cap -x -d 'maximum sleep; 0 for no maximum (1m, or base)'
complete -c retry -n __retry_in_options -l backoff -x -a 'exponential constant linear fibonacci'
complete -c retry -n __retry_in_options -l backoff -x -d 'exponential, constant, linear or fibonacci (exponential)'
complete -c retry -n __retry_in_options -l delay -x -d 'constant delay, without jitter or cap'
complete -c retry -n __retry_in_options -l delays -x -d 'list of delays, the last one repeats; without jitter or cap'
complete -c retry -n __retry_in_options -l jitter -x -a 'none full equal decorrelated additive normal proportional'
complete -c retry -n __retry_in_options -l jitter -x -d 'none, full, equal, decorrelated, additive[=D], normal[=S] or proportional[=R] (full)'
complete -c retry -n __retry_in_options -l seed -x -d 'seed; the same seed gives the same sleeps (random)'
complete -c retry -n __retry_in_options -l stagger -x -d 'sleep a random time up to D before the first attempt'
complete -c retry -n __retry_in_options -l reset-after -x -d 'restart the schedule and the count of attempts after an attempt that ran for at least D'
complete -c retry -n __retry_in_options -l success-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l success-if -x -d 'what counts as success (0)'
complete -c retry -n __retry_in_options -l fail-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l fail-if -x -d 'what counts as failure, even with a success status'
complete -c retry -n __retry_in_options -l retry-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l retry-if -x -d 'retry only failures that match'
complete -c retry -n __retry_in_options -l stop-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l stop-if -x -d 'never retry failures that match'
complete -c retry -n __retry_in_options -l until-failure -d 'run until the command fails'
complete -c retry -n __retry_in_options -l consecutive -x -d 'require N successes in a row, the base delay apart (1)'
complete -c retry -n __retry_in_options -s n -l max-attempts -x -d 'maximum attempts; 0 or only --deadline: no limit (10)'
complete -c retry -n __retry_in_options -l timeout -x -d 'time limit for each attempt and everything it starts'
complete -c retry -n __retry_in_options -l deadline -x -d 'time limit for the whole run, including sleeps'
complete -c retry -n __retry_in_options -l tempfail -d 'exit with status 75 if a later call could succeed'
complete -c retry -n __retry_in_options -l idle-timeout -x -d 'end an attempt that prints nothing for D'
complete -c retry -n __retry_in_options -l signal -x -a 'TERM INT HUP QUIT KILL USR1 USR2'
complete -c retry -n __retry_in_options -l signal -x -d 'signal that a timeout sends first (TERM)'
complete -c retry -n __retry_in_options -l kill-after -x -d 'time from that signal to KILL (10s)'
complete -c retry -n __retry_in_options -l sweep -d 'also end what an attempt leaves in the background'
complete -c retry -n __retry_in_options -l retry-after -d 'wait as long as the server\'s Retry-After says'
complete -c retry -n __retry_in_options -l retry-after-pattern -x -d 'read the time to wait from the first group of RE'
complete -c retry -n __retry_in_options -l retry-after-max -x -d 'give up if a server asks for a longer wait (1h)'
complete -c retry -n __retry_in_options -l transient -a 'unsent'
complete -c retry -n __retry_in_options -l transient -d 'retry only temporary failures; =unsent: only if the server processed nothing'
complete -c retry -n __retry_in_options -l throttle-base -x -d 'first delay after throttling (HTTP 429) (5s)'
complete -c retry -n __retry_in_options -l messages -x -a 'C'
complete -c retry -n __retry_in_options -l messages -x -d 'locale for the command\'s messages; C for English'
complete -c retry -n __retry_in_options -l judge -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l judge -x -d 'let CMD judge the standard output: status 0 is success, 1 or 75 retry, any other stop'
complete -c retry -n __retry_in_options -l before-retry -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l before-retry -x -d 'run CMD before each retry; give up if it fails'
complete -c retry -n __retry_in_options -l on-failure -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l on-failure -x -d 'run CMD once when retry gives up'
complete -c retry -n __retry_in_options -l budget -x -d 'limit the retries of all calls with this NAME together: NAME:tokens=10,refund=0.1,refill=1/1m'
complete -c retry -n __retry_in_options -l stdin -x -a 'inherit replay none'
complete -c retry -n __retry_in_options -l stdin -x -d 'inherit, replay or none (inherit, until consumed)'
complete -c retry -n __retry_in_options -l stdout -x -a 'live success last'
complete -c retry -n __retry_in_options -l stdout -x -d 'live, success or last: which attempts\' output to pass on (live)'
complete -c retry -n __retry_in_options -s o -d 'only a successful attempt\'s output (--stdout success)'
complete -c retry -n __retry_in_options -l stderr -x -a 'live last'
complete -c retry -n __retry_in_options -l stderr -x -d 'live or last (live)'
complete -c retry -n __retry_in_options -l rewind -r -F -d 'truncate FILE to its old length if an attempt fails'
complete -c retry -n __retry_in_options -l tty -x -a 'auto always never'
complete -c retry -n __retry_in_options -l tty -x -d 'when to give the command a terminal for output that retry reads: auto, always or never (auto)'
complete -c retry -n __retry_in_options -l plan -d 'show what the schedule will do; run nothing'
complete -c retry -n __retry_in_options -l simulate -x -a 'outage contention help'
complete -c retry -n __retry_in_options -l simulate -x -d 'show what many clients do to a server: outage or contention, with :NAME=VALUE,...; see --simulate help'
complete -c retry -n __retry_in_options -l review -r -F -d 'summarize files written by --report: how calls ended, how long outages lasted, how many a schedule outlives'
complete -c retry -n __retry_in_options -l since -x -d 'with --review: use only what happened in the last D'
complete -c retry -n __retry_in_options -l explain -r -F -d 'show how --transient would judge a saved log'
complete -c retry -n __retry_in_options -l at -x -d 'with --plan: show what happens around the time D'
complete -c retry -n __retry_in_options -l aim -x -d 'with --at: find the factor for sleeps of about D then'
complete -c retry -n __retry_in_options -l format -x -a 'text json csv svg'
complete -c retry -n __retry_in_options -l format -x -d 'text, json, csv or svg (text)'
complete -c retry -n __retry_in_options -l scale -x -a 'linear log'
complete -c retry -n __retry_in_options -l scale -x -d 'axis of the chart: linear or log (linear)'
complete -c retry -n __retry_in_options -l report -r -F -d 'append JSON Lines to FILE; - for standard error'
complete -c retry -n __retry_in_options -l report-argv -d 'include the command\'s arguments in the report'
complete -c retry -n __retry_in_options -l trace -r -F -d 'append spans in OTLP JSON to FILE; - for standard error'
complete -c retry -n __retry_in_options -l label -x -d 'name of the command in messages (the command\'s name)'
complete -c retry -n __retry_in_options -l summary -d 'show retries on the job page of GitHub or GitLab'
complete -c retry -n __retry_in_options -s q -l quiet -d 'print only the final failure; twice: print nothing'
complete -c retry -n __retry_in_options -s v -l verbose -d 'also print starts and the rules that decided'
complete -c retry -n __retry_in_options -l help -d 'show all options; -h shows the common ones'
complete -c retry -n __retry_in_options -s h -d 'show the common options'
complete -c retry -n __retry_in_options -l completion -x -a 'bash zsh fish powershell'
complete -c retry -n __retry_in_options -l completion -x -d 'print the completion script for bash, zsh, fish or powershell'
complete -c retry -n __retry_in_options -l version -d 'show the version, commit and Go version'
