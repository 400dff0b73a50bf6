// Keeps a page level with its topic. The page says <body data-topic="campaign:12" data-seq="34">: it was drawn at number
// 34, the stream tells what came after. Fragments are elements with ids that replace their likes; rows with data-append
// or data-prepend are added once (behind the one data-after names, if it does), those with data-gone take theirs away.
// Nothing a person types, has open or looks at is touched. One tab of a browser holds the stream and tells the others,
// because browsers allow only six connections to a plain http server.
"use strict";
(() => {
  const body = document.body;
  const topic = body.dataset.topic;
  if (!topic || !window.EventSource) return;

  const SILENCE_MS = 9000; // two heartbeats missed
  const LEADER_MS = 6500; // a leading tab that says nothing for so long is gone
  const KEPT_FRAMES = 200;
  const lang = document.documentElement.lang || "";
  const jitter = (low, high) => low + Math.random() * (high - low);
  const banner = document.getElementById("live-banner");
  let seq = Number(body.dataset.seq) || 0;
  let seen = Date.now();
  let over = false; // gone or waiting for a reload: nothing more is shown

  // ---- what a person is using -------------------------------------------------------------------------------------
  const WRITES = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=hidden], [type=button], [type=submit])";
  const CONTROLS = "input:not([type=hidden]), textarea, select";
  let touched = new WeakSet(); // controls changed by hand
  const differs = (control) => {
    if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
    if (control.tagName !== "SELECT") return control.value !== control.defaultValue;
    return Array.from(control.options).some((option) => option.selected !== option.defaultSelected);
  };
  const changed = (root) => Array.from(root.querySelectorAll(CONTROLS)).filter((control) => touched.has(control) && differs(control));
  const sending = new Map(); // panel id -> requests under way
  const held = new Set(); // ids of panels that show an answer to what was typed (errors)
  const inUse = (panel) => {
    const focus = document.activeElement;
    return sending.has(panel.id) || held.has(panel.id) || (panel.contains(focus) && focus.matches(WRITES)) || changed(panel).length > 0;
  };
  addEventListener("input", (event) => touched.add(event.target), true);
  addEventListener("change", (event) => touched.add(event.target), true);

  // ---- swapping without losing anything -----------------------------------------------------------------------------
  const words = (node) => (node ? node.textContent.replace(/[0-9\s]+/g, "") : "");
  const foldKey = (fold) => fold.dataset.keep || fold.id || words(fold.querySelector("summary"));
  const controlKey = (control) => [control.id, control.form ? control.form.getAttribute("action") : "", control.name, ["radio", "checkbox"].includes(control.type) ? control.value : ""].join(" ");
  const focusKey = (node) => node.id || [node.tagName, node.getAttribute("href") || node.name || "", node.value || "", words(node)].join(" ");
  // What the person has done to a panel, as a function that does the same to its successor.
  const remember = (old, exceptForm) => {
    const folds = new Map(Array.from(old.querySelectorAll("details"), (fold) => [foldKey(fold), fold.open]));
    const typed = changed(old).filter((control) => !exceptForm || control.form !== exceptForm);
    const focus = old.contains(document.activeElement) ? focusKey(document.activeElement) : null;
    const scrolls = Array.from(old.querySelectorAll("[id]")).filter((node) => node.scrollTop || node.scrollLeft).map((node) => [node.id, node.scrollTop, node.scrollLeft]);
    return (fresh) => {
      for (const fold of fresh.querySelectorAll("details")) if (folds.has(foldKey(fold))) fold.open = folds.get(foldKey(fold)) || (exceptForm && fold.open);
      const controls = new Map(Array.from(fresh.querySelectorAll(CONTROLS), (control) => [controlKey(control), control]));
      for (const control of typed) {
        const heir = controls.get(controlKey(control));
        if (!heir) continue;
        if (["radio", "checkbox"].includes(heir.type)) heir.checked = control.checked;
        else heir.value = control.value;
        touched.add(heir);
      }
      for (const [id, top, left] of scrolls) document.getElementById(id)?.scrollTo(left, top);
      if (focus !== null && !fresh.contains(document.activeElement)) {
        const heir = Array.from(fresh.querySelectorAll("a[href], button, summary, input, select, textarea, [tabindex]")).find((node) => focusKey(node) === focus);
        if (heir) heir.focus({ preventScroll: true });
      }
    };
  };
  const placed = (element) => {
    if (window.htmx) window.htmx.process(element);
    element.dispatchEvent(new CustomEvent("takubiyori:placed", { bubbles: true }));
    showPresence(element);
  };
  const swap = (old, fresh) => {
    const again = remember(old);
    held.delete(old.id);
    old.replaceWith(fresh);
    again(fresh);
    placed(fresh);
  };

  const waiting = new Map(); // id -> the newest element that could not be placed yet
  const arrived = new Map(); // id -> [when, element, number] of the last fragment, for answers that were drawn before it
  const drawn = new Map(); // id -> the number at which the last answer to a press was drawn
  const place = (fresh) => {
    const old = fresh.id && document.getElementById(fresh.id);
    if (fresh.dataset.gone !== undefined) {
      waiting.delete(fresh.id);
      old?.remove(); // what it was about is not there any more, whatever was typed into it
      return;
    }
    if (!old) {
      const first = fresh.dataset.prepend !== undefined;
      const list = document.getElementById((first ? fresh.dataset.prepend : fresh.dataset.append) || "");
      if (list) {
        const before = fresh.dataset.after && document.getElementById(fresh.dataset.after);
        if (before && before.parentElement === list) before.after(fresh);
        else list[first || fresh.dataset.after === "" ? "prepend" : "append"](fresh);
        placed(fresh);
      }
      return;
    }
    if (inUse(old)) {
      waiting.set(fresh.id, fresh);
      offer(old);
    } else {
      waiting.delete(fresh.id);
      swap(old, fresh);
    }
  };
  // A panel in use says that there is news, and shows it when asked, keeping what was typed.
  const offer = (panel) => {
    if (!banner || panel.querySelector(":scope > .live-news") || sending.has(panel.id)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn--ghost live-news";
    button.textContent = banner.dataset.news;
    button.addEventListener("click", () => {
      const fresh = waiting.get(panel.id);
      waiting.delete(panel.id);
      if (fresh) swap(panel, fresh);
      else button.remove();
    });
    panel.append(button);
  };
  const settle = () => {
    for (const [id, fresh] of Array.from(waiting)) {
      const old = document.getElementById(id);
      if (old && inUse(old)) offer(old);
      else {
        waiting.delete(id);
        if (old) swap(old, fresh);
      }
    }
  };
  for (const name of ["focusout", "change", "reset"]) addEventListener(name, () => setTimeout(settle, 0));

  const apply = (html, number) => {
    if (over) return;
    const box = document.createElement("template");
    box.innerHTML = html;
    for (const fresh of Array.from(box.content.children)) {
      if (fresh.id && number && number <= (drawn.get(fresh.id) || 0)) continue; // the answer to a press showed it already
      if (fresh.id) arrived.set(fresh.id, [Date.now(), fresh.cloneNode(true), number]);
      place(fresh);
    }
    seq = Math.max(seq, number || 0);
    body.dataset.seq = String(seq);
    document.dispatchEvent(new CustomEvent("takubiyori:live", { detail: { seq } }));
  };

  // ---- answers to one's own presses (htmx) ------------------------------------------------------------------------------
  const panelOf = (event) => event.detail.elt.closest?.("[data-live]") || event.detail.target?.closest?.("[data-live]");
  const keeps = new Map(); // panel id -> what to do to the panel that replaces it
  document.addEventListener("htmx:beforeRequest", (event) => {
    const panel = panelOf(event);
    if (panel) sending.set(panel.id, Date.now());
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const target = event.detail.target;
    if (target?.matches?.("[data-live]")) keeps.set(target.id, remember(target, event.detail.requestConfig?.elt?.closest("form")));
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, target } = event.detail;
    const id = target?.matches?.("[data-live]") ? target.id : panelOf(event)?.id;
    if (!id) return;
    const since = sending.get(id) || 0;
    sending.delete(id);
    const panel = document.getElementById(id);
    const again = keeps.get(id);
    keeps.delete(id);
    const [when, fresh, number] = arrived.get(id) || [0, null, 0];
    const at = again ? Number(xhr?.getResponseHeader("X-Live-Seq")) || 0 : 0;
    if (at) drawn.set(id, at);
    const newer = fresh && (at && number ? number > at : when >= since);
    if (at && !newer) waiting.delete(id);
    if (again && panel) {
      again(panel);
      placed(panel);
    }
    if (xhr && xhr.status >= 400 && again) held.add(id);
    else if (again) {
      held.delete(id);
      // The answer may have been drawn before something that has arrived meanwhile.
      if (newer && !waiting.has(id)) waiting.set(id, fresh.cloneNode(true));
    }
    setTimeout(settle, 0);
  });

  // ---- who is here ------------------------------------------------------------------------------------------------------
  let online = null;
  const showPresence = (root) => {
    if (online === null) return;
    const marks = Array.from(root.querySelectorAll("[data-presence]"));
    if (root.matches?.("[data-presence]")) marks.push(root);
    for (const mark of marks) {
      const who = mark.dataset.presence;
      const here = online.has(who.includes(":") ? who : `seat:${who}`);
      mark.toggleAttribute("data-online", here);
      if (mark.hidden) mark.dataset.hides = "";
      if (mark.dataset.hides !== undefined) mark.hidden = !here;
    }
  };

  // ---- what the page says about its connection ---------------------------------------------------------------------------
  const say = (state, reload) => {
    if (!banner) return;
    const text = state && banner.dataset[state].replace("{time}", new Intl.DateTimeFormat(lang || "ja", { hour: "2-digit", minute: "2-digit" }).format(seen));
    if (!state) banner.hidden = true;
    else if (banner.hidden || banner.dataset.state !== state) {
      banner.replaceChildren(document.createTextNode(text));
      if (reload) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "btn";
        button.textContent = banner.dataset.reload;
        button.addEventListener("click", () => location.reload());
        banner.append(" ", button);
      }
      banner.hidden = false;
    }
    banner.dataset.state = state || "";
  };
  const resync = () => {
    if (over) return;
    over = true;
    close();
    const focus = document.activeElement;
    const key = `takubiyori:resync:${topic}`;
    let last = 0;
    try {
      last = Number(sessionStorage.getItem(key)) || 0;
      sessionStorage.setItem(key, String(Date.now()));
    } catch {
      last = Date.now(); // no storage: never reload unasked, it might not end
    }
    if (!changed(document).length && !(focus && focus.matches(WRITES)) && Date.now() - last > 20000) location.reload();
    else say("resync", true);
  };
  const gone = () => {
    over = true;
    close();
    say("gone", true);
  };

  let rights = null; // changes when this viewer may see other things than the page was drawn with

  // ---- one event, from the stream or from the leading tab -------------------------------------------------------------------
  const take = (kind, data, number) => {
    if (over) return;
    seen = Date.now();
    say("");
    if (kind === "fragments") apply(data, number);
    else if (kind === "presence") {
      online = new Set(JSON.parse(data).online);
      showPresence(document);
    } else if (kind === "hello") {
      const hello = JSON.parse(data);
      const stranger = body.dataset.viewer && String(hello.viewer) !== body.dataset.viewer; // somebody else signed in here
      if (stranger || (rights !== null && rights !== hello.rights)) resync();
      rights = hello.rights;
    } else if (kind === "resync") resync();
    else if (kind === "gone") gone();
  };

  // Signing in anew gives the browser another session, and the stream that still runs on the old one ends as if its
  // viewer had left: ask once more before believing it.
  let doubted = 0;
  const doubt = () => {
    if (Date.now() - doubted < 15000) return false;
    doubted = Date.now();
    reopening = setTimeout(() => leading && open(seq), 200);
    return true;
  };

  // ---- the stream -----------------------------------------------------------------------------------------------------------
  let source = null, reopening = 0, pause = 500, opened = 0;
  const close = () => {
    clearTimeout(reopening);
    if (source) source.close();
    source = null;
  };
  const open = (after) => {
    close();
    opened = Date.now();
    const stream = (source = new EventSource(`/live/stream/${topic}?after=${after}&lang=${encodeURIComponent(lang)}`));
    for (const kind of ["hello", "fragments", "presence", "heartbeat", "resync", "gone"]) {
      stream.addEventListener(kind, (event) => {
        if (source !== stream) return;
        pause = 500;
        const number = kind === "fragments" ? Number(event.lastEventId) : 0;
        if (kind === "gone" && doubt()) return stream.close();
        tell(kind, event.data, number);
        take(kind, event.data, number);
      });
    }
    stream.onerror = () => {
      // The browser comes back by itself unless it has given up.
      if (source === stream && stream.readyState === EventSource.CLOSED) later();
    };
  };
  const later = () => {
    close();
    reopening = setTimeout(() => leading && open(seq), jitter(pause, pause * 3));
    pause = Math.min(pause * 2, 4000);
  };

  // ---- tabs: one leads -----------------------------------------------------------------------------------------------------
  const me = Math.random().toString(36).slice(2);
  const channel = window.BroadcastChannel ? new BroadcastChannel(`takubiyori ${topic} ${lang} ${body.dataset.viewer || ""}`) : null;
  let leading = false, from = seq, frames = [], lastPresence = null, lastHello = null;
  const post = (message) => channel && channel.postMessage({ from: me, ...message });
  const tell = (kind, data, number) => {
    if (kind === "fragments") {
      frames.push([number, data]);
      while (frames.length > KEPT_FRAMES) from = frames.shift()[0];
    }
    if (kind === "presence") lastPresence = data;
    if (kind === "hello") lastHello = data;
    leave(true);
    post({ kind, data, number });
  };
  const lead = () => {
    if (leading || over) return;
    leading = true;
    from = seq;
    frames = [];
    open(seq);
  };
  const follow = () => {
    leading = false;
    close();
  };
  let election = 0;
  const elect = (delay) => {
    clearTimeout(election);
    election = setTimeout(lead, delay);
  };
  const hear = ({ from: other, kind, data, number, seq: theirs }) => {
    if (kind === "who") {
      if (!leading) return;
      if (theirs < from) open((from = theirs)); // an older page: everything since then once more
      else for (const [n, html] of frames) if (n > theirs) post({ kind: "fragments", data: html, number: n });
      post({ kind: "here" });
      if (lastHello) post({ kind: "hello", data: lastHello });
      if (lastPresence) post({ kind: "presence", data: lastPresence });
    } else if (kind === "bye") {
      if (!leading) elect(jitter(50, 500));
    } else {
      if (leading && other > me) return post({ kind: "here" }); // two lead: the smaller name stays
      if (leading) follow();
      clearTimeout(election);
      if (kind === "here") seen = Date.now();
      else if (kind !== "fragments" || number > seq) take(kind, data, number);
      else seen = Date.now();
    }
  };
  // The leading tab leaves word that it lives, so that a first tab need not ask around.
  const trace = `takubiyori:lead:${topic}:${lang}`;
  const leave = (mark) => {
    try {
      if (mark) localStorage.setItem(trace, String(Date.now()));
      else localStorage.removeItem(trace);
    } catch {
      // Without storage a new tab waits a little longer; nothing else depends on it.
    }
  };
  const traced = () => {
    try {
      return Date.now() - (Number(localStorage.getItem(trace)) || 0) < LEADER_MS;
    } catch {
      return true;
    }
  };
  const start = () => {
    if (!channel) return lead();
    post({ kind: "who", seq });
    elect(traced() ? jitter(900, 1200) : jitter(20, 60));
  };
  if (channel) channel.addEventListener("message", (event) => hear(event.data));

  setInterval(() => {
    if (over) return;
    const silence = Date.now() - seen;
    if (silence > SILENCE_MS) say("offline");
    if (leading && silence > SILENCE_MS && source && Date.now() - opened > SILENCE_MS) later(); // a dead line nobody told us about
    if (!leading && silence > LEADER_MS) elect(jitter(0, 800));
  }, 1000);
  addEventListener("pagehide", () => {
    if (leading) {
      leave(false);
      post({ kind: "bye" });
    }
    follow();
  });
  addEventListener("pageshow", (event) => event.persisted && start());
  addEventListener("online", () => leading && !over && open(seq));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && leading && !over && Date.now() - seen > SILENCE_MS) open(seq);
  });
  start();
})();
