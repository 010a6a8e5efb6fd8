# Functions of .ci/run and .ci/sanitize: they announce steps, and run commands that pages show.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
unset NO_COLOR FORCE_COLOR COLUMNS

# say WORDS...: announces a step, with the seconds since the start.
say() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# command_of PAGE REGEX: the one shell command of PAGE that REGEX matches whole.
command_of() {
    local commands
    commands=$(grep -xE "$2" "$1" | sort -u)
    if [ -z "$commands" ] || [ "$(wc -l <<< "$commands")" -ne 1 ]; then
        echo "$1 must show one command of the form $2" >&2
        return 1
    fi
    printf '%s\n' "$commands"
}

# run_from PAGE REGEX [CODE]: runs that command as it is printed, without a terminal. It must exit
# with CODE, or with 0.
run_from() {
    local command code=0
    command=$(command_of "$1" "$2")
    say "$command"
    bash -c "$command" < /dev/null || code=$?
    if [ "$code" -ne "${3:-0}" ]; then
        echo "the command exits with $code, not ${3:-0}" >&2
        return 1
    fi
}
