// Computes every die of the page again. Own SHA-256, because browsers offer theirs on https only and a table in a home
// network is plain http. What is computed is described in rulesets/engine/fair.py, byte by byte.
"use strict";
(() => {
  // ---- SHA-256 and HMAC (FIPS 180-4, RFC 2104) -------------------------------------------------------------------------
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  // The first 32 bits behind the point of a square or cube root, exactly.
  const fraction = (p, power) => {
    const wanted = BigInt(p) << (32n * power);
    let low = 0n, high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** power <= wanted) low = middle;
      else high = middle;
    }
    return Number(low & 0xffffffffn);
  };
  const K = primes.map((p) => fraction(p, 3n));
  const START = primes.slice(0, 8).map((p) => fraction(p, 2n));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));

  const sha256 = (bytes) => {
    const length = bytes.length;
    const padded = new Uint8Array((length + 72) & ~63);
    padded.set(bytes);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(length / 536870912));
    view.setUint32(padded.length - 4, (length << 3) >>> 0);
    const h = START.slice();
    const w = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
      const v = h.slice();
      for (let i = 0; i < 64; i++) {
        const [a, b, c, , e, f, g] = v;
        const one = (v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        v[7] = g, v[6] = f, v[5] = e, v[4] = (v[3] + one) | 0, v[3] = c, v[2] = b, v[1] = a, v[0] = (one + two) | 0;
      }
      for (let i = 0; i < 8; i++) h[i] = (h[i] + v[i]) | 0;
    }
    const out = new Uint8Array(32);
    const result = new DataView(out.buffer);
    h.forEach((word, i) => result.setUint32(4 * i, word >>> 0));
    return out;
  };
  const join = (...parts) => {
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) out.set(part, at), (at += part.length);
    return out;
  };
  const hmac = (key, message) => {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    return sha256(join(block.map((b) => b ^ 0x5c), sha256(join(block.map((b) => b ^ 0x36), message))));
  };
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => {
    if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("no hex");
    return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  };
  const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
  const u64 = (n) => join(u32(Math.floor(n / 4294967296)), u32(n % 4294967296));
  const text = (words) => {
    const bytes = new TextEncoder().encode(words);
    return join(u32(bytes.length), bytes);
  };

  // ---- the tree and the dice --------------------------------------------------------------------------------------------
  const leafOf = (key) => sha256(join(Uint8Array.of(0), key));
  const keyFits = (root, number, key, path) => {
    const index = number - root.first, height = Math.log2(root.size);
    if (!(index >= 0 && index < root.size) || path.length !== height || key.length !== 32) return false;
    let found = leafOf(key);
    path.forEach((sibling, h) => {
      const other = unhex(sibling);
      found = sha256((index >> h) & 1 ? join(Uint8Array.of(1), other, found) : join(Uint8Array.of(1), found, other));
    });
    return hex(found) === root.root;
  };
  const seedOf = (key, topic, number, salts) =>
    hmac(key, join(text("takubiyori.fair.1"), text(topic), u64(number), u32(salts.length), ...salts.map(text)));
  // `note(word, n, kept)` hears of every number read, for the page that shows how it is done.
  const numbers = (seed, note) => {
    let counter = 0, view = null, at = 32;
    return (n) => {
      const limit = 4294967296 - (4294967296 % n);
      for (;;) {
        if (at === 32) (view = new DataView(hmac(seed, u64(counter++)).buffer)), (at = 0);
        const word = view.getUint32(at);
        at += 4;
        if (note) note(word, n, word < limit);
        if (word < limit) return word % n;
      }
    };
  };
  const valuesOf = (seed, requests, note) => {
    const below = numbers(seed, note);
    return requests.map((request) => {
      if (Number.isInteger(request) && request >= 1 && request <= 4294967296) return below(request) + 1;
      const size = request.shuffle;
      if (!Number.isInteger(size) || size < 0 || size > 10000) throw new Error("no request");
      const order = Array.from({ length: size }, (_, i) => i);
      for (let i = size - 1; i > 0; i--) {
        const j = below(i + 1);
        [order[i], order[j]] = [order[j], order[i]];
      }
      return order;
    });
  };
  const verify = (record, draw, note) => {
    const result = { key: false, values: false, leaf: "", seed: "", expected: [] };
    try {
      const root = record.roots.find((r) => r.first <= draw.number && draw.number < r.first + r.size);
      const key = unhex(draw.key);
      const salts = record.salts.filter((salt) => salt.since <= draw.number).map((salt) => salt.text);
      const seed = seedOf(key, record.topic, draw.number, salts);
      result.leaf = hex(leafOf(key));
      result.seed = hex(seed);
      result.key = root !== undefined && keyFits(root, draw.number, key, draw.path);
      result.expected = valuesOf(seed, draw.requests, note);
      result.values = JSON.stringify(result.expected) === JSON.stringify(draw.values);
    } catch {
      // A broken record does not fit; which part is broken does not matter.
    }
    return result;
  };
  window.takubiyoriFair = { sha256, hmac, hex, unhex, verify, leafOf, seedOf, valuesOf, keyFits };

  // ---- the page -----------------------------------------------------------------------------------------------------------
  const source = document.getElementById("fair-record");
  const page = document.getElementById("fair-draws");
  if (!source || !page) return;
  const record = JSON.parse(source.textContent);
  const words = page.dataset;
  const make = (tag, className, content) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (content !== undefined) node.textContent = content;
    return node;
  };
  const SHOWN_NUMBERS = 24;
  const show = (draw, list) => {
    const read = [];
    const result = verify(record, draw, (word, n, kept) => read.length < SHOWN_NUMBERS && read.push([word, n, kept]));
    const step = (title, value) => {
      const item = make("li");
      item.append(make("b", "", title), make("span", "hash", value));
      list.append(item);
      return item;
    };
    list.replaceChildren();
    step(words.stepKey, draw.key);
    step(words.stepLeaf, `${result.leaf} → ${result.key ? words.leafOk : words.leafWrong}`);
    const item = step(words.stepSeed, result.seed);
    const table = make("table", "table"), rows = make("tbody"), head = make("tr");
    for (const name of words.columns.split("|")) {
      const cell = make("th", "n", name);
      cell.scope = "col";
      head.append(cell);
    }
    for (const [word, n, kept] of read) {
      const row = make("tr");
      const sum = kept ? words.remainder.replace("{n}", n).replace("{r}", word % n) : words.thrown;
      for (const value of [word.toString(16).padStart(8, "0"), word, sum]) row.append(make("td", "n", String(value)));
      rows.append(row);
    }
    table.append(make("thead"), rows);
    table.tHead.append(head);
    item.append(table);
    step(words.stepCompare, `${JSON.stringify(result.expected)} ${result.values ? "=" : "≠"} ${JSON.stringify(draw.values)}`);
  };
  const chip = (ok) => {
    const mark = make("span", `chip ${ok ? "chip--ok" : "chip--danger"}`, ok ? words.ok : words.wrong);
    mark.dataset.verdict = ok ? "ok" : "wrong";
    return mark;
  };
  let wrong = 0;
  for (const draw of record.draws) {
    const row = document.getElementById(`draw-${draw.number}`);
    if (!row) continue;
    const result = verify(record, draw);
    const ok = result.key && result.values;
    wrong += ok ? 0 : 1;
    row.querySelector("[data-verdict-here]").replaceChildren(chip(ok));
    const fold = row.querySelector("details");
    fold.hidden = false;
    fold.addEventListener("toggle", () => fold.open && show(draw, fold.querySelector("ol")), { once: true });
  }
  const sum = document.getElementById("fair-sum");
  if (sum && record.draws.length) {
    const mark = chip(!wrong);
    mark.textContent = (wrong ? words.sumWrong : words.sumOk).replace("{n}", record.draws.length).replace("{w}", wrong);
    sum.replaceChildren(mark);
  }
})();
