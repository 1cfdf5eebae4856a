/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where version 3 of the annotations for profilers has its header. */
#include "../nvToolsExt.h"
