"""Hidden Markov model: the log-likelihood by the forward algorithm with scaling.

L. Rabiner, A tutorial on hidden Markov models (1989), section V.A; parameters by softmax.
"""

import numpy as np

from . import method


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def forward(obs, pi, A, B):
    """Scaled forward variables and the scaling coefficients."""
    T = len(obs)
    N = A.shape[0]
    alpha = np.zeros((T, N))
    c = np.zeros(T)

    alpha[0] = pi * B[:, obs[0]]
    c[0] = 1.0 / np.sum(alpha[0])
    alpha[0] *= c[0]

    for t in range(1, T):
        for j in range(N):
            alpha[t, j] = np.dot(alpha[t - 1], A[:, j]) * B[j, obs[t]]
        c[t] = 1.0 / np.sum(alpha[t])
        alpha[t] *= c[t]
    return alpha, c


def log_likelihood(params, obs):
    pi = softmax(params[0])
    A = softmax(params[1])
    B = softmax(params[2])
    _, c = forward(obs, pi, A, B)
    return -np.sum(np.log(c))


def negative_log_likelihood(log_pi, log_A, log_B, sequences):
    """Of several sequences of symbols."""
    total = 0.0
    for obs in sequences:
        total -= log_likelihood((log_pi, log_A, log_B), obs)
    return total / len(sequences)


def weather():
    log_pi = np.array([0.4, -0.3])
    log_A = np.array([[0.8, -0.5], [0.1, 0.6]])
    log_B = np.array([[0.5, 0.2, -0.7], [-0.4, 0.3, 0.9]])
    return log_pi, log_A, log_B, [np.array([0, 1, 2, 2]), np.array([1, 0, 2])]


method(
    negative_log_likelihood,
    weather,
    wrt=(0, 1, 2),
)
