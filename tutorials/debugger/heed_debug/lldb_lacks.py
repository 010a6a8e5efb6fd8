"""The commands that gdb has and lldb has not, and why, or what does there."""

LACKS = {
    "wrote": "lldb cannot run a program backwards. `watchpoint set variable` halts at the next "
             "change, and a new run comes to it again",
    "watch-number": "lldb says of a number in memory only its bytes. `watchpoint set variable` "
                    "watches a variable that is a number",
    "tape": "lldb takes no account of what nodes pass on. `breakpoint set -n BackwardPass::walk` "
            "halts before each node",
    "snoop": "its record is made of gdb's steps. `step` and `v` show the same, step by step",
}
