// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Escaping replaces the five characters that mean something in HTML text and quoted attributes; nothing else on the
// page is built from foreign text. Bars are drawn with integer per-mille widths so that every machine writes the same
// bytes, and a slice that is there is never thinner than the eye can see.
#include "report/html_parts.h"

#include <algorithm>

#include "report/wording.h"

namespace unwarp::report {
namespace {

constexpr std::size_t textColumns = 300, pathColumns = 72;

/// 123 as "12.3%".
std::string permille(std::uint64_t share) {
  return std::to_string(share / 10) + "." + std::to_string(share % 10) + "%";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Page& Page::text(std::string_view any) {
  return markup(escaped(clipped(printable(any), textColumns, "…")));
}

Page& Page::code(std::string_view any) {
  if (any.empty()) return *this;
  return markup("<code>").text(any).markup("</code>");
}

Page& Page::path(std::string_view any) {
  const std::string whole = printable(any);
  if (columnsOf(whole) <= pathColumns) return code(whole);
  markup("<code title=\"").markup(escaped(clippedInFront(whole, 1000, "…"))).markup("\">");
  return markup(escaped(clippedInFront(whole, pathColumns, "…"))).markup("</code>");
}

Page& Page::number(std::uint64_t number) {
  return markup(grouped(number));
}

Page& Page::status(Status status) {
  return markup("<span class=\"st ").markup(name(status)).markup("\">").markup(name(status)).markup("</span>");
}

Page& Page::severity(Severity severity) {
  return markup("<span class=\"sev ").markup(name(severity)).markup("\">").markup(name(severity)).markup("</span>");
}

Page& Page::bar(const std::uint64_t (&byStatus)[5]) {
  constexpr std::uint64_t thinnest = 12;  // per mille
  std::uint64_t sum = 0;
  for (const std::uint64_t count : byStatus) sum += count;
  if (sum == 0) return *this;
  std::uint64_t widths[5] = {}, used = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    if (byStatus[i] == 0) continue;
    const auto share = static_cast<std::uint64_t>(static_cast<double>(byStatus[i]) / static_cast<double>(sum) * 1000);
    used += widths[i] = std::max(thinnest, share);
  }
  // What the thin slices gained or rounding lost is settled with the widest.
  std::uint64_t& widest = *std::max_element(widths, widths + 5);
  widest = widest + 1000 - used;

  std::string label;
  for (std::size_t i = 0; i < 5; ++i)
    if (byStatus[i] > 0)
      label += (label.empty() ? "" : ", ") + std::string(statusNames[i]) + " " + grouped(byStatus[i]);
  markup("<svg class=\"bar\" width=\"100%\" height=\"14\" role=\"img\"><title>").markup(label).markup("</title>");
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    if (widths[i] == 0) continue;
    markup("<rect class=\"").markup(statusNames[i]).markup("\" x=\"").markup(permille(x));
    markup("\" width=\"").markup(permille(widths[i])).markup("\" height=\"14\"/>");
    x += widths[i];
  }
  return markup("</svg>");
}

void beginTable(Page& page, std::string_view caption, const std::vector<Column>& columns) {
  page.markup("<div class=\"scroll\"><table class=\"data\"><caption>").text(caption).markup("</caption><thead><tr>");
  for (const Column& column : columns)
    page.markup(column.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
        .markup(column.title)
        .markup("</th>");
  page.markup("</tr></thead><tbody>\n");
}

void endTable(Page& page) {
  page.markup("</tbody></table></div>\n");
}

void leftOut(Page& page, std::size_t count, std::string_view what) {
  if (count == 0) return;
  page.markup("<p class=\"quiet\">")
      .markup(counted(count, what))
      .markup(" more, folded here and complete in the JSON.</p>\n");
}

void beginSection(Page& page, std::string_view id, std::string_view heading, std::string_view lead) {
  page.markup("<section class=\"part\" id=\"").markup(id).markup("\" aria-labelledby=\"h-").markup(id);
  page.markup("\">\n<h2 id=\"h-").markup(id).markup("\">").markup(heading).markup("</h2>\n<p class=\"quiet\">");
  page.markup(lead).markup("</p>\n");
}

void endSection(Page& page) {
  page.markup("</section>\n");
}

}  // namespace unwarp::report
