"""A PID controller with anti-windup on a thermal process.

K. Åström, R. Murray, Feedback Systems, chapter 11.
"""

import numpy as np

from . import method


class PID:
    def __init__(self, kp, ki, kd, setpoint, limits=(0.0, 4.0)):
        self.kp = kp
        self.ki = ki
        self.kd = kd
        self.setpoint = setpoint
        self.limits = limits
        self.integral = 0.0
        self.previous = None

    def step(self, measured, dt):
        error = self.setpoint - measured
        derivative = 0.0 if self.previous is None else (error - self.previous) / dt
        self.previous = error
        u = self.kp * error + self.ki * (self.integral + error * dt) + self.kd * derivative
        low, high = self.limits
        if low < u < high:  # conditional integration
            self.integral += error * dt
        return min(max(u, low), high)


def cost(gains, ambient, tau, n, dt):
    """Integral of the squared error, and the control effort."""
    controller = PID(*gains, setpoint=1.0)
    T = ambient
    J = 0.0
    for _ in range(n):
        u = controller.step(T, dt)
        T += dt * (u - (T - ambient)) / tau
        J += dt * ((controller.setpoint - T) ** 2 + 0.01 * u**2)
    return J


method(
    cost,
    lambda: (np.array([3.0, 1.5, 0.1]), 0.2, 0.8, 8, 0.1),
    wrt=(0, 1, 2),
)
