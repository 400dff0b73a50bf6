// The table: forms that open over the page, presses that leave their form clean, the log's pill, the dock's counts.
// Everything works without it: links lead to the page with the form, forms post and come back.
"use strict";
(() => {
  const sheet = document.getElementById("sheet");
  const box = document.getElementById("sheet-do");
  const title = document.title;

  // ---- a form that was asked for opens over the page; what happens behind goes on
  let opener = null;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.matches("[data-form]")) opener = event.detail.elt.closest("dialog") ? opener : event.detail.elt;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== box || event.detail.xhr.status < 400) return;
    event.detail.shouldSwap = false; // what it was about is not there any more
    document.dispatchEvent(new CustomEvent("takubiyori:toast", { detail: { text: sheet.dataset.gone } }));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== box) return;
    if (!sheet.open) sheet.showModal();
    box.scrollTop = 0;
    box.querySelector("h2")?.focus({ preventScroll: true });
  });
  const shut = () => {
    if (!sheet.open) return;
    sheet.close();
  };
  sheet?.addEventListener("close", () => {
    box.replaceChildren();
    const again = opener && (opener.isConnected ? opener : document.querySelector(`[data-form][href="${CSS.escape ? opener.getAttribute("href") : ""}"]`));
    opener = null;
    again?.focus({ preventScroll: true });
  });
  sheet?.addEventListener("click", (event) => {
    if (event.target === sheet || event.target.closest("[data-close]")) {
      event.preventDefault();
      shut();
    }
  });

  // ---- a press that worked: its form is as new, its refusal gone, the sheet closed
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!elt.matches?.("[data-press]") || !xhr) return;
    if (xhr.status < 200 || xhr.status >= 300) {
      elt.querySelector(".refusal [name=override]")?.focus();
      return;
    }
    elt.querySelector(".refusal")?.replaceChildren();
    const speaker = elt.elements.speaker?.value;
    elt.reset();
    if (speaker !== undefined && elt.elements.speaker) {
      // whose mouth one speaks with stays, as the form's own choice
      for (const option of elt.elements.speaker.options) option.defaultSelected = option.value === speaker;
      elt.elements.speaker.value = speaker;
    }
    const menu = elt.closest("details[data-menu]");
    if (menu) menu.open = false;
    if (sheet?.contains(elt)) shut();
  });
  // A button's own name and value belong to the press, also when the refusal's button sends the form again.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.matches("[data-press]")) event.detail.elt.querySelector(".refused")?.setAttribute("aria-busy", "true");
  });

  // ---- the log: somebody who reads older rows is not moved; a pill says what came
  const list = document.getElementById("log-list");
  const fresh = document.getElementById("log-fresh");
  let unread = 0;
  const away = () => list && (list.scrollTop > 40 || list.getBoundingClientRect().top < -40);
  const pill = () => {
    if (!fresh) return;
    fresh.hidden = unread === 0;
    fresh.textContent = fresh.dataset.text.replace("{n}", unread);
  };
  const rows = document.getElementById("log-rows");
  if (rows) {
    new MutationObserver((changes) => {
      let height = 0;
      for (const change of changes) {
        for (const node of change.addedNodes) {
          if (node.nodeType === Node.ELEMENT_NODE && node.dataset.new !== undefined && !change.removedNodes.length) {
            if (node.dataset.nudge !== undefined) called(node);
            height += node.offsetHeight;
            if (away()) unread += 1;
          }
        }
      }
      if (height && list.scrollTop > 40) list.scrollTop += height;
      pill();
    }).observe(rows, { childList: true });
    fresh?.addEventListener("click", () => {
      unread = 0;
      pill();
      list.scrollTop = 0;
      list.scrollIntoView({ block: "nearest" });
      list.focus({ preventScroll: true });
    });
    const seen = () => {
      if (unread && !away()) {
        unread = 0;
        pill();
      }
    };
    list.addEventListener("scroll", seen, { passive: true });
    addEventListener("scroll", seen, { passive: true });
  }

  // ---- somebody calls me: said at the foot of the page, in its title until it is looked at, and felt on a phone
  let call = "";
  const called = (row) => {
    const text = row.querySelector(".entry__fx")?.textContent ?? "";
    document.dispatchEvent(new CustomEvent("takubiyori:toast", { detail: { text } }));
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([120, 80, 120]);
    call = document.hidden ? text : "";
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !call) return;
    call = "";
    level();
  });

  // ---- what waits for me: counts in the dock, the page's title; the current turn is brought into view in its rail
  let waiting = 0;
  const count = () => {
    for (const badge of document.querySelectorAll("[data-count]")) {
      const n = document.querySelectorAll(badge.dataset.count).length;
      badge.textContent = n;
      badge.hidden = n === 0;
    }
    const now = document.querySelectorAll("[data-todo]").length;
    document.title = call ? `● ${call}　${title}` : now ? `● ${document.body.dataset.mine}　${title}` : title;
    if (now > waiting && document.hidden && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(120);
    waiting = now;
  };
  const inView = () => {
    const rail = document.getElementById("rail");
    const turn = rail?.querySelector("[aria-current]");
    if (!turn) return;
    const left = turn.offsetLeft - rail.offsetLeft;
    if (left < rail.scrollLeft || left + turn.offsetWidth > rail.scrollLeft + rail.clientWidth) rail.scrollLeft = Math.max(0, left - 12);
  };
  // ---- how long somebody has been asked
  const since = () => {
    for (const mark of document.querySelectorAll("[data-since]")) {
      const seconds = Math.max(0, Math.round((Date.now() - new Date(mark.dataset.since)) / 1000));
      mark.textContent = seconds < 60 ? `${seconds}″` : seconds < 3600 ? `${Math.floor(seconds / 60)}′` : "";
    }
  };
  // ---- how much of the patience with whoever is asked is used up
  const PATIENCE_MS = 90_000;
  const fill = () => {
    for (const bar of document.querySelectorAll("[data-fills-from]")) {
      if (bar.getAnimations().length) continue;
      const full = bar.animate([{ width: "0px" }, { width: "100px" }], { duration: PATIENCE_MS, fill: "forwards" });
      full.currentTime = Math.max(0, Date.now() - new Date(bar.dataset.fillsFrom));
    }
  };
  const level = () => {
    count();
    inView();
    since();
    fill();
  };
  document.addEventListener("takubiyori:live", () => setTimeout(level, 0));
  setInterval(since, 5000);
  setTimeout(level, 0);

  // ---- N: the next turn, for whoever may end it; never while typing
  addEventListener("keydown", (event) => {
    if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey || sheet?.open) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const button = document.querySelector("[data-key='n']");
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
})();
