// The draft saves itself, field by field. Each control carries what the page was made from (data-base, the stored value
// as JSON; data-was, the same as text). Only fields whose text differs are sent, with their base, so that two people
// editing different fields never meet, and the same field shows both versions. What is typed is kept on this device
// until the server has it. A control in use or not yet saved is never overwritten.
"use strict";
(() => {
  const form = document.getElementById("build");
  if (!form) return;

  const words = form.dataset;
  const store = `takubiyori:draft:${words.slug}`;
  const status = () => document.getElementById("saved");
  const TYPING = 700, STEPPING = 250, RETRIES = [1500, 3000, 6000, 12000, 30000];

  // ---- controls by field key -------------------------------------------------------------------------------------
  const isControl = (node) => node.nodeType === 1 && node.dataset.base !== undefined && "form" in node;
  const keyOf = (control) => control.name.slice(2);
  const controls = () => Array.from(form.elements).filter(isControl);
  const controlsOf = (key) => controls().filter((control) => keyOf(control) === key);

  const textOf = (control) => {
    if (control.type === "checkbox") return control.checked ? control.value : "";
    if (control.type !== "radio") return control.value;
    const chosen = controlsOf(keyOf(control)).find((one) => one.checked);
    return chosen ? chosen.value : "";
  };
  const put = (control, text) => {
    if (control.type === "checkbox") control.checked = text !== "";
    else if (control.type === "radio") control.checked = control.value === text;
    else control.value = text;
  };
  const undecided = (key) => document.querySelector(`[data-conflict="${CSS.escape(key)}"]`) !== null;
  const dirty = () => {
    const found = new Map();
    for (const control of controls()) {
      const text = textOf(control);
      if (text !== control.dataset.was) found.set(keyOf(control), { text, base: control.dataset.base });
    }
    return found;
  };

  // ---- the copy on this device -------------------------------------------------------------------------------------
  const keep = () => {
    const entries = {};
    for (const [key, { text, base }] of dirty()) entries[key] = { text, base };
    try {
      if (Object.keys(entries).length) localStorage.setItem(store, JSON.stringify(entries));
      else localStorage.removeItem(store);
    } catch {
      // A full or forbidden storage only costs the copy; the page itself still holds what was typed.
    }
  };
  const restore = () => {
    let entries = {};
    try {
      entries = JSON.parse(localStorage.getItem(store) || "{}");
    } catch {
      return false;
    }
    let any = false;
    for (const [key, entry] of Object.entries(entries)) {
      for (const control of controlsOf(key)) {
        if (textOf(control) === entry.text || control.dataset.was === entry.text) continue;
        control.dataset.base = entry.base; // what it was typed over: the server then merges or shows both
        put(control, entry.text);
        any = true;
      }
    }
    return any;
  };

  // ---- what the bar says ---------------------------------------------------------------------------------------------
  const say = (state, text) => {
    const box = status();
    if (!box) return;
    if (box.textContent !== text) box.textContent = text;
    if (state) box.dataset.state = state;
    else delete box.dataset.state;
  };
  const report = () => {
    const waiting = dirty().size;
    if (trouble) say("lost", trouble + (waiting ? words.unsaved.replace("%s", waiting) : ""));
    else if (sending) say("busy", words.saving);
    else if (waiting) say("busy", words.unsaved.replace("%s", waiting));
    else say("", words.saved);
  };

  // ---- bringing the page level with what the server answered ------------------------------------------------------------
  const idOf = (node) => (node.nodeType === 1 ? node.id : "");
  const morphControl = (old, fresh, sent) => {
    const key = keyOf(old);
    for (const { name, value } of Array.from(fresh.attributes)) {
      if (!["value", "checked", "data-base", "data-was"].includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of Array.from(old.attributes)) {
      if (!["value", "checked", "data-base", "data-was"].includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    if (old.tagName === "SELECT" && old !== document.activeElement) syncOptions(old, fresh);
    const text = textOf(old);
    const inUse = old === document.activeElement && !["radio", "checkbox"].includes(old.type);
    const wasSent = sent.has(key);
    const changedSince = text !== old.dataset.was && !(wasSent && sent.get(key) === text);
    // In use or changed here, and not part of this answer: leave it with the base it was made from, so that the server
    // can tell what happened meanwhile. It is brought level when it is left.
    if (!wasSent && (inUse || changedSince)) {
      behind = behind || fresh.dataset.was !== old.dataset.was;
      return;
    }
    old.dataset.base = fresh.dataset.base;
    old.dataset.was = fresh.dataset.was;
    if (changedSince || fresh.dataset.kept !== undefined) return;
    const next = old.type === "checkbox" || old.type === "radio" ? fresh.checked : fresh.value;
    if (inUse) return;
    if (old.type === "checkbox" || old.type === "radio") old.checked = next;
    else old.value = next;
  };
  const syncOptions = (old, fresh) => {
    const chosen = old.value;
    if (old.innerHTML !== fresh.innerHTML) {
      old.replaceChildren(...Array.from(fresh.cloneNode(true).childNodes));
      old.value = chosen;
    }
  };
  const mustStay = (node) => {
    if (node.nodeType !== 1) return false;
    if (node.matches("[data-conflict], [data-js]")) return true;
    const inside = isControl(node) ? [node] : Array.from(node.querySelectorAll("[data-base]"));
    return inside.some((one) => one === document.activeElement || textOf(one) !== one.dataset.was);
  };
  const morph = (old, fresh, sent) => {
    if (old.nodeType === 3) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    if (old.nodeType !== 1) return;
    if (isControl(old)) {
      morphControl(old, fresh, sent);
      return;
    }
    if (old.matches("input, textarea, select")) { // a text beside the draft: its owner is typing, only what is said about it changes
      for (const name of ["aria-invalid", "aria-describedby"]) {
        if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
        else old.removeAttribute(name);
      }
      return;
    }
    const own = (name) => name === "open" || name === "aria-busy" || (name === "hidden" && (old.dataset.js !== undefined || old.dataset.nojs !== undefined));
    for (const { name, value } of Array.from(fresh.attributes)) {
      if (!own(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of Array.from(old.attributes)) {
      if (!own(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    morphChildren(old, fresh, sent);
  };
  const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && idOf(a) === idOf(b);
  const morphChildren = (old, fresh, sent) => {
    const wanted = new Set(Array.from(fresh.childNodes, idOf).filter(Boolean));
    let at = old.firstChild;
    for (const next of Array.from(fresh.childNodes)) {
      while (at && !alike(at, next) && ((idOf(at) && !wanted.has(idOf(at))) || mustStay(at))) {
        const gone = at;
        at = at.nextSibling;
        if (!mustStay(gone)) gone.remove();
      }
      if (at && alike(at, next)) {
        morph(at, next, sent);
        at = at.nextSibling;
        continue;
      }
      const later = idOf(next) && Array.from(old.children).find((child) => child.id === idOf(next));
      if (later) {
        old.insertBefore(later, at);
        morph(later, next, sent);
      } else old.insertBefore(document.importNode(next, true), at);
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      if (!mustStay(gone)) gone.remove();
    }
  };
  let behind = false; // some control was left as it was although the server has something newer
  const bring = (html, sent) => {
    const answer = new DOMParser().parseFromString(html, "text/html");
    for (const fresh of Array.from(answer.body.children)) {
      fresh.removeAttribute("hx-swap-oob");
      const old = fresh.id && document.getElementById(fresh.id);
      if (old) morph(old, fresh, sent);
    }
    document.body.dispatchEvent(new CustomEvent("takubiyori:placed", { bubbles: true }));
    filter();
  };

  // ---- saving: one request at a time; an unanswered one is repeated as it was ------------------------------------------------
  let sending = false, trouble = "", attempt = 0, timer = 0, stuck = null, lastSent = new Map();

  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const token = () => document.querySelector("#cmd [name=csrfmiddlewaretoken], #build [name=csrfmiddlewaretoken]")?.value || "";
  const request = (url, fields, extra = []) => {
    const body = new URLSearchParams();
    const base = {};
    for (const [key, entry] of fields) {
      body.append(`f.${key}`, entry.text);
      base[key] = JSON.parse(entry.base);
    }
    for (const [name, value] of extra) {
      body.append(name, value);
      if (name !== "fix") continue;
      // What a button sets is compared with what its page shows there; a field the page does not hold yet is empty.
      for (const key of Object.keys(JSON.parse(value))) base[key] = JSON.parse(controlsOf(key)[0]?.dataset.base ?? "null");
    }
    body.append("base", JSON.stringify(base));
    body.append("seen", form.dataset.version);
    body.append("command_id", newId());
    return { url, body, sent: new Map(Array.from(fields, ([key, entry]) => [key, entry.text])) };
  };
  const plan = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  };
  const send = async (wish) => {
    sending = true;
    report();
    let response = null;
    try {
      wish.body.set("csrfmiddlewaretoken", token());
      response = await fetch(wish.url, { method: "POST", body: wish.body, headers: { "HX-Request": "true" }, credentials: "same-origin", redirect: "follow" });
    } catch {
      response = null;
    }
    sending = false;
    const answered = response && response.headers.get("X-Builder");
    if (answered) {
      stuck = null;
      attempt = 0;
      trouble = "";
      lastSent = wish.sent;
      drawn(response);
      bring(await response.text(), wish.sent);
      // Only what the press has used: a note for the next version outlives a roll of the dice.
      const used = (response.headers.get("X-Builder-Used") || "").split(" ");
      for (const field of form.elements) if (field.dataset.clear !== undefined && used.includes(field.name)) field.value = "";
      const said = response.headers.get("X-Builder-Said");
      if (said) document.dispatchEvent(new CustomEvent("takubiyori:toast", { detail: { text: decodeURIComponent(said) } }));
      keep();
      report();
      if (again()) plan(STEPPING);
      return response.ok;
    }
    if (response && response.status < 500 && response.status !== 408 && response.status !== 429) {
      // Refused for good (signed out, removed, deleted): do not hammer; everything stays on this page and this device.
      stuck = null;
      trouble = response.status === 404 ? words.gone : response.status === 403 || response.redirected ? words.signedout : words.refused;
      keep();
      report();
      return false;
    }
    stuck = wish;
    trouble = words.offline;
    keep();
    report();
    clearTimeout(timer);
    timer = setTimeout(save, RETRIES[Math.min(attempt++, RETRIES.length - 1)]);
    return false;
  };
  const pending = () => new Map(Array.from(dirty()).filter(([key]) => !undecided(key)));
  // Something typed while the answer was on its way; what the server just refused to change is not sent again unasked.
  const again = () => Array.from(pending()).some(([key, entry]) => lastSent.get(key) !== entry.text);
  const save = async () => {
    clearTimeout(timer);
    if (sending) return;
    if (stuck) {
      await send(stuck);
      return;
    }
    const fields = pending();
    if (fields.size) await send(request(form.dataset.save, fields));
    else report();
  };
  const act = async (url, extra) => {
    clearTimeout(timer);
    while (sending) await new Promise((done) => setTimeout(done, 60));
    if (stuck && !(await send(stuck))) return;
    await send(request(url, pending(), extra));
  };
  let seq = Number(document.body.dataset.seq) || 0, level = Date.now();
  const drawn = (response) => {
    seq = Math.max(seq, Number(response.headers.get("X-Builder-Seq")) || 0);
    level = Date.now();
  };
  const refresh = async () => {
    if (sending || stuck) return;
    try {
      const since = behind ? "" : `&version=${form.dataset.version}&seq=${seq}`;
      behind = false;
      const response = await fetch(form.dataset.parts + since, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
      if (response.status === 204) level = Date.now();
      else if (response.ok && response.headers.get("X-Builder") && !sending) {
        drawn(response);
        bring(await response.text(), new Map());
      }
      report();
    } catch {
      // The stream says when the connection is back; typing is saved by its own retries.
    }
  };

  // ---- what a person does ------------------------------------------------------------------------------------------------------
  document.addEventListener("input", (event) => {
    if (!isControl(event.target)) return;
    keep();
    lastSent.delete(keyOf(event.target));
    if (!trouble || stuck) plan(["radio", "checkbox"].includes(event.target.type) ? 0 : TYPING);
    report();
  });
  document.addEventListener("change", (event) => {
    if (!isControl(event.target)) return;
    keep();
    if (!trouble) plan(0);
    else if (!stuck) {
      trouble = "";
      plan(0);
    }
  });

  const step = (button) => {
    const control = document.getElementById(button.dataset.for);
    if (!control || control.disabled) return;
    const low = Number(control.dataset.min), high = Number(control.dataset.max), by = Number(button.dataset.step);
    const now = control.value.trim() === "" ? null : Number(control.value);
    let next = now === null || Number.isNaN(now) ? (by > 0 ? low : null) : now + by;
    if (next !== null && next < low) next = control.dataset.optional !== undefined ? null : low;
    if (next !== null && next > high) next = high;
    control.value = next === null ? "" : String(next);
    lastSent.delete(keyOf(control));
    keep();
    trouble = stuck ? trouble : "";
    plan(STEPPING);
    report();
  };
  const settle = (button, mine) => {
    const box = button.closest("[data-conflict]");
    const key = box.dataset.conflict;
    box.remove();
    const found = controlsOf(key);
    if (!mine) for (const control of found) put(control, control.dataset.was);
    if (found[0]) found[0].focus();
    lastSent.delete(key);
    keep();
    plan(0);
    report();
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.step) {
      event.preventDefault();
      step(button);
    } else if (button.dataset.settle) {
      event.preventDefault();
      settle(button, button.dataset.settle === "mine");
    }
  });
  form.addEventListener("submit", (event) => {
    const pressed = event.submitter;
    // Buttons that leave the page go their own way once everything typed is saved.
    event.preventDefault();
    if (pressed?.getAttribute("aria-busy") || pressed?.getAttribute("aria-disabled") === "true") return;
    const extra = pressed && pressed.name ? [[pressed.name, pressed.value]] : [];
    for (const field of form.elements) {
      if (field.name && field.dataset.base === undefined && field.dataset.along !== undefined && !field.disabled) extra.push([field.name, field.value]);
    }
    if (pressed) pressed.setAttribute("aria-busy", "true");
    act(pressed && pressed.hasAttribute("formaction") ? pressed.formAction : form.dataset.save, extra).finally(() => pressed && pressed.removeAttribute("aria-busy"));
  });
  // Small forms beside the draft (an offer, a remark) are sent in place and the page brought level.
  document.addEventListener("submit", async (event) => {
    const small = event.target;
    if (!small.matches("form[data-inplace]") || event.defaultPrevented) return;
    event.preventDefault();
    const pressed = event.submitter;
    if (pressed?.getAttribute("aria-busy")) return;
    const body = new FormData(small, pressed);
    body.set("csrfmiddlewaretoken", token());
    body.set("command_id", newId());
    if (pressed) pressed.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(pressed?.hasAttribute("formaction") ? pressed.formAction : small.action, { method: "POST", body: new URLSearchParams(body), headers: { Accept: "text/html", "X-In-Place": "true" }, credentials: "same-origin" });
      if (!response.ok) throw new Error(String(response.status));
      for (const field of small.querySelectorAll("[data-clear]")) field.value = "";
      await refresh();
    } catch {
      HTMLFormElement.prototype.submit.call(small); // the ordinary way shows the server's own words
    } finally {
      if (pressed) pressed.removeAttribute("aria-busy");
    }
  });

  // ---- looking for a skill -------------------------------------------------------------------------------------------------------
  const fold = (text) => text.normalize("NFKC").toLowerCase().replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  const filter = () => {
    const box = document.getElementById("q");
    if (!box) return;
    const wanted = fold(box.value.trim());
    const table = document.getElementById(box.dataset.table);
    table.toggleAttribute("data-searching", wanted !== "");
    let hits = 0;
    for (const row of table.querySelectorAll("[data-find]")) {
      const hit = wanted !== "" && fold(row.dataset.find).includes(wanted);
      row.toggleAttribute("data-hit", hit);
      hits += hit ? 1 : 0;
    }
    const none = document.getElementById("q-none");
    if (none) none.hidden = wanted === "" || hits > 0;
  };
  document.addEventListener("input", (event) => {
    if (event.target.id === "q") filter();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id === "q" && event.key === "Enter") event.preventDefault();
    // Arrow keys on a number do what its two buttons do.
    if (event.target.matches?.(".step input") && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const buttons = event.target.closest(".step").querySelectorAll("button");
      event.preventDefault();
      step(buttons[event.key === "ArrowUp" ? 1 : 0]);
    }
  });

  // ---- leading to a field: open what hides it, show it, put the cursor in it ---------------------------------------------------------
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-field]");
    if (!link) return;
    const target = document.getElementById(link.dataset.field);
    if (!target) return;
    event.preventDefault();
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    const all = document.querySelector("[data-view-all]");
    if (target.closest("tr:not([data-taken])") && all) all.checked = true;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  });

  // ---- a GM's remark is about the field looked at last, unless another one was chosen --------------------------------------------------
  const topic = () => document.querySelector("[name=remark_field]");
  document.addEventListener("focusin", (event) => {
    const choice = topic();
    if (!choice || !isControl(event.target) || choice.dataset.chosen !== undefined) return;
    const key = keyOf(event.target);
    if (!Array.from(choice.options).some((option) => option.value === key)) {
      const words = event.target.getAttribute("aria-label") || event.target.labels?.[0]?.textContent.trim() || key;
      choice.add(new Option(words, key));
    }
    choice.value = key;
  });
  document.addEventListener("change", (event) => {
    if (event.target === topic()) event.target.dataset.chosen = "";
  });

  // ---- start, other tabs, leaving ---------------------------------------------------------------------------------------------------------
  for (const node of document.querySelectorAll("[data-js]")) node.hidden = false;
  for (const node of document.querySelectorAll("[data-nojs]")) node.hidden = true;
  if (restore()) plan(0);
  report();
  addEventListener("online", () => plan(0));
  addEventListener("pagehide", () => {
    keep();
    const fields = pending();
    if (!fields.size || sending || stuck || trouble) return;
    const wish = request(form.dataset.save, fields);
    wish.body.set("csrfmiddlewaretoken", token());
    fetch(wish.url, { method: "POST", body: wish.body, headers: { "HX-Request": "true" }, credentials: "same-origin", keepalive: true }).catch(() => {});
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) refresh();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") refresh();
  });
  // The table's stream said that something moved (an offer, somebody's points, another editor of this draft).
  let soon = 0;
  document.addEventListener("takubiyori:live", (event) => {
    if (event.detail && event.detail.seq <= seq) return;
    clearTimeout(soon);
    soon = setTimeout(refresh, 300);
  });
  // Words alone (a name, a note on a possession) move no points and make no event: ask now and then whether anything
  // is newer (mostly answered by 204 and nothing), and before typing starts.
  document.addEventListener("focusin", (event) => {
    if (isControl(event.target) && Date.now() - level > 4000) refresh();
  });
  document.addEventListener("focusout", () => {
    if (behind) setTimeout(refresh, 100);
  });
  setInterval(() => {
    if (document.visibilityState === "visible" && Date.now() - level > 11000) refresh();
  }, 4000);
})();
