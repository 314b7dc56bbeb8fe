"use strict";
(() => {
  const root = document.documentElement;
  const theme = document.getElementById("theme");
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  name();
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name(); });

  const sorted = (table, place, down) => {
    const body = table.tBodies[0];
    const key = (row) => row.cells[place].dataset.sort;
    const numeric = [...body.rows].every((row) => key(row) === "" || !Number.isNaN(Number(key(row))));
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      const order = numeric ? Number(x) - Number(y) : x.localeCompare(y);
      return down ? -order : order;
    });
    body.append(...rows);
  };
  const written = (cell) => {
    const text = cell.dataset.sort;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  for (const table of document.querySelectorAll("table")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending"
          || (!head.hasAttribute("aria-sort") && !head.classList.contains("words"));
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sorted(table, place, down);
      });
    });
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy as CSV";
    copy.addEventListener("click", async () => {
      const lines = [heads.map((head) => head.textContent).join(",")];
      for (const row of table.tBodies[0].rows) lines.push([...row.cells].map(written).join(","));
      const text = lines.join("\n") + "\n";
      copy.dataset.copied = text;
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        copy.textContent = document.execCommand("copy") ? "Copied" : "Not copied";
        area.remove();
      }
      setTimeout(() => { copy.textContent = "Copy as CSV"; }, 2000);
    });
    table.closest(".table").append(copy);
  }

  const links = new Map([...document.querySelectorAll(".contents a")].map((link) =>
    [link.getAttribute("href").slice(1), link]));
  const seen = new Set();
  const mark = () => {
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id === first) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) seen.add(entry.target.id); else seen.delete(entry.target.id);
    }
    mark();
  }, { rootMargin: "0px 0px -60% 0px" });
  for (const id of links.keys()) watch.observe(document.getElementById(id));
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".contents details").open = false;
})();
