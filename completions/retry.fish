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
complete -c retry -n __retry_in_options -s c -x -d 'run STRING by a shell; words after it are $0, $1, ...'
complete -c retry -n __retry_in_options -l shell -x -a 'sh bash dash fish ksh zsh'
complete -c retry -n __retry_in_options -l shell -x -d 'the shell for -c, with its options (sh)'
complete -c retry -n __retry_in_options -l base -x -d 'the delay before the first retry (1s)'
complete -c retry -n __retry_in_options -l factor -x -d 'what each further delay is multiplied by (2)'
complete -c retry -n __retry_in_options -l cap -x -d 'no sleep is longer; 0 for no cap (1m, or base)'
complete -c retry -n __retry_in_options -l backoff -x -a 'exponential constant linear fibonacci'
complete -c retry -n __retry_in_options -l backoff -x -d 'exponential, constant, linear or fibonacci (exponential)'
complete -c retry -n __retry_in_options -l delay -x -d 'constant delay, no jitter, no cap'
complete -c retry -n __retry_in_options -l delays -x -d 'these delays, the last repeats; no jitter, no cap'
complete -c retry -n __retry_in_options -l jitter -x -a 'none full equal decorrelated additive normal proportional'
complete -c retry -n __retry_in_options -l jitter -x -d 'none, full, equal, decorrelated, additive[=D], normal[=S] or proportional[=R] (full)'
complete -c retry -n __retry_in_options -l seed -x -d 'draw the same sleeps every time (random)'
complete -c retry -n __retry_in_options -l stagger -x -d 'wait up to D at random before the first attempt'
complete -c retry -n __retry_in_options -l reset-after -x -d 'after an attempt that ran so long, start the schedule and the count of attempts again'
complete -c retry -n __retry_in_options -l success-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l success-if -x -d 'what makes an attempt a success (0)'
complete -c retry -n __retry_in_options -l fail-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l fail-if -x -d 'what makes it a failure all the same'
complete -c retry -n __retry_in_options -l retry-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l retry-if -x -d 'retry only failures like this'
complete -c retry -n __retry_in_options -l stop-if -x -a 'code: signal: http: timeout stdout: stderr: output:'
complete -c retry -n __retry_in_options -l stop-if -x -d 'never retry a failure like this'
complete -c retry -n __retry_in_options -l until-failure -d 'run until the command fails'
complete -c retry -n __retry_in_options -l consecutive -x -d 'want N successes in a row, the base delay apart (1)'
complete -c retry -n __retry_in_options -s n -l max-attempts -x -d 'attempts in all; 0, or a deadline alone: no limit (10)'
complete -c retry -n __retry_in_options -l timeout -x -d 'end an attempt that runs longer, with all it started'
complete -c retry -n __retry_in_options -l deadline -x -d 'the time for everything together'
complete -c retry -n __retry_in_options -l tempfail -d 'exit with 75 if a failure worth another try is given up'
complete -c retry -n __retry_in_options -l idle-timeout -x -d 'end an attempt that prints nothing for so long'
complete -c retry -n __retry_in_options -l signal -x -a 'TERM INT HUP QUIT KILL USR1 USR2'
complete -c retry -n __retry_in_options -l signal -x -d 'what a timeout sends first (TERM)'
complete -c retry -n __retry_in_options -l kill-after -x -d 'how long after that it sends KILL (10s)'
complete -c retry -n __retry_in_options -l sweep -d 'end what an attempt leaves in the background too'
complete -c retry -n __retry_in_options -l retry-after -d 'wait as long as a server asks for by Retry-After'
complete -c retry -n __retry_in_options -l retry-after-pattern -x -d 'the first group is how long, or until when'
complete -c retry -n __retry_in_options -l retry-after-max -x -d 'end retrying where a server asks for more (1h)'
complete -c retry -n __retry_in_options -l transient -a 'unsent'
complete -c retry -n __retry_in_options -l transient -d 'retry no 404 and such; unsent: nothing processed'
complete -c retry -n __retry_in_options -l throttle-base -x -d 'the first delay after throttling (5s)'
complete -c retry -n __retry_in_options -l messages -x -a 'C'
complete -c retry -n __retry_in_options -l messages -x -d 'the language of its messages; C: English'
complete -c retry -n __retry_in_options -l judge -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l judge -x -d 'decides: 0 success, 1 or 75 retry, else stop; it reads the attempt\'s standard output'
complete -c retry -n __retry_in_options -l before-retry -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l before-retry -x -d 'run before each retry, and none if it fails'
complete -c retry -n __retry_in_options -l on-failure -x -a '(__retry_complete_name)'
complete -c retry -n __retry_in_options -l on-failure -x -d 'run once when retry gives up'
complete -c retry -n __retry_in_options -l budget -x -d 'share retries with all calls of that name: NAME:tokens=10,refund=0.1,refill=1/1m'
complete -c retry -n __retry_in_options -l stdin -x -a 'inherit replay none'
complete -c retry -n __retry_in_options -l stdin -x -d 'inherit, replay or none (inherit, while it lasts)'
complete -c retry -n __retry_in_options -l stdout -x -a 'live success last'
complete -c retry -n __retry_in_options -l stdout -x -d 'live, success or last: whose output is let through (live)'
complete -c retry -n __retry_in_options -s o -d '--stdout success: only the successful attempt\'s'
complete -c retry -n __retry_in_options -l stderr -x -a 'live last'
complete -c retry -n __retry_in_options -l stderr -x -d 'live or last (live)'
complete -c retry -n __retry_in_options -l rewind -r -F -d 'cut FILE back to its former length when an attempt fails'
complete -c retry -n __retry_in_options -l tty -x -a 'auto always never'
complete -c retry -n __retry_in_options -l tty -x -d 'auto, always or never: keep a watched terminal one; always: make a pipe or a file one too (auto)'
complete -c retry -n __retry_in_options -l plan -d 'show what the schedule will do; run nothing'
complete -c retry -n __retry_in_options -l simulate -x -a 'outage contention help'
complete -c retry -n __retry_in_options -l simulate -x -d 'show what many copies of it do to a server: outage or contention, with :NAME=VALUE,...; help lists them'
complete -c retry -n __retry_in_options -l review -r -F -d 'show what --report has written: how calls ended, how long outages last, what a schedule outlives'
complete -c retry -n __retry_in_options -l since -x -d 'with --review: only the last D'
complete -c retry -n __retry_in_options -l explain -r -F -d 'show what --transient makes of a saved log'
complete -c retry -n __retry_in_options -l at -x -d 'with --plan: what it does after D'
complete -c retry -n __retry_in_options -l aim -x -d 'with --at: the factor that sleeps about D then'
complete -c retry -n __retry_in_options -l format -x -a 'text json csv svg'
complete -c retry -n __retry_in_options -l format -x -d 'text, json, csv or svg (text)'
complete -c retry -n __retry_in_options -l scale -x -a 'linear log'
complete -c retry -n __retry_in_options -l scale -x -d 'linear or log, of the chart (linear)'
complete -c retry -n __retry_in_options -l report -r -F -d 'add JSON Lines to FILE; - for standard error'
complete -c retry -n __retry_in_options -l report-argv -d 'with the command\'s arguments in them'
complete -c retry -n __retry_in_options -l trace -r -F -d 'append spans in OTLP JSON to FILE; - for standard error'
complete -c retry -n __retry_in_options -l label -x -d 'what retry\'s lines call it (the command\'s name)'
complete -c retry -n __retry_in_options -l summary -d 'tell GitHub or GitLab of more than one attempt'
complete -c retry -n __retry_in_options -s q -l quiet -d 'tell of the final failure only; twice: of nothing'
complete -c retry -n __retry_in_options -s v -l verbose -d 'tell of starts and of the rule that decided too'
complete -c retry -n __retry_in_options -l help -d 'show all options; -h shows the common ones'
complete -c retry -n __retry_in_options -s h -d 'show the common options'
complete -c retry -n __retry_in_options -l completion -x -a 'bash zsh fish powershell'
complete -c retry -n __retry_in_options -l completion -x -d 'show how bash, zsh, fish or powershell completes retry\'s line'
complete -c retry -n __retry_in_options -l version -d 'show version, commit and Go version'
