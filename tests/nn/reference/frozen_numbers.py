"""What both scripts here share: numbers that are short to write, and how they are written."""
import torch


def drawn(*shape, width=1.0):
    return torch.round(torch.randn(*shape) * width * 64) / 64


def write(name, tensor):
    numbers = ["%.17g" % float(x) for x in tensor.flatten()]
    dims = ", ".join(str(n) for n in tensor.shape)
    lines, line = [], ""
    for number in numbers:
        if len(line) + len(number) + 1 > 100:
            lines.append(line)
            line = ""
        line += number + ","
    lines.append(line)
    print('{"%s", {%s}, {\n%s}},' % (name, dims, "\n".join(lines)))
