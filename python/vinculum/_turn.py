"""Rotations as unit quaternions (x, y, z, w), in the order of glTF. Arrays may have leading dimensions."""

import numpy as np

NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


def inverted(q):
    return q * [-1.0, -1.0, -1.0, 1.0]


def product(p, q):
    """The rotation q, followed by p."""
    pv, pw, qv, qw = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    vector = pw * qv + qw * pv + np.cross(pv, qv)
    return np.concatenate([vector, pw * qw - np.sum(pv * qv, axis=-1, keepdims=True)], axis=-1)


def turned(q, v):
    """The vector v after the rotation q."""
    twice = 2.0 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * twice + np.cross(q[..., :3], twice)


def shortest(a, b):
    """The rotation by the least angle that takes the direction a to b; both have three components."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    q = np.append(np.cross(a, b), 1.0 + a.dot(b))
    if q[3] < 1e-12:  # opposite directions: half a turn about any axis across
        q = np.append(np.cross(a, np.eye(3)[np.argmin(np.abs(a))]), 0.0)
    return q / np.linalg.norm(q)


def carried(directions):
    """[samples, 4] Rotations that take z to each direction. Each follows from the last one by the least angle, so that
    they do not turn about the direction."""
    result, last = [], NO_TURN
    for direction in directions:
        if np.linalg.norm(direction) > 0:
            last = product(shortest(turned(last, np.array([0.0, 0.0, 1.0])), direction), last)
            last = last / np.linalg.norm(last)
        result.append(last)
    return continuous(np.array(result))


def continuous(q):
    """The same rotations, with signs such that successive quaternions are near each other."""
    flips = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0, -1.0, 1.0)
    return q * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
