# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the particle kernels as a PyTorch extension."""
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="particle_ops",
    version="0.3.0",
    packages=["particle_ops"],
    ext_modules=[
        CUDAExtension(
            name="particle_ops._C",
            sources=["particle_ops/binding.cpp", "particle_ops/gather_kernel.cu"],
            extra_compile_args={
                "cxx": ["-O3"],
                "nvcc": ["-O3", "--use_fast_math", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"],
            },
            libraries=["cublas"],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
