// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <list>
#include <memory>
#include <thread>

#include "runtime/block_run.h"
#include "runtime/failure.h"
#include "runtime/fault_report.h"
#include "runtime/pool.h"
#include "runtime/progress.h"
#include "runtime/region_run.h"
#include "runtime/settings.h"

namespace uw {
namespace {

// A run in which nothing but waiting happened for this long will not end by itself.
constexpr auto kStuckAfter = std::chrono::seconds(6);
// Blocks that one worker keeps open when earlier ones only wait; a grid-wide barrier lifts the limit.
constexpr size_t kOpenBlocks = 64;

class SharedMemory {
 public:
  explicit SharedMemory(size_t bytes) : bytes_(std::max<size_t>((bytes + 63) / 64 * 64, 64)) {
    memory_.reset(static_cast<char*>(std::aligned_alloc(1024, (bytes_ + 1023) / 1024 * 1024)));
  }
  char* fresh() {
    if (settings().poison) std::memset(memory_.get(), 0xff, bytes_);
    return memory_.get();
  }

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  size_t bytes_;
  std::unique_ptr<char, Free> memory_;
};

// Fibers of finished blocks, by the worker that ran them: a launch of small blocks would spend its time on mapping
// stacks.
thread_local std::vector<std::unique_ptr<FiberSet>> tFibers;

// The same for threads without fibers.
thread_local RegionMemory tRegions;

std::unique_ptr<FiberSet> takeFibers(size_t threads, size_t stackBytes) {
  for (auto& fibers : tFibers) {
    if (fibers->lanes.size() < threads || fibers->stacks.bytesEach() != stackBytes) continue;
    std::unique_ptr<FiberSet> taken = std::move(fibers);
    fibers = std::move(tFibers.back());
    tFibers.pop_back();
    return taken;
  }
  return std::make_unique<FiberSet>(threads, stackBytes);
}

void keepFibers(std::unique_ptr<FiberSet> fibers) {
  constexpr size_t kKept = 2;
  // Blocks that wait for others are open by the dozen; a few pages of each stack stay in memory.
  constexpr size_t kKeptThreads = 8192;
  size_t threads = fibers->lanes.size();
  for (const auto& kept : tFibers) threads += kept->lanes.size();
  if (tFibers.size() < kKept || threads <= kKeptThreads) {
    tFibers.push_back(std::move(fibers));
  } else if (fibers->lanes.size() > tFibers.front()->lanes.size()) {
    tFibers.front() = std::move(fibers);
  }
}

class GridRun {
 public:
  explicit GridRun(const GridLaunch& launch)
      : launch_(launch),
        total_(launch.onlyBlock ? *launch.onlyBlock + 1 : launch.blocks()),
        next_(launch.onlyBlock.value_or(0)) {}

  int run() {
    uint64_t helpers = std::min<uint64_t>(total_ - next_ - 1, settings().threads - 1);
    if (helpers == 0) {
      work();
    } else {
      pool().run(static_cast<uint32_t>(helpers), [this] { work(); });
    }
    return error_;
  }

 private:
  // One block that a worker has begun and not finished.
  struct OpenBlock {
    OpenBlock(const BlockWork& work, std::unique_ptr<FiberSet> fibers, std::unique_ptr<SharedMemory> shared)
        : fibers(std::move(fibers)), shared(std::move(shared)), run(std::make_unique<BlockRun>(work, *this->fibers)) {
      std::copy_n(work.ctaid, 3, id);
    }
    std::unique_ptr<FiberSet> fibers;
    std::unique_ptr<SharedMemory> shared;
    std::unique_ptr<BlockRun> run;
    uint32_t id[3] = {};
    uint64_t generation = 0;
    bool atGridSync = false;
  };

  // What a worker keeps between blocks.
  struct Worker {
    std::list<OpenBlock> open;
    std::vector<std::unique_ptr<SharedMemory>> shared;
    WorkerProgress progress;
    uint64_t next = 0;  // blocks taken and not begun
    uint64_t end = 0;
  };

  size_t sharedBytes() const { return (launch_.kernel->staticSharedBytes + 15) / 16 * 16 + launch_.dynamicSharedBytes; }

  void work() {
    // Outside the guarded call, so that a fault leaves no object behind.
    Worker worker;
    worker.shared.push_back(std::make_unique<SharedMemory>(sharedBytes()));
    struct Call {
      GridRun* run;
      Worker* worker;
    } call{this, &worker};
    auto body = [](void* argument) {
      auto* both = static_cast<Call*>(argument);
      switch (both->run->launch_.code->tier) {
        case Tier::loop:
          return both->run->loopBlocks(*both->worker);
        case Tier::region:
          return both->run->regionBlocks(*both->worker);
        case Tier::fiber:
          return both->run->fiberBlocks(*both->worker);
      }
    };
    Fault fault = runGuarded({launch_.kernel->name.c_str(), launch_.code}, body, &call);
    if (fault.error != 0) {
      if (launch_.witness) {
        *launch_.witness = fault;
      } else if (fault.signal != 0) {
        reportFault(launch_, fault);
      }
      error_ = fault.error;
      next_ = total_;  // nobody begins another block
    }
  }

  bool takeBlock(uint64_t& block) {
    if (next_.load(std::memory_order_relaxed) >= total_) return false;
    block = next_.fetch_add(1);
    return block < total_;
  }

  // Neighbouring blocks use neighbouring memory, so a worker whose blocks wait for nobody takes several at once.
  bool takeNeighbour(Worker& worker, uint64_t& block) {
    if (worker.next == worker.end) {
      if (next_.load(std::memory_order_relaxed) >= total_) return false;
      uint64_t first = next_.fetch_add(neighbours_);
      worker.next = std::min(first, total_);
      worker.end = std::min(first + neighbours_, total_);
      if (worker.next == worker.end) return false;
    }
    block = worker.next++;
    return error_ == 0;
  }

  void place(uint64_t block, uint32_t (&id)[3]) const {
    id[0] = static_cast<uint32_t>(block % launch_.gridDim[0]);
    id[1] = static_cast<uint32_t>(block / launch_.gridDim[0] % launch_.gridDim[1]);
    id[2] = static_cast<uint32_t>(block / launch_.gridDim[0] / launch_.gridDim[1]);
  }

  void loopBlocks(Worker& worker) {
    ThreadContext context{};
    std::copy_n(launch_.blockDim, 3, context.ntid);
    std::copy_n(launch_.gridDim, 3, context.nctaid);
    context.width = launch_.width;
    context.dynamicSharedBytes = static_cast<uint32_t>(launch_.dynamicSharedBytes);
    context.sharedBytes = static_cast<uint32_t>(sharedBytes());
    context.shared = worker.shared.front()->fresh();
    bool poisonEach = sharedBytes() > 0;
    noteBlock(&context);
    // Once for all blocks: none of them can wait, and reading the clock costs more than a small block.
    worker.progress.enterDeviceCode();
    for (uint64_t block; takeNeighbour(worker, block);) {
      place(block, context.ctaid);
      if (poisonEach) context.shared = worker.shared.front()->fresh();
      launch_.code->entry(launch_.arguments.data(), &context);
    }
    worker.progress.leaveDeviceCode();
    worker.progress.moved();
    noteBlock(nullptr);
  }

  BlockWork workOf(uint64_t block) const {
    BlockWork work;
    work.entry = launch_.code->entry;
    work.region = launch_.code->region;
    work.regionTable = launch_.code->regionTable;
    work.arguments = launch_.arguments.data();
    place(block, work.ctaid);
    std::copy_n(launch_.blockDim, 3, work.ntid);
    std::copy_n(launch_.gridDim, 3, work.nctaid);
    work.width = launch_.width;
    work.dynamicSharedBytes = static_cast<uint32_t>(launch_.dynamicSharedBytes);
    work.sharedBytes = static_cast<uint32_t>(sharedBytes());
    return work;
  }

  // Kernels in T1 do not wait for other blocks: each block runs to its end.
  void regionBlocks(Worker& worker) {
    for (uint64_t block; takeNeighbour(worker, block);) {
      BlockWork work = workOf(block);
      work.shared = worker.shared.front()->fresh();
      worker.progress.enterDeviceCode();
      RegionRun regions(work, tRegions);
      while (!regions.run()) {
        if (tRegions.lanes.size() < work.threads()) tRegions.lanes = std::vector<Lane>(work.threads());
        BlockRun apart(work, tRegions.lanes, regions);
        BlockRun::State state = apart.run();
        if (state == BlockRun::State::stuck) reportStuck(launch_.kernel->name, work.ctaid, describeStuck(apart));
        if (state == BlockRun::State::finished) break;
      }
      worker.progress.leaveDeviceCode();
      worker.progress.moved();
    }
    noteBlock(nullptr);
  }

  void begin(Worker& worker, uint64_t block) {
    BlockWork work = workOf(block);
    if (worker.shared.empty()) worker.shared.push_back(std::make_unique<SharedMemory>(sharedBytes()));
    std::unique_ptr<FiberSet> fibers = takeFibers(work.threads(), launch_.stackBytes);
    auto shared = std::move(worker.shared.back());
    worker.shared.pop_back();
    work.shared = shared->fresh();
    if (!fibers->stacks.good()) reportBug("no memory for the stacks of a block");
    worker.open.emplace_back(work, std::move(fibers), std::move(shared));
  }

  void end(Worker& worker, std::list<OpenBlock>::iterator block) {
    keepFibers(std::move(block->fibers));
    worker.shared.push_back(std::move(block->shared));
    worker.open.erase(block);
    finished_.fetch_add(1);
    openGridBarrier();
  }

  // The grid-wide barrier opens when every block that has not finished stands at it.
  void openGridBarrier() {
    std::lock_guard lock(gridMutex_);
    if (atGridSync_ > 0 && atGridSync_ + finished_ == total_) {
      atGridSync_ = 0;
      ++generation_;
    }
  }

  void arriveAtGridSync(OpenBlock& block) {
    {
      std::lock_guard lock(gridMutex_);
      block.atGridSync = true;
      block.generation = generation_;
      ++atGridSync_;
    }
    openGridBarrier();
  }

  // Runs one open block as far as it gets; true when it moved.
  bool advance(Worker& worker, std::list<OpenBlock>::iterator block) {
    if (block->atGridSync) {
      if (block->generation == generation_.load()) return false;
      block->atGridSync = false;
      block->run->releaseGridSync();
    }
    worker.progress.enterDeviceCode();
    BlockRun::State state = block->run->run();
    worker.progress.leaveDeviceCode();
    if (block->run->takeNews()) worker.progress.moved();
    switch (state) {
      case BlockRun::State::finished:
        end(worker, block);
        return true;
      case BlockRun::State::atGridSync:
        arriveAtGridSync(*block);
        return true;
      case BlockRun::State::spinning:
        return false;
      case BlockRun::State::busy:
        worker.progress.moved();
        return false;
      case BlockRun::State::together:
        reportBug("threads with fibers ended where only regions do");
      case BlockRun::State::stuck:
        reportStuck(launch_.kernel->name, block->id, describeStuck(*block->run));
    }
    return true;
  }

  std::string describeStuck(const BlockRun& run) const {
    return run.describeStuck([this](uint32_t site) { return placeOfSite(*launch_.code, site); });
  }

  void fiberBlocks(Worker& worker) {
    while (true) {
      bool moved = false;
      for (auto block = worker.open.begin(); block != worker.open.end();) {
        auto next = std::next(block);
        moved |= advance(worker, block);
        block = next;
      }
      uint64_t block = 0;
      bool room = launch_.kernel->gridSync || worker.open.size() < kOpenBlocks;
      if (!moved && room && takeBlock(block)) {
        begin(worker, block);
        moved = true;
      }
      if (moved) {
        worker.progress.moved();
        continue;
      }
      if (worker.open.empty() || error_ != 0) return;
      if (WorkerProgress::nothingMovedFor(kStuckAfter)) {
        OpenBlock& first = worker.open.front();
        reportStuck(launch_.kernel->name, first.id, describeStuck(*first.run));
      }
      std::this_thread::yield();
    }
  }

  const GridLaunch& launch_;
  uint64_t total_;
  // Few enough that all workers end at about the same time.
  uint64_t neighbours_ = std::clamp<uint64_t>(total_ / (uint64_t{settings().threads} * 16), 1, 64);
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> finished_{0};
  std::atomic<uint64_t> generation_{0};
  std::atomic<int> error_{0};
  std::mutex gridMutex_;
  uint64_t atGridSync_ = 0;
};

}  // namespace

int runGrid(const GridLaunch& launch) {
  return GridRun(launch).run();
}

}  // namespace uw
