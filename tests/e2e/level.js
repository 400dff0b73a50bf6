// Put on every page of a test before its own scripts: is the page level with what the server draws now? And what a
// browser says of itself that no other way tells.
"use strict";
(() => {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
  });

  // ---- two drawings of the same thing, without what differs and means nothing
  const MARKS = ["data-new", "data-prepend", "data-append", "data-after", "data-online", "data-hides", "data-busy", "aria-busy"];
  const STATES = ["htmx-request", "htmx-settling", "htmx-swapping", "htmx-added"];
  const plain = (node) => {
    for (const name of MARKS) node.removeAttribute(name);
    for (const name of STATES) node.classList.remove(name);
    if (!node.getAttribute("class")) node.removeAttribute("class");
    if (node.matches("details")) node.removeAttribute("open"); // each reader's own
    if (node.matches("time, [data-since]")) node.replaceChildren(), node.removeAttribute("title"); // runs on by itself
    if (node.matches("[name=csrfmiddlewaretoken], [name=command_id]")) node.removeAttribute("value");
    if (node.matches("[data-presence], [data-count], #log-fresh")) node.removeAttribute("hidden"); // the browser's own
    if (node.matches("[data-count], #log-fresh, .refusal, #do, #sheet-do")) node.replaceChildren();
    if (node.matches("[name=speaker] option")) node.removeAttribute("selected"); // who speaks stays chosen
    if (node.matches("#sheet")) node.removeAttribute("open");
  };
  const markup = (node) => node?.outerHTML.replace(/\s+/g, " ").replace(/(?<=[>\]]) (?=[<[])/g, "");
  // A page drawn afresh begins the log with its newest rows; one that is followed keeps those before them.
  const number = (row) => parseInt(row.id.split("-")[1], 10);
  const oldest = (doc) => doc.querySelector(".log__more") ? Math.min(...[...doc.querySelectorAll("#log-rows > li")].map(number)) : 0;
  // Name -> markup: each live panel, each row of the log, and the page around them in which they are but named.
  const parts = (doc, first) => {
    const found = {};
    const copy = doc.body.cloneNode(true);
    for (const row of copy.querySelectorAll("#log-rows > li")) if (number(row) < first) row.remove();
    copy.querySelector(".log__more")?.remove();
    for (const node of copy.querySelectorAll("*")) plain(node);
    for (const node of copy.querySelectorAll("[data-live], #log-rows > li")) {
      found[node.id] = markup(node);
      node.replaceWith(`[${node.id}]`);
    }
    for (const name of [".band", "main", ".dock"]) found[name] = markup(copy.querySelector(name));
    return found;
  };
  const differences = (here, there) => Object.keys({ ...here, ...there }).filter((name) => here[name] !== there[name]);
  const soon = (ms) => new Promise((done) => setTimeout(done, ms));

  // Resolves to what differs still after `patience` ms, which of these words are on the page or came with it, and by
  // how many px something is wider than the window.
  const level = async (words, patience) => {
    const deadline = performance.now() + patience;
    let wrong, here, there, text;
    do {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      const first = oldest(fresh);
      there = parts(fresh, first);
      for (let n = 0; n < 20; n++) {
        here = parts(document, first);
        wrong = differences(here, there);
        if (!wrong.length) break;
        await soon(50);
      }
    } while (wrong.length && performance.now() < deadline);
    const root = document.documentElement;
    return {
      wrong: wrong.map((name) => [name, here[name] || "", there[name] || ""]),
      words: words.filter((word) => text.includes(word) || root.outerHTML.includes(word)),
      over: root.scrollWidth - root.clientWidth,
    };
  };
  window.takubiyoriTest = { level };
})();
