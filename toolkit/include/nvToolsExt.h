/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Annotations for profilers (NVTX), in C. As the documentation says of a program that no tool is attached to, they have
 * no effect, and pushes and pops tell that nobody counts. No tool can attach to this toolkit yet. The same definitions
 * make libnvToolsExt (nvtx.c), for programs that link one. */
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING (-2)

#ifndef UW_NVTX_LINKAGE
#define UW_NVTX_LINKAGE static inline
#endif

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration* nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#ifdef __cplusplus
extern "C" {
#endif

#define UW_NVTX_NOTHING(name, ...) \
  UW_NVTX_LINKAGE void name(__VA_ARGS__) {}
#define UW_NVTX_GIVES(type, value, name, ...) \
  UW_NVTX_LINKAGE type name(__VA_ARGS__) { return value; }

UW_NVTX_NOTHING(nvtxInitialize, const void* reserved)
UW_NVTX_NOTHING(nvtxMarkEx, const nvtxEventAttributes_t* event)
UW_NVTX_NOTHING(nvtxMarkA, const char* message)
UW_NVTX_NOTHING(nvtxMarkW, const wchar_t* message)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, const nvtxEventAttributes_t* event)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, const char* message)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, const wchar_t* message)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, void)
UW_NVTX_GIVES(nvtxRangeId_t, 0, nvtxRangeStartEx, const nvtxEventAttributes_t* event)
UW_NVTX_GIVES(nvtxRangeId_t, 0, nvtxRangeStartA, const char* message)
UW_NVTX_GIVES(nvtxRangeId_t, 0, nvtxRangeStartW, const wchar_t* message)
UW_NVTX_NOTHING(nvtxRangeEnd, nvtxRangeId_t id)
UW_NVTX_NOTHING(nvtxNameCategoryA, uint32_t category, const char* name)
UW_NVTX_NOTHING(nvtxNameCategoryW, uint32_t category, const wchar_t* name)
UW_NVTX_NOTHING(nvtxNameOsThreadA, uint32_t thread, const char* name)
UW_NVTX_NOTHING(nvtxNameOsThreadW, uint32_t thread, const wchar_t* name)
UW_NVTX_GIVES(nvtxDomainHandle_t, 0, nvtxDomainCreateA, const char* name)
UW_NVTX_GIVES(nvtxDomainHandle_t, 0, nvtxDomainCreateW, const wchar_t* name)
UW_NVTX_NOTHING(nvtxDomainDestroy, nvtxDomainHandle_t domain)
UW_NVTX_NOTHING(nvtxDomainMarkEx, nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, nvtxDomainHandle_t domain,
              const nvtxEventAttributes_t* event)
UW_NVTX_GIVES(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, nvtxDomainHandle_t domain)
UW_NVTX_GIVES(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event)
UW_NVTX_NOTHING(nvtxDomainRangeEnd, nvtxDomainHandle_t domain, nvtxRangeId_t id)
UW_NVTX_GIVES(nvtxStringHandle_t, 0, nvtxDomainRegisterStringA, nvtxDomainHandle_t domain, const char* text)
UW_NVTX_GIVES(nvtxStringHandle_t, 0, nvtxDomainRegisterStringW, nvtxDomainHandle_t domain, const wchar_t* text)

#undef UW_NVTX_NOTHING
#undef UW_NVTX_GIVES

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#endif
