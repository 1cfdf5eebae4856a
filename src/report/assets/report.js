// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting and filtering of tables that are complete without it. Nothing is fetched, stored or sent.
"use strict";
(() => {
  const key = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text.replaceAll(",", ""));
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });

  const sortable = (table) => {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const original = [...body.rows];
    if (original.length < 2) return;
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now === null ? "ascending" : now === "ascending" ? "descending" : null;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        let rows = original;
        if (next !== null) {
          head.setAttribute("aria-sort", next);
          const sign = next === "ascending" ? 1 : -1;
          rows = original.map((row) => [key(row, column), row]);
          rows.sort((a, b) => sign * compare(a[0], b[0]));
          rows = rows.map((pair) => pair[1]);
        }
        body.append(...rows);
      });
    });
  };

  const filterable = (section) => {
    const rows = [...section.querySelectorAll("table.data tbody tr")];
    if (rows.length < 6) return;
    const groups = [...section.querySelectorAll("details.rule")];
    const openAtFirst = groups.map((group) => group.open);
    const box = document.createElement("label");
    box.className = "filter";
    const input = document.createElement("input");
    input.type = "search";
    const state = document.createElement("span");
    state.setAttribute("role", "status");
    box.append("Filter ", input, state);
    section.querySelector("h2 + p").after(box);
    const words = rows.map((row) => {
      const group = row.closest("details.rule");
      const head = group === null ? "" : group.querySelector("summary").textContent;
      return (row.textContent + " " + head).toLowerCase();
    });
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
      let shown = 0;
      rows.forEach((row, i) => {
        row.hidden = !wanted.every((word) => words[i].includes(word));
        shown += row.hidden ? 0 : 1;
      });
      groups.forEach((group, i) => {
        const some = group.querySelector("tbody tr:not([hidden])") !== null;
        group.hidden = !some;
        group.open = wanted.length > 0 ? some : openAtFirst[i];
      });
      state.textContent = wanted.length > 0 ? shown + " of " + rows.length + " rows" : "";
    });
  };

  document.querySelectorAll("table.data").forEach(sortable);
  document.querySelectorAll("section.part").forEach(filterable);

  // On paper everything is open; afterwards the reader's choice comes back.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.rule:not([open])")];
    opened.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));
})();
