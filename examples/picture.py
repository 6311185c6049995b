"""Pictures for the gallery as SVG, without a library: curves, points and grey images, side by side."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

GALLERY = Path(__file__).parent.parent / "docs" / "gallery"
COLOURS = ("#4477aa", "#cc6677", "#228833", "#aa3377", "#ccbb44", "#66ccee")
WIDTH, HEIGHT = 290, 210
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 42, 36  # what stands around the axes
GREYS = 12


@dataclass
class Mark:
    """One curve or cloud of points, and how it is drawn."""

    x: np.ndarray
    y: np.ndarray
    label: str
    colour: str
    style: str  # "line", "dashed" or "points"


@dataclass
class Panel:
    """One pair of axes."""

    title: str
    x_label: str = ""
    marks: list[Mark] = field(default_factory=list)
    pixels: np.ndarray | None = None

    def line(self, x, y, label="", colour=None):
        return self._add(x, y, label, colour, "line")

    def dashed(self, x, y, label="", colour=None):
        return self._add(x, y, label, colour, "dashed")

    def points(self, x, y, label="", colour=None):
        return self._add(x, y, label, colour, "points")

    def image(self, pixels):
        """Numbers from 0 (white) to 1 (black)."""
        self.pixels = np.asarray(pixels)
        return self

    def _add(self, x, y, label, colour, style):
        colour = COLOURS[len(self.marks) % len(COLOURS)] if colour is None else colour
        self.marks.append(Mark(np.asarray(x, float), np.asarray(y, float), label, colour, style))
        return self

    def drawn(self):
        """The lines of SVG, for a panel whose corner is at the origin."""
        title = text(WIDTH / 2, 16, self.title, "middle", 'font-weight="bold"')
        return [title, *(self.greys() if self.pixels is not None else self.axes())]

    def greys(self):
        """One rectangle for each run of equal pixels in a row; white ones are left out."""
        rows, columns = self.pixels.shape
        size = (HEIGHT - TOP) / rows
        left = (WIDTH - size * columns) / 2
        levels = np.round(np.clip(self.pixels, 0, 1) * GREYS).astype(int)
        boxes = [
            box(left + size * start, TOP - 12 + size * row, size * length, size, level)
            for row in range(rows)
            for start, length, level in runs(levels[row])
            if level > 0
        ]
        frame = (left, TOP - 12, size * columns, size * rows)
        return ['<g class="pixels">' + "".join(boxes) + "</g>", outline(*frame)]

    def axes(self):
        """Ticks, marks, and a line of labels above."""
        across = Scale([m.x for m in self.marks], LEFT, WIDTH - RIGHT)
        up = Scale([m.y for m in self.marks], HEIGHT - BOTTOM, TOP, room=0.06)
        out = [outline(LEFT, TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP)]
        below = HEIGHT - BOTTOM + 14
        out += [text(across(tick), below, f"{tick:.6g}", "middle") for tick in across.ticks()]
        for tick in up.ticks():
            level = up(tick)
            out.append(text(LEFT - 5, level + 4, f"{tick:.6g}", "end"))
            out.append(path([LEFT, WIDTH - RIGHT], [level, level], "#dddddd", "line"))
        out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, self.x_label, "middle"))
        at = LEFT
        for mark in self.marks:
            out += shapes(across(mark.x), up(mark.y), mark)
            if mark.label:
                out.append(text(at, TOP - 8, mark.label, "start", f'fill="{mark.colour}"'))
                at += 6.2 * len(mark.label) + 10
        return out


@dataclass
class Picture:
    """Panels, in rows of `columns`."""

    columns: int = 3
    panels: list[Panel] = field(default_factory=list)

    def panel(self, title, x_label=""):
        """A new panel to draw in."""
        self.panels.append(Panel(title, x_label))
        return self.panels[-1]

    def svg(self):
        columns = min(self.columns, len(self.panels))
        rows = math.ceil(len(self.panels) / columns)
        width, height = WIDTH * columns, HEIGHT * rows
        font = 'font-family="sans-serif" font-size="11"'
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {font}>',
            '<rect width="100%" height="100%" fill="white"/>',
        ]
        for k, panel in enumerate(self.panels):
            row, column = divmod(k, columns)
            out.append(f'<g transform="translate({WIDTH * column} {HEIGHT * row})">')
            out += [*panel.drawn(), "</g>"]
        return "\n".join([*out, "</svg>", ""])

    def save(self, example):
        """Write it into the gallery, under the name of the example."""
        file = GALLERY / f"{Path(example).stem}.svg"
        file.write_text(self.svg())
        print(f"the picture is in {file.relative_to(GALLERY.parent.parent)}")


class Scale:
    """From numbers to places on the page, and round numbers between."""

    def __init__(self, values, start, end, room=0.0):
        self.low = min(float(np.min(v)) for v in values)
        self.high = max(float(np.max(v)) for v in values)
        extra = room * (self.high - self.low) or (self.high == self.low)
        self.low, self.high = self.low - extra, self.high + extra
        self.start, self.end = start, end

    def __call__(self, value):
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * k for k in (1, 2, 5, 10) if power * k >= rough)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


# ---------------------------------------------------------------------------------------- shapes


def shapes(x, y, mark):
    if mark.style == "points":
        return [
            f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2" fill="{mark.colour}"/>' for a, b in zip(x, y)
        ]
    return [path(x, y, mark.colour, mark.style)]


def path(x, y, colour, style):
    places = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    dashes = ' stroke-dasharray="4 3"' if style == "dashed" else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}"{dashes}/>'


def text(x, y, what, anchor, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(what)}</text>'


def box(x, y, width, height, level):
    grey = 255 - 255 * level // GREYS
    colour = f"#{grey:02x}{grey:02x}{grey:02x}"
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
    )


def outline(x, y, width, height):
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {place} fill="none" stroke="#999999"/>'


def runs(levels):
    """(start, length, level) of the stretches of equal levels."""
    ends = [*(np.flatnonzero(np.diff(levels)) + 1), len(levels)]
    start = 0
    for end in ends:
        yield start, end - start, int(levels[start])
        start = end
