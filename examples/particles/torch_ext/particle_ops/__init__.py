# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of the particle model."""
import torch

from . import _C


def gather_mean(values: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
    """Mean of values[offsets[i]:offsets[i + 1]] for each i."""
    if torch.version.hip is not None:
        raise RuntimeError("particle_ops has CUDA kernels only")
    return _C.gather_mean(values.contiguous(), offsets.contiguous())
