"""The ratios of the benchmarks as a picture: one bar a workload, SVG written by hand."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

LINE, LEFT, WIDTH, MOST = 20, 210, 420, 2.0
GOAL = 1.1


def drawn(ratios: Mapping[str, float]) -> str:
    """Bars from zero, with lines at equal speed and at the goal."""
    height = LINE * (len(ratios) + 2)
    size = f'width="{LEFT + WIDTH + 60}" height="{height}"'
    font = 'font-family="sans-serif" font-size="12"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for k, (name, ratio) in enumerate(ratios.items()):
        y = LINE * (k + 1)
        length = _x(min(ratio, MOST)) - LEFT
        lines += [
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{LEFT}" y="{y + 3}" width="{length:.0f}" height="{LINE - 6}" fill="#4477aa"/>',
            f'<text x="{LEFT + length + 5:.0f}" y="{y + 13}">{ratio:.2f}</text>',
        ]
    for at, label, colour in ((1.0, "by hand", "black"), (GOAL, "", "#cc6677")):
        x = _x(at)
        lines.append(
            f'<line x1="{x:.0f}" y1="{LINE}" x2="{x:.0f}" y2="{height - LINE}" stroke="{colour}" '
            'stroke-dasharray="3 3"/>'
        )
        if label:
            lines.append(f'<text x="{x:.0f}" y="{LINE - 6}" text-anchor="middle">{label}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _x(ratio: float) -> float:
    return LEFT + WIDTH * ratio / MOST
