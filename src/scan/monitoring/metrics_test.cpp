// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metric names in queries of several languages.
#include "scan/monitoring/metrics.h"

#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

class Metrics : public DeployTest {
 protected:
  static Sites metrics(std::string_view query) {
    FileFacts facts;
    addMetrics(ReadContext{table()}, query, 7, facts);
    return sites(facts);
  }
};

TEST_F(Metrics, NamesAreFoundOncePerLine) {
  EXPECT_EQ(metrics("sum by (gpu) (rate(DCGM_FI_DEV_GPU_UTIL[5m])) / DCGM_FI_DEV_GPU_UTIL"), (Sites{"7 metric-dcgm"}));
}

TEST_F(Metrics, LabelValuesAreNone) {
  EXPECT_EQ(metrics("up{job=\"DCGM_FI_DEV_GPU_UTIL\", x='DCGM_FI_A'}"), Sites{});
  EXPECT_EQ(metrics("{__name__=~\"DCGM_FI_.*\"}"), (Sites{"7 metric-dcgm"}));
}

TEST_F(Metrics, TheResourceNameOfTheClusterIsOne) {
  EXPECT_EQ(metrics("kube_pod_container_resource_requests{resource=\"nvidia_com_gpu\"}"), (Sites{"7 k8s-gpu"}));
}

TEST_F(Metrics, SurviveBrokenQueries) {
  metrics("\"");
  metrics("a{b=\"\\");
}

}  // namespace
}  // namespace unwarp::scan
