"""A view of numbers in the program's memory: shape and strides, as in a Tensor."""

import struct

BLOCK = 1 << 14  # entries read at once


class WrongSlice(Exception):
    """A slice that does not fit the shape, with a message."""


def contiguous_strides(shape):
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return tuple(strides)


class Array:
    """`code` is the struct format character of an entry; strides are in entries."""

    def __init__(self, memory, kind, code, address, shape, strides=None):
        self.memory = memory
        self.kind = kind  # "Tensor", "IndexTensor", "BoolTensor" or "Mask"
        self.code = code
        self.address = address
        self.shape = tuple(shape)
        self.strides = contiguous_strides(self.shape) if strides is None else tuple(strides)
        self.blocks = {}

    @property
    def count(self):
        entries = 1
        for length in self.shape:
            entries *= length
        return entries

    def called(self, kind):
        return Array(self.memory, kind, self.code, self.address, self.shape, self.strides)

    def span(self):
        """The extent in memory, in entries, from the first to just past the last."""
        if self.count == 0:
            return 0
        return 1 + sum((n - 1) * stride for n, stride in zip(self.shape, self.strides))

    def is_contiguous(self):
        usual = contiguous_strides(self.shape)
        return self.count == 0 or all(
            n == 1 or stride == other
            for n, stride, other in zip(self.shape, self.strides, usual)
        )

    def at(self, offset):
        """The entry at an offset, in entries, from the first one."""
        number, place = divmod(offset, BLOCK)
        if number not in self.blocks:
            width = struct.calcsize(self.code)
            entries = min(BLOCK, self.span() - number * BLOCK)
            data = self.memory.read(self.address + number * BLOCK * width, entries * width)
            self.blocks[number] = memoryview(bytes(data)).cast(self.code)
        return self.blocks[number][place]

    def offsets(self, most=None):
        """The offsets of the entries, in row-major order, at most `most` of them."""
        index = [0] * len(self.shape)
        offset = 0
        total = self.count if most is None else min(self.count, most)
        for _ in range(total):
            yield offset
            for axis in range(len(self.shape) - 1, -1, -1):
                index[axis] += 1
                offset += self.strides[axis]
                if index[axis] < self.shape[axis]:
                    break
                offset -= index[axis] * self.strides[axis]
                index[axis] = 0

    def values(self, most=None):
        return [self.at(offset) for offset in self.offsets(most)]

    def index_of(self, position):
        """The index of the entry at a position in row-major order."""
        index = []
        for stride in contiguous_strides(self.shape):
            index.append(position // stride if stride else 0)
            position = position % stride if stride else 0
        return index

    def slice(self, wanted):
        """Applies a slice such as "0,:,1:3": an index selects one entry and drops the axis;
        begin:end keeps the axis; axes not mentioned are kept whole."""
        parts = [part.strip() for part in wanted.split(",")]
        if len(parts) > len(self.shape):
            axes = f"{len(self.shape)} " + ("axis" if len(self.shape) == 1 else "axes")
            raise WrongSlice(f"[{wanted}] has {len(parts)} indices, but the shape "
                             f"{list(self.shape)} has {axes}")
        start, shape, strides = 0, [], []
        for axis, (n, stride) in enumerate(zip(self.shape, self.strides)):
            part = parts[axis] if axis < len(parts) else ":"
            begin, end = self.bounds(part, axis, n)
            start += begin * stride if n else 0
            if end is not None:
                shape.append(end - begin)
                strides.append(stride)
        address = self.address + start * struct.calcsize(self.code)
        return Array(self.memory, self.kind, self.code, address, shape, strides)

    @staticmethod
    def bounds(part, axis, n):
        """(begin, end), or (index, None) for one entry."""
        try:
            ends = [int(text) if text.strip() else None for text in part.split(":")]
        except ValueError:
            raise WrongSlice(f"{part} is not an index; an index is a number, or a range such as "
                             "1:3 or :") from None
        if len(ends) > 2 or part == "":
            raise WrongSlice(f"[{part}] is not an index; an index is a number, or a range such as "
                             "1:3 or :")
        if len(ends) == 1:
            index = ends[0] + n if ends[0] < 0 else ends[0]
            if not 0 <= index < n:
                entries = "1 entry" if n == 1 else f"{n} entries"
                raise WrongSlice(f"index {ends[0]} is out of range: axis {axis} has {entries}")
            return index, None
        begin, end = (0 if ends[0] is None else ends[0]), (n if ends[1] is None else ends[1])
        begin, end = (begin + n if begin < 0 else begin), (end + n if end < 0 else end)
        if not 0 <= begin <= end <= n:
            raise WrongSlice(f"range {part} does not lie within axis {axis}, which goes from 0 to "
                             f"{n}")
        return begin, end
