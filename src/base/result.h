// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures of the world (a file, an option, a table) as values. Findings about the user's code are not errors; bugs
// abort.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace unwarp {

/// What went wrong, where, and what to do, in one line. Context is added once, by the layer that knows it; printed
/// once, in `cli`.
struct Error {
  std::string message;
};

/// A value or an Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  const std::string& error() const { return std::get<Error>(state_).message; }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {};

}  // namespace unwarp
