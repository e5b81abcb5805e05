"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { strings, steps, parts, sprites } = data;
  const last = steps.length - 1;
  const by = (id) => document.getElementById(id);
  const rows = Array.from(by("log").children);
  const svg = "http://www.w3.org/2000/svg";
  const maps = [];
  for (let n = 1; by("items" + n); n++) {
    const group = by("items" + n), root = group.ownerSVGElement;
    maps.push({
      group, root, figure: group.closest("figure"), caption: by("cap" + n), text: by("text" + n),
      title: root.querySelector("title"), frame: Array.from(root.querySelectorAll("[data-more]")), size: "", drawn: [], items: [],
    });
  }

  // Lists: a list that begins with a negative number is another one, but for what it names.
  const lists = [];
  for (const told of data.lists) {
    if (!(told[0] < 0)) { lists.push(told); continue; }
    const list = lists[-1 - told[0]].slice();
    for (let k = 1; k < told.length; k += 3 + told[k + 2]) list.splice(told[k], told[k + 1], ...told.slice(k + 3, k + 3 + told[k + 2]));
    lists.push(list);
  }

  // Facts and tables of each event are those of the one before, but for what its step names.
  const views = [];
  steps.forEach(({ m, ...rest }, i) => views.push(Object.assign({}, views[i - 1], rest)));

  // Maps: lists of [sprite, x, y]; a step's splices can be undone.
  let at = -1, shown = {};
  const undo = [];
  function forward(i) {
    undo[i] = (steps[i].m || []).map(([map, index, out, ...flat]) => {
      const into = [];
      for (let k = 0; k < flat.length; k += 3) into.push([flat[k], flat[k + 1], flat[k + 2]]);
      return [map, index, into.length, maps[map].items.splice(index, out, ...into)];
    });
    return undo[i];
  }
  function backward(i) {
    for (const [map, index, out, into] of undo[i].slice().reverse()) maps[map].items.splice(index, out, ...into);
    return undo[i];
  }

  // A sprite is put together of its parts when it is first needed.
  const ready = new Set(Array.from(by("sprites") ? by("sprites").children : [], (one) => Number(one.id.slice(1))));
  function sprite(number) {
    if (!ready.has(number)) {
      const made = document.createElementNS(svg, "g");
      made.id = "s" + number;
      made.innerHTML = sprites[number].map((part) => parts[part]).join("");
      by("sprites").append(made);
      ready.add(number);
    }
    return "#s" + number;
  }
  // Those of the next steps are made while nothing else happens.
  const idly = window.requestIdleCallback || ((act) => setTimeout(act, 50));
  let preparing = 0;
  function prepare() {
    preparing = 0;
    for (let i = at + 1; i <= Math.min(at + 3, last); i++)
      for (const [, , , ...flat] of steps[i].m || []) for (let k = 0; k < flat.length; k += 3) sprite(flat[k]);
  }
  function put(node, item) {
    node.removeAttribute("transform");
    node.style.transform = "translate(" + item[1] / 10 + "px," + item[2] / 10 + "px)";
  }
  const same = (x, y) => x[0] === y[0] && x[1] === y[1] && x[2] === y[2];
  // What moves is seen to move, and what is new fades in; not where one steps far or the map turns to another part.
  function draw(map, far) {
    const group = map.group, old = map.drawn, want = map.items;
    if (!old.length) group.textContent = "";
    let a = 0, b = 0;
    while (a < old.length && a < want.length && same(old[a].item, want[a])) a++;
    while (b < old.length - a && b < want.length - a && same(old[old.length - 1 - b].item, want[want.length - 1 - b])) b++;
    if (a + b === old.length && a + b === want.length) return;
    map.group.classList.toggle("quick", far || a === 0);
    const gone = old.slice(a, old.length - b), pool = new Map();
    for (const one of gone) { if (!pool.has(one.item[0])) pool.set(one.item[0], []); pool.get(one.item[0]).push(one); }
    const exact = (item) => {
      const ones = pool.get(item[0]) || [], i = ones.findIndex((one) => same(one.item, item));
      return i < 0 ? undefined : ones.splice(i, 1)[0];
    };
    const middle = want.slice(a, want.length - b).map((item) => ({ item, old: exact(item) }));
    for (const one of middle) if (!one.old && (pool.get(one.item[0]) || []).length) one.old = pool.get(one.item[0]).shift();
    for (const ones of pool.values()) for (const one of ones) one.node.remove();
    let before = b ? old[old.length - b].node : null;
    for (let i = middle.length - 1; i >= 0; i--) {
      const { item, old: was } = middle[i];
      const node = was ? was.node : document.createElementNS(svg, "use");
      if (!was) { node.setAttribute("href", sprite(item[0])); if (old.length) node.classList.add("fresh"); }
      if (node.nextSibling !== before || node.parentNode !== group) group.insertBefore(node, before);
      if (!was || !same(was.item, item)) put(node, item);
      middle[i] = { item, node };
      before = node;
    }
    map.drawn = [...old.slice(0, a), ...middle, ...old.slice(old.length - b)];
  }
  // The frame of a map: rectangles around its middle, each so much larger than the map.
  function resize(map, width, height) {
    if (map.size === width + " " + height) return;
    map.size = width + " " + height;
    let widest = 0;
    for (const one of map.frame) {
      const more = Number(one.dataset.more);
      widest = Math.max(widest, more);
      one.setAttribute("width", width / 10 + 2 * more);
      one.setAttribute("height", height / 10 + 2 * more);
    }
    map.root.setAttribute("viewBox", [-widest, -widest, width / 10 + 2 * widest, height / 10 + 2 * widest].join(" "));
  }

  const words = (list) => lists[list].map((i) => strings[i]);
  function element(name, text, parent) {
    const one = document.createElement(name);
    if (text !== null) one.textContent = text;
    if (parent) parent.append(one);
    return one;
  }
  function line(row) {
    const one = document.createElement("tr");
    for (const cell of words(row)) element("td", cell, one);
    return one;
  }
  function table(number) {
    const [title, heads, ...body] = lists[number];
    const box = element("div", null), grid = element("table", null, box);
    box.className = "grid"; box.tabIndex = 0;
    box.setAttribute("role", "region"); box.setAttribute("aria-label", strings[title] || "Table");
    if (strings[title]) element("caption", strings[title], grid);
    const head = element("tr", null, element("thead", null, grid)), rest = element("tbody", null, grid);
    for (const cell of words(heads)) element(cell ? "th" : "td", cell, head).scope = "col";
    rest.append(...body.map(line));
    return box;
  }
  // A table that stays takes only the rows that are new.
  function rewrite(box, number, old) {
    const was = lists[old], now = lists[number];
    if (was[1] !== now[1]) return table(number);
    let a = 2, b = 0;
    while (a < was.length && a < now.length && was[a] === now[a]) a++;
    while (b < was.length - a && b < now.length - a && was[was.length - 1 - b] === now[now.length - 1 - b]) b++;
    const body = box.querySelector("tbody"), there = body.rows;
    for (let i = was.length - b - 1; i >= a; i--) there[i - 2].remove();
    const fresh = now.slice(a, now.length - b).map(line);
    if (a - 2 < there.length) there[a - 2].before(...fresh); else body.append(...fresh);
    return box;
  }
  function tables(before, now) {
    const grids = by("grids"), old = new Map();
    before.forEach((number, i) => old.set(lists[number][0], [grids.children[i], number]));
    const boxes = now.map((number) => {
      const title = lists[number][0], was = old.get(title);
      old.delete(title);
      if (!was) return table(number);
      return was[1] === number ? was[0] : rewrite(was[0], number, was[1]);
    });
    const stay = new Set(boxes);
    for (const box of Array.from(grids.children)) if (!stay.has(box)) box.remove();
    boxes.forEach((box, i) => { if (grids.children[i] !== box) grids.insertBefore(box, grids.children[i] || null); });
  }
  function letters(view) {
    if (by("letters") && by("letters").open) maps.forEach((map, i) => {
      const text = words(lists[view.t][i]).join("\n");
      if (map.text.textContent !== text) map.text.textContent = text;
    });
  }
  function tell(view) {
    if (view.h !== shown.h) by("headline").textContent = strings[view.h];
    if (view.c !== shown.c) maps.forEach((map, i) => {
      const title = words(view.c)[i] || "";
      if (title === map.said) return;
      map.said = title;
      map.figure.hidden = map.text.hidden = !title;
      map.caption.textContent = map.title.textContent = title;
    });
    if (view.z !== shown.z) maps.forEach((map, i) => { if (lists[view.z][2 * i]) resize(map, lists[view.z][2 * i], lists[view.z][2 * i + 1]); });
    if (view.t !== shown.t) letters(view);
    if (view.f !== shown.f) {
      const facts = by("facts");
      facts.textContent = "";
      words(view.f).forEach((text, i) => element(i % 2 ? "dd" : "dt", text, facts));
    }
    if (view.g !== shown.g) tables(shown.g === undefined ? [] : lists[shown.g], lists[view.g]);
    shown = view;
  }

  const quote = (name) => /^[\w.@%+=:,\/-]+$/.test(name) ? name : "'" + name.replace(/'/g, "'\\''") + "'";
  function check(row) {
    const seq = row.id.slice(1), seat = row.dataset.seat, file = quote(data.file);
    if (seq === "0") { by("commands").textContent = "pbem verify " + file; by("thrown").hidden = true; return; }
    const key = Array.from(document.querySelectorAll("[data-key]")).find((one) => one.dataset.key === seat);
    by("signed").textContent = "Event " + seq + ", a " + row.dataset.was + ", is signed by " + seat +
      (key ? " with the key " + key.textContent : "") + " (or the one that replaced it). Its id begins with " + row.dataset.id +
      "; the signature also covers the id of the event before it, so none can be changed, left out or put in between.";
    const dice = Array.from(row.querySelectorAll(".dice"));
    by("thrown").hidden = !dice.length;
    by("thrown").textContent = dice.length ? "Its dice are made of the batch's seed and of their label alone (" +
      dice.map((one) => one.querySelector("span").firstChild.textContent.trim()).join(", ") +
      "). The seed is made of secrets that were fixed before the game began; pbem verify makes them once more." : "";
    by("commands").textContent = "pbem show " + file + " --at " + seq + "\npbem export-sig " + file + " " + seq + " --out proof\n" +
      "ssh-keygen -Y verify -n event.v1@pbem -f proof/allowed_signers -I " + seat + " -s proof/" + seq + ".sig < proof/" + seq + ".json\n" +
      "pbem verify " + file;
  }

  const hidden = new Set(), log = by("log"), marks = by("marks");
  const begins = marks ? Array.from(marks.options, (one) => Number(one.value)) : [];
  let current = null, waiting = 0, address = 0;
  function follow() {
    waiting = 0;
    if (log.scrollHeight > log.clientHeight) log.scrollTop = current.offsetTop - log.clientHeight / 3;
  }
  function show(seq, link) {
    seq = Math.max(0, Math.min(last, seq));
    if (seq !== at) {
      const far = at < 0 || (seq !== near(at, 1) && seq !== near(at, -1)), touched = new Set();
      while (at < seq) for (const one of forward(++at)) touched.add(one[0]);
      while (at > seq) for (const one of backward(at--)) touched.add(one[0]);
      tell(views[seq]);
      for (const map of touched) draw(maps[map], far);
    }
    if (current) {
      current.removeAttribute("aria-current");
      if (hidden.has(current.dataset.kind)) current.hidden = true;
    }
    current = rows[seq];
    if (current.hidden) current.hidden = false;
    current.setAttribute("aria-current", "step");
    if (!waiting) waiting = requestAnimationFrame(follow);
    by("now").replaceChildren(...Array.from(current.children, (one) => one.cloneNode(true)));
    by("slider").value = seq;
    by("slider").setAttribute("aria-valuetext", "event " + seq + " of " + last);
    by("place").textContent = seq + " of " + last;
    for (const id of ["first", "back"]) by(id).setAttribute("aria-disabled", String(seq === 0));
    for (const id of ["next", "last"]) by(id).setAttribute("aria-disabled", String(seq === last));
    if (marks) {
      const later = begins.findIndex((one) => one > seq);
      marks.selectedIndex = (later < 0 ? begins.length : later) - 1;
    }
    check(current);
    if (!preparing) preparing = idly(prepare);
    // The address follows when the steps pause: browsers allow few changes a second.
    clearTimeout(address);
    if (link !== false) address = setTimeout(() => history.replaceState(null, "", "#" + seq), 200);
  }

  // Events whose kind is not shown are passed over, but never those at the ends.
  function near(seq, way) {
    for (let i = seq + way; i > 0 && i < last; i += way) if (!hidden.has(rows[i].dataset.kind)) return i;
    return way > 0 ? last : 0;
  }
  function filter() {
    hidden.clear();
    for (const box of by("kinds").querySelectorAll("input")) if (!box.checked) hidden.add(box.value);
    for (const row of rows) row.hidden = hidden.has(row.dataset.kind) && Number(row.id.slice(1)) !== at;
  }

  let timer = 0;
  function stop() {
    clearTimeout(timer); timer = 0;
    document.body.classList.remove("playing");
    by("play").setAttribute("aria-label", "Play");
    by("now").setAttribute("aria-live", "polite");
  }
  function tick() {
    show(near(at, 1));
    if (at === last) stop(); else timer = setTimeout(tick, Number(by("speed").value));
  }
  function play() {
    if (timer) return stop();
    if (at === last) show(0);
    document.body.classList.add("playing");
    by("play").setAttribute("aria-label", "Pause");
    by("now").setAttribute("aria-live", "off");
    timer = setTimeout(tick, 200);
  }
  const acts = {
    first: () => show(0), back: () => show(near(at, -1)), next: () => show(near(at, 1)), last: () => show(last),
  };
  const byHand = (act) => () => { stop(); act(); };
  for (const id of Object.keys(acts)) by(id).addEventListener("click", byHand(acts[id]));
  by("play").addEventListener("click", play);
  by("slider").addEventListener("input", byHand(() => show(Number(by("slider").value))));
  if (by("marks")) by("marks").addEventListener("change", byHand(() => show(Number(by("marks").value))));
  by("kinds").addEventListener("change", filter);
  by("log").addEventListener("click", (event) => {
    const row = event.target.closest("li");
    if (row) { event.preventDefault(); stop(); show(Number(row.id.slice(1))); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const tag = event.target.tagName;
    if (tag === "INPUT" && event.target.type === "range" || tag === "SELECT" || tag === "PRE") return;
    if (event.key === " ") {
      if (["BUTTON", "INPUT", "SUMMARY", "A"].includes(tag)) return;
      event.preventDefault();
      return play();
    }
    const act = { ArrowLeft: acts.back, ArrowRight: acts.next, Home: acts.first, End: acts.last }[event.key];
    if (act) { event.preventDefault(); stop(); act(); }
  });
  let touch = null;
  by("board").addEventListener("touchstart", (event) => {
    touch = event.touches.length === 1 && event.target.closest("figure") ? event.touches[0] : null;
  }, { passive: true });
  by("board").addEventListener("touchend", (event) => {
    if (!touch) return;
    const end = event.changedTouches[0], dx = end.clientX - touch.clientX, dy = end.clientY - touch.clientY;
    touch = null;
    if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) { stop(); (dx < 0 ? acts.next : acts.back)(); }
  }, { passive: true });

  function named() {
    const name = decodeURIComponent(location.hash.slice(1));
    if (/^\d+$/.test(name)) return Number(name);
    const mark = by("marks") && Array.from(by("marks").options).find((one) => one.dataset.name === name);
    return mark ? Number(mark.value) : 0;
  }
  if (by("letters")) by("letters").addEventListener("toggle", () => letters(shown));
  window.addEventListener("hashchange", byHand(() => show(named())));
  for (const id of ["bar", "tools", "now"]) by(id).hidden = false;
  filter();
  show(named(), Boolean(location.hash));
})();
