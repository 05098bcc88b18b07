# zsh.sh LINES OUTPUT: writes to OUTPUT what each line of LINES is completed to, by the line editor of a zsh in a
# terminal of its own.
if [[ $3 != inner ]]; then
  zmodload zsh/zpty
  zpty inner zsh -f -i
  zpty -w inner "source completions/testdata/zsh.sh ${(q)1} ${(q)2} inner"
  zpty -w -n inner $'\x18\x18'
  while zpty -r inner chunk; do :; done
  exit
fi

PROMPT= RPROMPT=
fpath=($PWD/completions $fpath)
autoload -Uz compinit
compinit -D -u
_retry_test_command() { compadd -- --own --other }
compdef _retry_test_command retry-test-command
lines=$1 output=$2

# What is added, and what only some function wants to see matched, are told apart by where it is to be stored.
compadd() {
  if [[ ${argv[1,(i)(-|--)]} != *\ -[OAD]\ * && " ${argv[1,(i)(-|--)]} " != *\ -[OAD]\ * ]]; then
    local -a hits
    builtin compadd -O hits "$@"
    (( $#hits )) && print -rl -- $hits >>$output
  fi
  builtin compadd "$@"
}
zle -C complete-one list-choices _main_complete
complete-all() {
  while IFS= read -r BUFFER; do
    CURSOR=$#BUFFER
    print -r -- "> $BUFFER" >>$output
    zle complete-one
  done <$lines
  print '> end' >>$output
  exit
}
zle -N complete-all
bindkey '\x18\x18' complete-all
