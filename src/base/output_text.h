// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text from anywhere, made fit for an output that has a syntax of its own: a terminal obeys control characters, a table
// breaks at tabs, bars and line breaks, a spreadsheet computes what begins like a formula. What a file under audit or a
// manifest holds passes through here before it is printed; JSON has its own writer.
#pragma once

#include <string>
#include <string_view>

namespace unwarp {

/// Valid UTF-8 on one line without control characters (they become \xNN), so that a hostile path cannot drive a
/// terminal.
std::string printable(std::string_view text);
/// Columns on a terminal: one per code point (wide and combining characters are not told apart).
std::size_t columnsOf(std::string_view text);
/// At most `columns` columns; a cut text ends in `ellipsis`.
std::string clipped(std::string_view text, std::size_t columns, std::string_view ellipsis);
/// The same, cut in front: the end of a path says more than its start.
std::string clippedInFront(std::string_view text, std::size_t columns, std::string_view ellipsis);
/// A cell of a Markdown table: printable, and a bar does not end it.
std::string markdownCell(std::string_view text);
/// A cell of RFC 4180: in quotes, which are doubled, where it must be.
std::string csvCell(std::string_view text);
/// Whether a spreadsheet would take it for a formula.
bool isFormula(std::string_view text);
/// The cell of a text that others wrote: a blank stands in front of what a spreadsheet would compute.
std::string csvCellOf(std::string_view untrusted);

}  // namespace unwarp
