"""ndarray methods and attributes, and the math module."""

import math

import numpy as np

from . import positives, program, values


@program(
    args=lambda: (values(1, 2, 3),),
    variants=[lambda: (values(1, 4),), lambda: (values(1, 2, 3, dtype=np.float32),)],
)
def reducing_methods(x):
    return x.sum() * x.mean() + x.max() ** 2 - x.min() * x.std()


@program(args=lambda: (values(2, 3, 2),), variants=[lambda: (values(2, 3, 2, dtype=np.float32),)])
def methods_with_an_axis(x):
    centred = x - x.mean(axis=0, keepdims=True)
    return x.sum(axis=1) * centred.max(1) + (x**2).sum(0).sum() + x.cumsum(axis=0)[:, 1]


@program(args=lambda: (values(3, 2, 3),))
def shaping_methods(x):
    a = x.reshape(3, 2) @ x
    b = x.reshape((-1,)) * x.T.ravel()
    c = x.flatten() + x.transpose().reshape(6)
    return a.sum() + b * c


@program(args=lambda: (values(4, 2, 3, 2),))
def transposes(x):
    y = x.transpose(1, 0, 2) * 2
    z = np.transpose(x, (1, 2, 0))
    return y.transpose((1, 0, 2)) * x + z.T.sum()


@program(args=lambda: (values(5, 3, 4),), variants=[lambda: (values(5, 5),)])
def attributes(x):
    return x * x.size / x.shape[0] + x.ndim * x.T.shape[-1] * x + len(x)


@program(args=lambda: (values(6, 3),), variants=[lambda: (values(6, 1),)])
def items_and_copies(x):
    y = x.copy()
    s = x[0].item() * 2
    y *= s
    return y.astype(float) * x + float(x[-1])


@program(args=lambda: (values(7, 4, dtype=np.float32),), variants=[lambda: (values(7, 4),)])
def changed_dtype(x):
    y = x.astype(np.float64) ** 2
    z = y * x
    return z.astype(x.dtype) + np.asarray(x, dtype=np.float64)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1), variants=[lambda: (np.float64(0.7), np.float64(1.3))])
def math_functions(x, y):
    a = math.sin(x) * math.cos(y) + math.tan(x) - math.tanh(x * y)
    b = math.exp(x) / math.sqrt(y) + math.log(y) * math.log(x * y) + math.log2(y) + math.log10(y)
    return a * b + math.pow(x, y) + math.fabs(-x) + math.pi


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def more_math_functions(x, y):
    a = math.atan2(y, x) + math.atan(x) + math.asin(x) - math.acos(x * 0.5)
    b = math.sinh(x) - math.cosh(y) + math.expm1(x) + math.log1p(y) + math.hypot(x, y)
    return a * b + math.erf(x) + math.floor(y) * x + math.degrees(x) - math.radians(y)


@program(
    args=lambda: (values(8, 3), values(9, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(8, 2, 3), values(9, 3))],
)
def dot_method(x, y):
    return x.dot(y) * x.T.dot(x).sum()


@program(args=lambda: (values(10, 4),))
def clip_and_repeat_methods(x):
    return x.clip(-0.9, 0.8) * x + x.repeat(2)[::2] ** 2 + x.round() * x


@program(args=lambda: (positives(11, 3), 0.6), wrt=(0, 1))
def chained_methods(x, s):
    return (x * s).reshape(1, -1).T.sum(axis=1).cumsum()[::-1] + x.prod()


@program(args=lambda: (values(12, 1, 3),))
def squeeze_and_shape(x):
    y = x.squeeze()
    if y.shape == (3,) and x.dtype == float:
        y = y * x.argmax()
    return y**2 + x.any() + x.squeeze(0)


@program(args=lambda: (np.float64(0.7),), variants=[lambda: (values(13, 3),)])
def methods_of_a_scalar(x):
    y = (x * 2).sum() + (x**2).mean() * x.size
    return y.max() * x.T


@program(args=lambda: (values(14, 6), values(15, 3)), wrt=(0, 1))
def fill_and_sort_in_place(x, w):
    y = x[:3] * w
    y.sort()
    z = np.zeros(3)
    z.fill(w[0])
    x.sort()
    return y * z * x[3:]
