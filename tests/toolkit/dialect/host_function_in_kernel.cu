// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fails: call to __host__ function from __global__ function
//
// A host function stays one: no words are added where no definition has them.
int hostOnly(int);
__global__ void use(int* to) { *to = hostOnly(1); }
int hostOnly(int x) { return x; }
int main() { return 0; }
