// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// toml++ as this project uses it: header-only, no exceptions, and without its assumptions. Version 3.3 tells the
// compiler to assume things that a malformed document breaks (`[` and a line break is enough); each of these places
// handles the broken case correctly when nothing is assumed. Give it only text that went through base/toml_text.h.
#pragma once

#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSUME
#define TOML_ASSUME(...) static_assert(true)
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>
