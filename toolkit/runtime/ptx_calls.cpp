// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/ptx_calls.h"

#include <immintrin.h>
#include <pthread.h>

#include <cmath>
#include <cstring>

#include "runtime/block_run.h"
#include "runtime/failure.h"
#include "runtime/grid.h"
#include "runtime/settings.h"

namespace uw {
namespace {

enum Operation : uint32_t { kAdd, kMultiply, kFma, kDivide, kSquareRoot, kFromSigned, kFromUnsigned };

// The rounding field of the control register holds 1 for down, 2 for up, 3 for to zero.
class RoundingMode {
 public:
  explicit RoundingMode(uint32_t mode) : saved_(_mm_getcsr()) {
    static constexpr uint32_t kFields[] = {3, 1, 2};
    _mm_setcsr((saved_ & ~0x6000u) | kFields[mode % 3] << 13);
  }
  ~RoundingMode() { _mm_setcsr(saved_); }

 private:
  uint32_t saved_;
};

template <class Float, class Bits>
Float numberOf(uint64_t bits) {
  Bits own = static_cast<Bits>(bits);
  Float value;
  std::memcpy(&value, &own, sizeof value);
  return value;
}

// An even integer of 64 bits with the same rounding as `value`: the lowest bit remembers what was shifted out.
int64_t halved(uint64_t value) {
  return static_cast<int64_t>(value >> 1 | (value & 1));
}

// Volatile, because the compiler may believe in rounding to nearest: the operations must stay between the two changes
// of the control register.
template <class Float, class Bits>
uint64_t compute(uint32_t operation, uint32_t mode, uint64_t a, uint64_t b, uint64_t c) {
  volatile Float left = numberOf<Float, Bits>(a);
  volatile Float right = numberOf<Float, Bits>(b);
  volatile Float third = numberOf<Float, Bits>(c);
  volatile uint64_t whole = a;
  volatile Float result = 0;
  {
    RoundingMode rounding(mode);
    switch (operation) {
      case kAdd:
        result = left + right;
        break;
      case kMultiply:
        result = left * right;
        break;
      case kFma:
        result = std::fma(left, right, third);
        break;
      case kDivide:
        result = left / right;
        break;
      case kSquareRoot:
        result = std::sqrt(left);
        break;
      case kFromSigned:
        result = static_cast<Float>(static_cast<int64_t>(whole));
        break;
      case kFromUnsigned:
        if (static_cast<int64_t>(whole) >= 0) {
          result = static_cast<Float>(static_cast<int64_t>(whole));
        } else {
          volatile Float half = static_cast<Float>(halved(whole));
          result = half * 2;
        }
        break;
      default:
        reportBug("an operation with a rounding mode that does not exist");
    }
  }
  Float value = result;
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

uint64_t ptxDirected(ThreadContext*, uint32_t, uint32_t operation, uint32_t mode, uint32_t bits, uint64_t a, uint64_t b,
                     uint64_t c) {
  return bits == 64 ? compute<double, uint64_t>(operation, mode, a, b, c)
                    : compute<float, uint32_t>(operation, mode, a, b, c);
}

void ptxExit(ThreadContext* context, uint32_t) {
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) reportBug("a thread without a fiber cannot end early");
  BlockRun::exit(*lane);
}

void ptxBarrierArrive(ThreadContext* context, uint32_t, uint32_t id, uint32_t threads) {
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) reportBug("a thread without a fiber cannot arrive at a barrier");
  BlockRun::arriveAt(*lane, id, threads);
}

uint32_t ptxNsmid(ThreadContext*, uint32_t) {
  return settings().threads;
}

uint32_t ptxSmid(ThreadContext* context, uint32_t) {
  uint64_t row = context->ctaid[1] + uint64_t{context->nctaid[1]} * context->ctaid[2];
  return static_cast<uint32_t>((context->ctaid[0] + context->nctaid[0] * row) % settings().threads);
}

// Local memory is the stack: of the fiber, whose size is that of every fiber, or of the worker thread.
uint32_t ptxIsLocal(ThreadContext* context, uint32_t, const void* address) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  auto place = reinterpret_cast<uintptr_t>(address);
  if (place - reinterpret_cast<uintptr_t>(context->frame) < context->frameBytes) return 1;
  if (context->lane) return place - here < kFiberStackBytes;
  thread_local uintptr_t end = 0;
  if (end == 0) {
    pthread_attr_t attributes;
    void* low = nullptr;
    size_t size = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    end = reinterpret_cast<uintptr_t>(low) + size;
  }
  return place >= here && place < end;
}

}  // namespace uw
