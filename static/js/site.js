// What every page does by itself: the menu, the theme, copying, notices. Everything works without it.
"use strict";
(() => {
  const root = document.documentElement;

  // ---- menu: one open at a time; Escape and a press outside close it, focus goes back to its button
  const menus = () => document.querySelectorAll("details[data-menu][open]");
  document.addEventListener("click", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // ---- theme: at once, without leaving the page and what is typed on it
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-theme-form]") || !event.submitter) return;
    event.preventDefault();
    const theme = event.submitter.value;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax${secure}`;
    for (const button of form.querySelectorAll("[name=theme]")) button.setAttribute("aria-pressed", String(button === event.submitter));
  });

  // ---- toasts: a short word at the foot of the page; `takubiyori:toast` may be sent by the server (HX-Trigger)
  const toast = (text) => {
    const box = document.getElementById("toasts");
    if (!box || !text) return;
    const note = document.createElement("p");
    note.className = "toast";
    note.textContent = text;
    box.append(note);
    setTimeout(() => note.remove(), 6000);
  };
  document.addEventListener("takubiyori:toast", (event) => toast(event.detail.text || event.detail.value));

  // ---- copying a link: button[data-copy="id of the input"]; says so in words
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    if (!field) return;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Plain http in a home network has no clipboard API: select the text and use the old way.
      field.focus();
      field.select();
      document.execCommand("copy");
    }
    toast(button.dataset.copied);
  });

  // ---- addresses written as paths become whole ones, so that they can be copied
  const makeWhole = (scope) => {
    for (const field of scope.querySelectorAll("input[data-absolute]")) {
      if (field.value.startsWith("/")) field.value = new URL(field.value, location.href).href;
    }
  };
  makeWhole(document);
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === Node.ELEMENT_NODE) makeWhole(node);
  }).observe(document.body, { childList: true, subtree: true });

  // ---- a search that narrows while typing: input[data-filter="selector of the rows"], rows have data-words
  const narrow = (field) => {
    const wanted = field.value.trim().toLowerCase();
    let found = 0;
    for (const row of document.querySelectorAll(field.dataset.filter)) {
      row.hidden = !row.dataset.words.includes(wanted);
      if (!row.hidden) found += 1;
    }
    for (const group of document.querySelectorAll("[data-filter-group]")) group.hidden = !group.querySelector(`${field.dataset.filter}:not([hidden])`);
    const none = document.querySelector("[data-filter-none]");
    if (none) none.hidden = found > 0;
  };
  document.addEventListener("input", (event) => {
    if (event.target.matches("input[data-filter]")) narrow(event.target);
  });

  // ---- dock: the part of the page one is looking at is marked
  let marking = 0;
  const markPart = () => {
    marking = 0;
    const links = Array.from(document.querySelectorAll(".dock[data-follow] a[href^='#']"));
    const end = innerHeight + scrollY >= root.scrollHeight - 2;
    const seen = links.filter((link) => (document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top ?? Infinity) <= innerHeight * (end ? 1 : 0.4));
    const here = seen[seen.length - 1] || links[0];
    for (const link of links) {
      if (link !== here) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) link.setAttribute("aria-current", "true");
    }
  };
  const soon = () => (marking ||= requestAnimationFrame(markPart));
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  document.addEventListener("takubiyori:placed", soon);

  // ---- what htmx could not do is said, never swallowed
  document.addEventListener("htmx:sendError", () => toast(document.body.dataset.offline));
  document.addEventListener("htmx:responseError", () => toast(document.body.dataset.failed));
  document.addEventListener("htmx:beforeRequest", (event) => event.detail.elt.querySelector?.("[type=submit], button:not([type])")?.setAttribute("aria-busy", "true"));
  document.addEventListener("htmx:afterRequest", (event) => event.detail.elt.querySelector?.("[aria-busy]")?.removeAttribute("aria-busy"));
})();
