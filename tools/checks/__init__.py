# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks of tools/tidy.py, one module per subject. Each has `check(tree)` and yields Complaint values."""
