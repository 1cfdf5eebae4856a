// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test per format and trap: units, phases, failed requests, counts, mixed systems, and inputs that must be refused
// with file, field and fix.
#include "base/text.h"
#include "cost/money/compare.h"
#include "cost/money/reading.h"
#include "money_fixture.h"

namespace unwarp::cost::money {
namespace {

Measurement only(std::string_view text, std::string_view sidecar = "") {
  auto read = readText(text, sidecar);
  EXPECT_TRUE(read) << (read ? "" : read.error());
  if (!read || read->measurements.size() != 1) {
    ADD_FAILURE() << "not one measurement";
    return {};
  }
  return read->measurements[0];
}

std::string errorOf(std::string_view text, std::string_view sidecar = "") {
  auto read = readText(text, sidecar);
  return read ? "no error" : read.error();
}

constexpr std::string_view vllm =
    R"({"date":"20260428-110159","backend":"vllm","model_id":"models/models--openai--gpt-oss-120b/snapshots/b5c9/",
"num_prompts":160,"request_rate":"inf","max_concurrency":16,"duration":94.9,"completed":150,
"total_input_tokens":153600,
"total_output_tokens":153600,"request_throughput":1.58,"request_goodput:":1.2,"output_throughput":1618.5,
"total_token_throughput":3237.0,"mean_ttft_ms":185.0,"median_ttft_ms":104.4,"p99_ttft_ms":687.9,"mean_tpot_ms":9.04,
"median_tpot_ms":9.03,"p99_tpot_ms":9.09,"mean_e2el_ms":9436.7,"median_e2el_ms":9359.9,"p99_e2el_ms":9977.6})";

TEST(Formats, vllmBenchIsReadWithItsColonAndItsMissingCounts) {
  Measurement m = only(vllm);
  EXPECT_EQ(m.model, "openai/gpt-oss-120b");
  EXPECT_EQ(m.engine, "vllm");
  EXPECT_EQ(m.date, "2026-04-28");
  EXPECT_EQ(m.goodputPerS, 1.2);
  EXPECT_EQ(m.failed, 10);
  EXPECT_EQ(m.outputTokens, 1024);
  EXPECT_NEAR(*m.inputTokensPerS, 1618.5, 1e-9);
  EXPECT_EQ(m.of(LatencyKind::Ttft).p99Ms, 687.9);
  EXPECT_FALSE(m.gpus);
  EXPECT_FALSE(m.requestRatePerS);
}

TEST(Formats, namesWithoutMsAreSeconds) {
  Measurement m = only(R"({"model_id":"zai-org/GLM-5-FP8","completed":80,"duration":119,"total_output_tokens":10240,
"output_throughput":86.04,"request_goodput":null,"median_ttft":2.58,"p99_ttft":8.13,"median_tpot":0.0718})");
  EXPECT_NEAR(*m.of(LatencyKind::Ttft).p50Ms, 2580, 1e-9);
  EXPECT_NEAR(*m.of(LatencyKind::Tpot).p50Ms, 71.8, 1e-9);
  EXPECT_FALSE(m.goodputPerS);
}

TEST(Formats, arraysOfVllmAreSecondsWithoutTheFailedRequests) {
  Measurement m =
      only(R"({"model_id":"m","completed":2,"failed":1,"duration":1,"output_throughput":5,"ttfts":[0.1,0,0.3],
"itls":[[0.01,0.03],[],[0.02]],"output_lens":[3,0,2],"errors":["","timeout",""]})");
  EXPECT_EQ(m.of(LatencyKind::Ttft).samplesMs, (std::vector<double>{100, 300}));
  EXPECT_NEAR(m.of(LatencyKind::Tpot).samplesMs[0], 20, 1e-9);
  EXPECT_EQ(m.requestOutputTokens, (std::vector<double>{3, 2}));
}

TEST(Formats, aSidecarSaysWhatTheFileLeavesOut) {
  Measurement m = only(vllm, "gpu = \"NVIDIA H100 80GB\"\ngpus = 8\nprecision = \"mxfp4\"\n");
  EXPECT_EQ(m.gpu, "H100");
  EXPECT_EQ(m.gpus, 8);
  EXPECT_NE(errorOf(vllm, "engine = \"sglang\"\n").find("says 'sglang' but the benchmark says 'vllm'"),
            std::string::npos);
  EXPECT_NE(errorOf(vllm, "gpuss = 1\n").find("input.toml:1 gpuss: is no key of a sidecar; did you mean gpus?"),
            std::string::npos);
  EXPECT_NE(errorOf(vllm, "gpu = \"H1000\"\n").find("did you mean H100?"), std::string::npos);
}

TEST(Formats, unitsThatCannotBothHoldAreRefused) {
  std::string seconds(vllm);
  seconds.replace(seconds.find("\"mean_e2el_ms\":9436.7"), 21, "\"mean_e2el_ms\":9.4367");
  EXPECT_NE(errorOf(seconds).find("seconds and milliseconds are mixed"), std::string::npos);
  std::string duration(vllm);
  duration.replace(duration.find("\"duration\":94.9"), 15, "\"duration\":94900");
  EXPECT_NE(errorOf(duration).find("write the duration in seconds"), std::string::npos);
}

TEST(Formats, aiperfUnitsAreRead) {
  Measurement m = only(
      R"({"request_throughput":{"unit":"requests/sec","avg":2},"time_to_first_token":{"unit":"s","avg":0.5,
"p50":0.4,"p99":1},
"request_latency":{"unit":"ms","avg":900,"p50":800},"output_token_throughput":{"unit":"tokens/sec","avg":100},
"request_count":{"unit":"requests","avg":50},
"output_sequence_length":{"unit":"tokens","avg":50},"warmup_metrics":{"request_latency":{"unit":"ms","avg":1}},
"input_config":{"endpoint":{"model_names":["amd/Kimi-K2.7-Code-MXFP4"]}},"start_time":"2026-07-09T09:15:47.8",
"was_cancelled":false})");
  EXPECT_EQ(m.of(LatencyKind::Ttft).p99Ms, 1000);
  EXPECT_EQ(m.of(LatencyKind::E2e).meanMs, 900);
  EXPECT_EQ(m.model, "amd/Kimi-K2.7-Code-MXFP4");
  EXPECT_EQ(m.date, "2026-07-09");
  EXPECT_NE(errorOf(R"({"request_latency":{"unit":"parsec","avg":1}})").find("'parsec' is no unit of ms"),
            std::string::npos);
}

TEST(Formats, onlyProfiledRecordsWithoutErrorCount) {
  std::string text;
  auto record = [&](std::string_view phase, std::string_view rest, int start) {
    text += R"({"metadata":{"benchmark_phase":")" + std::string(phase) + R"(","request_start_ns":)" +
            std::to_string(start) + R"(000000000,"request_end_ns":)" + std::to_string(start + 2) +
            R"(000000000},"metrics":{"time_to_first_token":{"value":100,"unit":"ms"},)" +
            R"("output_sequence_length":{"value":40,"unit":"tokens"},"request_latency":{"value":2,"unit":"s"}})" +
            std::string(rest) + "}\n";
  };
  record("warmup", "", 0);
  record("profiling", "", 10);
  record("profiling", "", 12);
  record("profiling", R"(,"error":{"code":500})", 12);
  Measurement m = only(text);
  EXPECT_EQ(m.requests, 2);
  EXPECT_EQ(m.failed, 1);
  EXPECT_EQ(m.outputTokensPerS, 20);
  EXPECT_EQ(m.of(LatencyKind::E2e).samplesMs, (std::vector<double>{2000, 2000}));
}

TEST(Formats, mlperfV5IsDividedByAllAccelerators) {
  std::string row =
      R"([{"Submitter":"Made Up","Category":"closed","Suite":"datacenter","UsedModel":"llama2-70b-99",
"Model":"llama2-70b-99",
"Scenario":"Server","Accelerator":"NVIDIA H200-SXM-141GB","a#":8,"Nodes":2,"Performance_Result":64000,
"Performance_Units":"Tokens/s",
"Software":"TensorRT 10.11, CUDA 12.9","weight_data_types":"fp8","inferred":0,"version":"v5.1",
"Accuracy":"ROUGE1: 44.4"}])";
  Measurement m = only(row);
  EXPECT_EQ(m.gpus, 16);
  EXPECT_EQ(m.outputTokensPerSPerGpu(), 4000);
  EXPECT_EQ(m.gpu, "H200");
  EXPECT_EQ(m.engine, "tensorrt");
  EXPECT_EQ(m.accuracyGate, "99");
  auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = row;
    changed.replace(changed.find(from), from.size(), to);
    return only(changed);
  };
  EXPECT_NE(with("\"closed\"", "\"open\"").unfit.find("open division"), std::string::npos);
  EXPECT_NE(with("\"inferred\":0", "\"inferred\":1").unfit.find("inferred"), std::string::npos);
  EXPECT_NE(with("NVIDIA H200-SXM-141GB", "AMD Instinct MI325X 256GB HBM3E (x16), AMD Instinct MI300X 192GB HBM3 (x8)")
                .unfit.find("mixed"),
            std::string::npos);
  EXPECT_EQ(with("NVIDIA H200-SXM-141GB", "NVIDIA GB200").gpu, "GB200");
}

TEST(Formats, mlperfV6IsAnObjectOfRows) {
  auto read = readText("{\"0\":" + mlperfRow("AMD Instinct MI355X", 13315, "llama2-70b-99.9", "Offline") +
                       ",\"1\":" + mlperfRow("NVIDIA B200-SXM-180GB", 12838, "llama2-70b-99.9", "Offline") + "}");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->measurements.size(), 2u);
  EXPECT_NEAR(*read->measurements[0].outputTokensPerSPerGpu(), 13315, 1e-9);
  EXPECT_EQ(read->measurements[1].gpu, "B200");
  EXPECT_EQ(read->measurements[1].accuracyGate, "99.9");
}

TEST(Formats, anMlperfLogThatIsNotValidIsUnfit) {
  std::string log =
      "================\nMLPerf Results Summary\n================\nScenario : Offline\nTokens per second: 124879\n"
      "Result is : VALID\nMean latency (ns)  : 1385923211525\n";
  EXPECT_EQ(only(log).outputTokensPerS, 124879);
  EXPECT_EQ(only(log).unfit, "");
  log.replace(log.find("VALID"), 5, "INVALID");
  EXPECT_NE(only(log).unfit.find("not VALID"), std::string::npos);
}

TEST(Formats, inferenceXCountsGpusFromItsParallelism) {
  Measurement m = only(
      R"({"hw":"mi355x","conc":4,"image":"vllm/vllm-openai-rocm:v0.21.0","model":"moonshotai/Kimi-K2.5",
"framework":"vllm",
"precision":"int4","isl":1024,"osl":1024,"tp":4,"pp":2,"ep":1,"dp_attention":"false","tput_per_gpu":55.6,
"output_tput_per_gpu":27.7,
"input_tput_per_gpu":27.9,"mean_ttft":0.317,"p99_ttft":0.58,"mean_tpot":0.0173,"mean_e2el":16.17})");
  EXPECT_EQ(m.gpus, 8);
  EXPECT_NEAR(*m.outputTokensPerS, 27.7 * 8, 1e-9);
  EXPECT_EQ(m.of(LatencyKind::Ttft).meanMs, 317);
  EXPECT_EQ(m.engineVersion, "v0.21.0");
}

TEST(Formats, splitServingRatesAreOfTheirOwnGpusWhenTheSumSaysSo) {
  constexpr std::string_view start =
      R"({"hw":"gb200","framework":"sglang","precision":"fp4","model":"m","is_multinode":true,)";
  Measurement own = only(std::string(start) +
                         R"("num_prefill_gpu":8,"num_decode_gpu":24,"tput_per_gpu":100,"input_tput_per_gpu":200,
"output_tput_per_gpu":66.6667})");
  EXPECT_NEAR(*own.outputTokensPerS, 1600, 1);
  EXPECT_NEAR(*own.inputTokensPerS, 1600, 1);
  Measurement all = only(std::string(start) +
                         R"("num_prefill_gpu":8,"num_decode_gpu":24,"tput_per_gpu":100,"input_tput_per_gpu":50,
"output_tput_per_gpu":50})");
  EXPECT_NEAR(*all.outputTokensPerS, 1600, 1e-9);
}

TEST(Formats, gpuhuntPricesAreDividedByTheirGpus) {
  auto read = readText(
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags\n"
      "i1,us,24.0,30,240,8,H100,80.0,False,,nvidia,\ni2,us,1.0,30,240,0,,,False,,,\n"
      "i3,us,8.0,30,240,8,A100,40.0,True,,nvidia,\n");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->prices.size(), 2u);
  EXPECT_EQ(read->prices[0].low, 3.0);
  EXPECT_EQ(read->prices[1].gpu, "A100 40GB");
  EXPECT_EQ(read->prices[1].basis, "spot");
  EXPECT_EQ(read->notes.size(), 1u);
  EXPECT_NE(errorOf("instance_name,location,price,gpu_count,gpu_name\ni1,us,-1,1,H100\n")
                .find("input:2: price: -1 is negative"),
            std::string::npos);
}

TEST(Formats, infracostPartsMustGiveTheirTotals) {
  std::string text = R"j({"currency":"USD","totalMonthlyCost":"71774","projects":[{"name":"p",
"breakdown":{"totalMonthlyCost":"71774","resources":[{"name":"aws_instance.gpu",
"monthlyCost":"71774","costComponents":[{"name":"Instance usage (Linux/UNIX, on-demand, p5.48xlarge)",
"unit":"hours","hourlyQuantity":"1",
"monthlyQuantity":"730","price":"98.32","monthlyCost":"71773.6"},{"name":"Data transfer","unit":"GB",
"monthlyQuantity":null,"price":"0.09","monthlyCost":null}]
}]
}
}]
})j";
  EXPECT_NE(errorOf(text).find("its parts sum to"), std::string::npos);
  for (std::string_view wrong : {"\"71774\"", "\"71774\"", "\"71774\""})
    text.replace(text.find(wrong), wrong.size(), "\"71773.6\"");
  auto read = readText(text);
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->prices.size(), 1u);
  EXPECT_NEAR(read->prices[0].low, 12.29, 1e-9);
  EXPECT_NE(read->notes[0].find("1 components have no price"), std::string::npos);
}

constexpr std::string_view focusHeader =
    "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,"
    "ConsumedQuantity,ConsumedUnit,"
    "ServiceName,SkuPriceDetails\n";

TEST(Formats, focusUsageGivesThePricePaid) {
  auto read =
      readText(std::string(focusHeader) +
               "23256,23256,INR,Usage,,2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,10,Hours,GPU,\"{\"\"InstanceType\"\":"
               "\"\"BM.GPU.B200.8\"\",\"\"GpuCount\"\":8}\"\n"
               "4186,4186,INR,Tax,,2026-03-01,2026-03-02,,,GST,\n-100,-100,INR,Credit,,2026-03-01,2026-03-02,,,,\n");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->charges.size(), 3u);
  auto paid = paidPrices(read->charges);
  ASSERT_EQ(paid.size(), 1u);
  EXPECT_EQ(paid[0].gpu, "B200");
  EXPECT_NEAR(paid[0].low, 290.7, 1e-9);
}

TEST(Formats, focusMistakesNameTheColumn) {
  std::string head(focusHeader);
  EXPECT_NE(errorOf(head + "-5,-5,USD,Usage,,2026-03-01,2026-03-02,1,Hours,GPU,\n")
                .find("input:2: BilledCost: -5.00000 is negative"),
            std::string::npos);
  EXPECT_NE(errorOf(head + "5,5,usd,Usage,,2026-03-01,2026-03-02,1,Hours,GPU,\n").find("BillingCurrency"),
            std::string::npos);
  EXPECT_NE(errorOf(head + "5,5,USD,Usage,,2026-02-30,2026-03-02,1,Hours,GPU,\n").find("ChargePeriodStart"),
            std::string::npos);
  EXPECT_NE(errorOf(head + "5,5,USD,Usage,,2026-03-05,2026-03-02,1,Hours,GPU,\n").find("lies before the start"),
            std::string::npos);
  EXPECT_NE(errorOf(head + ",5,USD,Usage,,2026-03-01,2026-03-02,1,Hours,GPU,\n").find("BilledCost: is missing"),
            std::string::npos);
}

TEST(Formats, focusCurrenciesMustAgree) {
  std::string head =
      "BilledCost,EffectiveCost,BillingCurrency,PricingCurrency,PricingCurrencyEffectiveCost,ChargeCategory,"
      "ChargePeriodStart\n";
  EXPECT_EQ(errorOf(head + "890,890,INR,USD,10,Usage,2026-03-01\n"), "no error");
  EXPECT_NE(errorOf(head + "890,890,INR,INR,10,Usage,2026-03-01\n").find("though both are in INR"), std::string::npos);
}

TEST(Formats, genaiPerfKeepsItsModelBesideTheEndpoint) {
  Measurement m = only(R"({"request_latency":{"unit":"ms","avg":900},"input_config":{"model":["gpt2"]}})");
  EXPECT_EQ(m.model, "gpt2");
}

TEST(Formats, plainTablesNameTheirUnits) {
  Measurement m = only("model,gpu,gpus,output_tokens_per_s,ttft_p50_s,ttft_p99_ms\nllama,MI300X,8,24000,0.2,900\n");
  EXPECT_EQ(m.of(LatencyKind::Ttft).p50Ms, 200);
  EXPECT_EQ(m.outputTokensPerSPerGpu(), 3000);
  EXPECT_NE(errorOf("model,ttft_p50\nx,1\n").find("ttft_p50: is a figure without a known unit"), std::string::npos);
  EXPECT_NE(errorOf("gpu,price_per_gpu_hour\nH100,2\n").find("currency: is missing beside a price"), std::string::npos);
  EXPECT_NE(errorOf("gpu,output_tokens_per_s\nH1000,2\n").find("did you mean H100?"), std::string::npos);
}

TEST(Formats, whatIsNoneOfThemSaysSo) {
  EXPECT_NE(errorOf("hello").find("none of the known formats"), std::string::npos);
  EXPECT_NE(errorOf("{\"a\":1}").find("none of the known formats"), std::string::npos);
  EXPECT_NE(errorOf("{\"model_id\":\"m\",").find("no valid JSON"), std::string::npos);
}

TEST(Compare, whatCanExplainARatioRefusesTheComparison) {
  Measurement a = only(vllm), b = a;
  EXPECT_TRUE(compare(a, b).allowed());
  auto refused = [&](auto change) {
    Measurement changed = a;
    change(changed);
    return !compare(a, changed).allowed();
  };
  EXPECT_TRUE(refused([](Measurement& m) { m.model = "openai/gpt-oss-20b"; }));
  EXPECT_TRUE(refused([](Measurement& m) { m.outputTokens = 512; }));
  EXPECT_TRUE(refused([](Measurement& m) { m.concurrency = 64; }));
  EXPECT_TRUE(refused([](Measurement& m) { m.unfit = "open division"; }));
  a.precision = "fp8";
  EXPECT_TRUE(refused([](Measurement& m) { m.precision = "fp4"; }));
  a.accuracyGate = "99";
  EXPECT_TRUE(refused([](Measurement& m) { m.accuracyGate = "99.9"; }));
  a.precision = "mxfp4";
  EXPECT_FALSE(refused([](Measurement& m) { m.precision = "nvfp4"; }));
  EXPECT_FALSE(refused([](Measurement& m) { m.engine = "sglang"; }));
}

TEST(GpuNames, wholeWordsOnly) {
  EXPECT_EQ(gpuNames().find("NVIDIA GB200"), "GB200");
  EXPECT_EQ(gpuNames().find("cluster:mi355x-amds"), "MI355X");
  EXPECT_EQ(gpuNames().find("NVIDIA H200-NVL-141GB"), "H200 NVL");
  EXPECT_EQ(gpuNames().find("NVIDIA A100-SXM4-40GB"), "A100 40GB");
  EXPECT_EQ(gpuNames().in("MI325X and MI300X").size(), 2u);
  EXPECT_EQ(gpuNames().find("H1000"), "");
}

}  // namespace
}  // namespace unwarp::cost::money
