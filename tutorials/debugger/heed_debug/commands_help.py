"""help heed: every command, with an example."""

from heed_debug.host import Command, here

EXAMPLES = [
    ("shapes", "shapes", "what there is, with shapes"),
    ("tensor", "tensor weights[0,2]", "all numbers"),
    ("grad", "grad W", "the gradient added up so far"),
    ("graph", "graph loss", "what it was made from"),
    ("attention", "attention weights", "weights as a heat map"),
    ("compare", "compare A B", "the largest difference"),
    ("stops", "stops", "the named stops of this program"),
    ("until-stop", "until-stop 08.3", "on to a named stop"),
    ("until-layer", "until-layer model.blocks[0].attention", "on into the next call of a layer"),
    ("until-error", "until-error", "on to the first error, NaN or infinity"),
    ("into", "into softmax", "on to a formula, forward or backward"),
    ("snoop", "snoop", "each line of a call with what it made; snoop 12 shows it again"),
    ("walk", "walk FROM TO", "records every step between two places; walk save page.html"),
    ("level", "level layers", "how deep `step` goes, and which levels there are"),
    ("deeper", "deeper", "`step` goes one level deeper"),
    ("shallower", "shallower", "one level less deep"),
    ("why", "why W[0,1]", "an entry of a gradient as the sum it is"),
    ("watch-number", "watch-number W[0,1]", "halts when a number changes"),
    ("wrote", "wrote weights[2,1]", "in a recording, back to what wrote a number"),
    ("tape", "tape step", "the backward pass that is running"),
    ("tour", "tour", "goes through this lesson by itself"),
    ("at-stop", 'at-stop "08.1 weights"', "in a tour: the next stop must be this one"),
    ("expect", "expect weights[0,0] == 1", "says whether it is so"),
    ("tour-end", "tour-end", "in a tour: to the end, and the result"),
]


def text():
    there = [(example, what) for name, example, what in EXAMPLES if name not in here.LACKS]
    width = max(len(example) for example, _ in there)
    lines = [f"  {example:<{width}}  {what}" for example, what in there]
    title = "heed's commands, each by an example. `help` and the name says more."
    others = [f"In {here.OTHER} only: {', '.join(sorted(here.LACKS))}."] if here.LACKS else []
    return "\n".join([title, *lines, *others])


class HeedCommand(Command):
    __doc__ = text()
    echoes = False

    def lines(self, argument):
        return text().split("\n")


HeedCommand("heed", completes=False)
