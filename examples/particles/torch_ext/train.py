# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the learned equation of state on recorded runs."""
import argparse
import os

import cupy
import pynvml
import torch
import torch.distributed as dist
from flash_attn import flash_attn_func

from particle_ops import gather_mean

CLIP = cupy.RawKernel(
    r"""
extern "C" __global__ void clip(float* values, int count, float bound) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = fminf(fmaxf(values[i], -bound), bound);
}
""",
    "clip",
)


class PressureModel(torch.nn.Module):
    """Attention over neighbours, then two dense layers."""

    def __init__(self, width: int = 64, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(16, 3 * width)
        self.head = torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))

    def forward(self, features: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        batch, length, _ = features.shape
        q, k, v = self.qkv(features).view(batch, length, 3, self.heads, -1).half().unbind(2)
        mixed = flash_attn_func(q, k, v, causal=False).float().reshape(batch * length, -1)
        return self.head(gather_mean(mixed, offsets))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    arguments = parser.parse_args()
    rank = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(rank)
    torch.backends.cuda.matmul.allow_tf32 = True
    dist.init_process_group(backend="nccl")
    if torch.cuda.get_device_capability() < (8, 0):
        raise SystemExit("needs an A100 or newer")
    model = torch.nn.parallel.DistributedDataParallel(PressureModel().cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByIndex(rank)
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for step in range(arguments.steps):
        features = torch.randn(8, 128, 16, device="cuda")
        offsets = torch.arange(0, 1025, 8, dtype=torch.int32, device="cuda")
        begin.record()
        loss = model(features, offsets).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        end.record()
        torch.cuda.synchronize()
        if rank == 0 and step % 10 == 0:
            used = pynvml.nvmlDeviceGetMemoryInfo(handle).used
            print(f"step {step} loss {loss.item():.4f} time {begin.elapsed_time(end):.2f} ms memory {used >> 20} MiB")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
