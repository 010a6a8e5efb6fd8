"""Tests of the playground's computation, natively: beside plain loops for 200 random states, and
the words of its errors.

Usage: check_playground.py PROGRAM
"""
import json
import subprocess
import sys

from playground_states import attention_by_loops, random_states

NUMBER = ("it must be a number such as 2, -0.5 or 1e-3, and at most 3.4028e38, which is the "
          "largest float")
PARTS = "the parts are Q=, K=, V=, mask=, scale=, temperature=, heads= and G="
NINE = ";".join("1" * 9)

# The text of a state, and what is said of it: broken, or an error.
REFUSED = [
    ("Q=1&K=1", "broken", "the link has no V; it must have Q=, K= and V="),
    ("", "broken", f'the part "" of the link is not understood; {PARTS}'),
    ("Q=1&K=1&V=1&x=1", "broken", f'the part "x=1" of the link is not understood; {PARTS}'),
    ("Q=1&K=1&V=1&Q=2", "broken", "the link has Q twice"),
    ("Q=1,2;3&K=1&V=1", "broken", "row 1 of Q has 1 entries, row 0 has 2; all rows of a matrix "
     "must be equally long"),
    (f"Q=1&K={NINE}&V={NINE}", "broken", "K has 9 rows and 1 columns; the playground takes 1 to 8 "
     "of each"),
    ("Q=1,1,1,1,1,1,1,1,1&K=1&V=1", "broken", "Q has 1 rows and 9 columns; the playground takes 1 "
     "to 8 of each"),
    ("Q=1&K=1&V=1&mask=2", "broken", 'the mask has "2"; its entries are 1, may attend, and 0'),
    ("Q=1&K=1&V=1&mask=", "broken", "mask has 1 rows and 0 columns; the playground takes 1 to 8 of "
     "each"),
    ("Q=1;2&K=1&V=1&mask=11", "broken", "mask has 1 rows and 2 columns; it must have one for each "
     "query, 2, and each key, 1"),
    ("Q=1&K=1&V=1&scale=2", "broken", 'scale is "2"; it must be 1, divide by √d_k, or 0'),
    ("Q=%2&K=1&V=1", "broken", 'in "%2" two hexadecimal digits must follow the %'),
    ("Q=1&K=1,x&V=1", "error", f'K[0, 1] is "x"; {NUMBER}'),
    ("Q=&K=1&V=1", "error", f'Q[0, 0] is ""; {NUMBER}'),
    ("Q=inf&K=1&V=1", "error", f'Q[0, 0] is "inf"; {NUMBER}'),
    ("Q=nan&K=1&V=1", "error", f'Q[0, 0] is "nan"; {NUMBER}'),
    ("Q=1&K=1&V=1e39", "error", f'V[0, 0] is "1e39"; {NUMBER}'),
    ("Q=1&K=1&V=-1e999", "error", f'V[0, 0] is "-1e999"; {NUMBER}'),
    ("Q=0x10&K=1&V=1", "error", f'Q[0, 0] is "0x10"; {NUMBER}'),
    ("Q=1&K=1&V=1&G=1%2C5", "error", f'G[0, 0] is "1,5"; {NUMBER}'),
    ("Q=%1b%ff&K=1&V=1", "error", f'Q[0, 0] is "\\x1b\\xff"; {NUMBER}'),
    ("Q=1&K=1&V=1&temperature=hot", "error", f'the temperature is "hot"; {NUMBER}'),
    ("Q=1&K=1&V=1&heads=1.5", "error", 'heads is "1.5"; it must be a whole number from 1 to 8'),
]

# The same of heed's own errors, which name the line of the program beside them.
OF_HEED = [
    ("Q=1,2&K=1&V=1", "ScaledDotScore: Q has shape [1, 2] and K [1, 1]; their last axes must both "
     "be d_k, since each query is compared with each key", "score(Q, K)"),
    ("Q=1&K=1&V=1;2", "attend: K has shape [1, 1] and V [2, 1]; their second-to-last axes must "
     "both be T_k, since each key has one value", "attend("),
    ("Q=1,2,3&K=1,2,3&V=1,2&heads=2", "split_heads: x has shape [1, 3]; it must be [..., T, h·d] "
     "with h = 2 heads", "split_heads(Q, 2)"),
    ("Q=1,2&K=1,2&V=1,2,3&heads=2", "split_heads: x has shape [1, 3]; it must be [..., T, h·d] "
     "with h = 2 heads", "split_heads(V, 2)"),
    ("Q=1&K=1&V=1&heads=0", "split_heads: x has shape [1, 1]; it must be [..., T, h·d] with h = 0 "
     "heads", "split_heads(Q, 0)"),
    ("Q=1&K=1&V=1&temperature=-1", "attend: temperature is -1; it must be positive and finite, or "
     "0 for a hard lookup", "attend("),
    ("Q=1&K=1&V=1&G=1,1", "grad: the upstream gradient has shape [1, 2] and the output [1, 1]; "
     "they must be equal", "grad(output"),
]

# The text of a state, and numbers of one of its tables that can be worked out by hand.
BY_HAND = [
    ("Q=1,0&K=1,0;0,1&V=1;5&temperature=0", "weights", [1, 0]),      # a hard lookup
    ("Q=1,0&K=1,0;0,1&V=1;5&temperature=0", "∂L/∂Q", [0, 0]),        # with no gradient
    ("Q=1;2&K=1;2&V=3;4&mask=00;11", "weights", [0, 0, None, None]),  # all keys masked
    ("Q=1;2&K=1;2&V=3;4&mask=00;11", "output", [0, None]),
    ("Q=1;2&K=1;2&V=3;4&mask=00;11", "∂L/∂Q", [0, None]),
    ("Q=1e30&K=1e30;1e30&V=2;1", "scores", ["inf", "inf"]),
    ("Q=1e30&K=1e30;1e30&V=2;1", "output", ["nan"]),
    ("Q=-0&K=007&V=12345678901", "scores", [0]),
    ("Q=1&K=007&V=12345678901", "scores", [7]),
    ("Q=.5&K=%202%20&V=1e0", "scores", [1]),
    ("Q=1,2,3,4&K=1,1,1,1&V=1,1&heads=2&scale=0", "scores", [3, 7]),  # head 0 has columns 0 and 1
]

failures = []


def fail(*what):
    print("FAILED:", *what)
    failures.append(what)


def answers(program, states):
    done = subprocess.run([program], input="\n".join(states) + "\n", capture_output=True, text=True,
                          encoding="utf-8", check=True)
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def table(answer, name):
    return next(one for one in answer["tables"] if one["name"] == name)


def check_loops(program):
    states = random_states()
    for state, answer in zip(states, answers(program, [one.text for one in states]), strict=True):
        if "tables" not in answer:
            fail(state.text, answer)
            continue
        for name, expected in attention_by_loops(state).items():
            numbers = table(answer, name)["numbers"]
            close = [abs(a - b) <= 2e-5 * (1 + abs(b))
                     for a, b in zip(numbers, expected, strict=True)]
            if not all(close):
                fail(state.text, name, numbers, "by loops", expected)
    print(f"{len(states)} random states")


def check_errors(program):
    for (text, kind, words), answer in zip(REFUSED, answers(program, [one[0] for one in REFUSED]),
                                           strict=True):
        if answer != {kind: f"playground: {words}"}:
            fail(text, "gives", answer, "instead of", words)
    for (text, words, call), answer in zip(OF_HEED, answers(program, [one[0] for one in OF_HEED]),
                                           strict=True):
        lines = answer["program"].split("\n")
        number = 1 + next(n for n, line in enumerate(lines) if call in line)
        place = f"\n  at program.cpp:{number}, in main"
        error = answer.get("error", "")
        if not error.startswith(words + "\n") or place not in error or "tables" in answer:
            fail(text, "gives", error, "instead of", words + place)


def check_by_hand(program):
    given = answers(program, [one[0] for one in BY_HAND])
    for (text, name, expected), answer in zip(BY_HAND, given, strict=True):
        numbers = table(answer, name)["numbers"]
        if any(b is not None and a != b for a, b in zip(numbers, expected, strict=True)):
            fail(text, name, numbers, "instead of", expected)


if __name__ == "__main__":
    check_loops(sys.argv[1])
    check_errors(sys.argv[1])
    check_by_hand(sys.argv[1])
    sys.exit(1 if failures else 0)
