"""The sizes of models.cpp: vocabulary, T, B, layers, heads, d_model."""

SIZES = {
    "tiny": (65, 16, 2, 2, 2, 32),
    "lesson_14": (65, 64, 16, 2, 4, 64),
    "S": (65, 64, 12, 4, 4, 128),
    "M": (65, 256, 16, 6, 6, 384),
    "L": (50257, 64, 4, 12, 12, 768),
}
SIZES.update(("deep_%d" % layers, (65, 64, 4, layers, 4, 128)) for layers in range(1, 49))
