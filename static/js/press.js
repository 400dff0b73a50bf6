// Every press of a button counts once: forms get their token and a fresh command id per press, a second press waits for
// the answer to the first, and a press that was never answered keeps its id, so that trying again cannot do it twice.
// Without this script forms work with the ids the page was rendered with.
"use strict";
(() => {
  const RELEASE_MS = 8000; // a press that leads to no new page (a download) frees its form again

  const token = () => {
    const fields = document.querySelectorAll("#cmd [name=csrfmiddlewaretoken], [name=csrfmiddlewaretoken]");
    return Array.from(fields, (field) => field.value).find(Boolean) || "";
  };
  // Not randomUUID: that exists on https only, and a table in a home network is plain http.
  const freshId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  const posts = (form) => form.method === "post" || form.matches("[hx-post], [hx-put], [hx-delete]");
  const release = (form) => delete form.dataset.busy;

  addEventListener("submit", (event) => {
    const form = event.target;
    if (!posts(form)) return;
    if (form.dataset.busy !== undefined) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    for (const field of form.elements) {
      if (field.name === "csrfmiddlewaretoken" && !field.value) field.value = token();
      if (field.name === "command_id" && (!field.value || form.dataset.unanswered === undefined)) field.value = freshId();
    }
    delete form.dataset.unanswered;
  }, true);

  // Last in line: by now every script that sends the form by itself has said so.
  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !posts(form)) return;
    form.dataset.busy = "";
    setTimeout(release, RELEASE_MS, form);
  });
  addEventListener("pageshow", () => document.querySelectorAll("form[data-busy]").forEach(release));

  // htmx: the form is busy until its answer; a button that posts by itself gets the same fields.
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb, parameters } = event.detail;
    if (verb === "get") return;
    if (!parameters.csrfmiddlewaretoken) parameters.csrfmiddlewaretoken = token();
    if (!elt.closest("form") && !parameters.command_id) parameters.command_id = freshId();
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.matches("form")) event.detail.elt.dataset.busy = "";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!elt.matches("form")) return;
    release(elt);
    if (!xhr || xhr.status === 0 || xhr.status >= 500) elt.dataset.unanswered = "";
  });

  // ---- times: <time datetime="…Z"> says the reader's own time
  const lang = document.documentElement.lang || "ja";
  const shown = (options) => new Intl.DateTimeFormat(lang, options);
  const time = { hour: "2-digit", minute: "2-digit" };
  const day = { month: lang === "ja" ? "numeric" : "short", day: "numeric" };  // 11/29 or 29/11? A name is clear
  const localise = (root) => {
    const now = new Date();
    for (const element of root.querySelectorAll("time[datetime*=T]")) {
      const at = new Date(element.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const sameYear = at.getFullYear() === now.getFullYear();
      const today = sameYear && at.toDateString() === now.toDateString();
      const date = sameYear ? day : { year: "numeric", ...day };
      const wanted = { date, time, full: { ...date, ...time } }[element.dataset.local] || (today ? time : { ...date, ...time });
      element.textContent = shown(wanted).format(at);
      if (!element.title) element.title = shown({ dateStyle: "full", timeStyle: "short" }).format(at);
    }
  };
  const inside = (node) => (node.querySelectorAll ? localise(node) : undefined);
  inside(document);
  document.addEventListener("takubiyori:placed", (event) => inside(event.target));
  document.addEventListener("htmx:load", (event) => inside(event.detail.elt));
})();
