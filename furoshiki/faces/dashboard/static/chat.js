"use strict";
/* The Chat page while somebody looks: words are sent without a new page, answers grow, what is said elsewhere appears.
   Without this file the same forms work, and the page shows the answer when it is loaded again. */
(() => {
  const chat = document.querySelector("[data-chat]");
  if (!chat || !("EventSource" in window)) return;
  const list = document.getElementById("chat-list");
  const form = chat.querySelector("[data-say]");
  const text = document.getElementById("chat-text");
  const trouble = chat.querySelector("[data-trouble]");
  const past = "past" in chat.dataset;
  const log = () => list.querySelector(".log");

  const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 160;
  const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight });
  const fetched = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    return made.content;
  };

  /* What is there now, laid over what is shown: what has not changed stays as it is, and is not read out again. */
  const laid = (fresh) => {
    const shown = log();
    const wanted = [...fresh.querySelector(".log").children];
    const ids = new Set(wanted.map((one) => one.id));
    const first = wanted.find((one) => document.getElementById(one.id));
    let within = false;
    for (const one of [...shown.children]) {
      if (first && one.id === first.id) within = true;
      const older = !within && !one.id.startsWith("wait-");
      if (!ids.has(one.id) && one !== growing && !older) one.remove();
    }
    let last = null;
    for (const one of wanted) {
      const old = document.getElementById(one.id);
      if (!old) {
        if (last) last.after(one); else if (first && one !== first) document.getElementById(first.id).before(one); else shown.append(one);
        last = one;
      } else {
        if (!old.isEqualNode(one) && !old.contains(document.activeElement)) old.replaceWith(one);
        last = document.getElementById(one.id);
      }
    }
    if (growing) shown.append(growing);
    for (const id of ["chat-under-way", "chat-notices"]) {
      const old = document.getElementById(id);
      const made = fresh.getElementById(id);
      if (!old.isEqualNode(made)) old.replaceWith(made);
    }
    if (wanted.length) list.querySelector(".empty")?.remove();
  };

  let refreshing = null;
  let again = false;
  let missed = false;
  const refresh = () => {
    if (past) return Promise.resolve();
    if (document.hidden) { missed = true; return Promise.resolve(); }
    if (refreshing) { again = true; return refreshing; }
    refreshing = (async () => {
      do {
        again = false;
        const end = atEnd();
        laid(await fetched("/parts/chat"));
        if (end) toEnd();
      } while (again);
    })().catch((error) => {
      if (error.message === "401" && trouble) trouble.textContent = trouble.dataset.signedOut;
    }).finally(() => { refreshing = null; watch(); });
    return refreshing;
  };

  /* One stream at a time: there is one mind, and it answers one message after another. */
  let growing = null;
  let source = null;
  const grown = (words) => {
    const end = atEnd();
    if (!growing) {
      growing = document.createElement("li");
      growing.className = "entry theirs growing";
      growing.setAttribute("aria-live", "off");
      growing.innerHTML = '<p class="who"><span class="name"></span></p><div class="bubble plain"></div>';
      growing.querySelector(".name").textContent = document.querySelector(".brand span").textContent;
      log().append(growing);
    }
    growing.querySelector(".bubble").textContent = words;
    if (end) toEnd();
  };
  const over = async () => {
    source?.close();
    source = null;
    const end = atEnd();
    const old = growing;
    growing = null;
    await refresh();
    old?.remove();
    if (end) toEnd();
  };
  const follow = (envelope) => {
    if (source || !envelope) return;
    source = new EventSource(`/chat/stream/${envelope}`);
    source.addEventListener("thinking", () => { grown(""); refresh(); });
    source.addEventListener("text", (event) => grown(JSON.parse(event.data).text));
    source.addEventListener("done", over);
    source.addEventListener("error", () => { if (source?.readyState === EventSource.CLOSED) over(); });
  };
  const watch = () => follow(list.querySelector("[data-envelope]")?.dataset.envelope);
  addEventListener("pagehide", () => source?.close());

  const once = () => [...crypto.getRandomValues(new Uint8Array(8))].map((one) => one.toString(16).padStart(2, "0")).join("");
  let sending = false;
  chat.addEventListener("submit", async (event) => {
    const sent = event.target;
    if (!sent.matches("[data-chat-form]")) return;
    event.preventDefault();
    if (sending) return;
    const fields = new FormData(sent, event.submitter);
    const writes = sent === form;
    sending = true;
    trouble.textContent = "";
    try {
      const headers = { Accept: "application/json", "X-CSRF-Token": fields.get("csrf") };
      const answer = await fetch(sent.action, { method: "POST", body: fields, headers });
      if (answer.status === 400) throw new Error(trouble.dataset.empty);
      if (answer.status === 413) throw new Error(trouble.dataset.large);
      if (!answer.ok) throw new Error(answer.status === 401 || answer.status === 403 ? trouble.dataset.signedOut : trouble.dataset.status.replace("{status}", answer.status));
      if (writes) {
        if (text.value === fields.get("text")) text.value = "";
        form.elements.file.value = "";
        form.elements.once.value = once();
        hint();
      }
      const { id } = await answer.json();
      if (document.activeElement !== text) text.focus();
      await refresh();
      if (writes) toEnd();
      follow(id);
    } catch (error) {
      const why = error instanceof TypeError ? trouble.dataset.away : error.message;
      trouble.textContent = (writes ? trouble.dataset.again : trouble.dataset.press).replace("{why}", why);
    } finally {
      sending = false;
    }
  });

  /* Commands while one is typed: arrows choose, Tab or Enter takes, Escape closes. */
  const hints = document.getElementById("chat-hints");
  const options = hints ? [...hints.children] : [];
  let chosen = null;
  const choose = (one) => {
    chosen = one;
    for (const option of options) option.setAttribute("aria-selected", option === one ? "true" : "false");
    if (one) { text.setAttribute("aria-activedescendant", one.id); one.scrollIntoView({ block: "nearest" }); } else text.removeAttribute("aria-activedescendant");
  };
  const hint = () => {
    const typed = /^\/\w*$/.test(text.value) ? text.value.toLowerCase() : null;
    for (const option of options) option.hidden = typed === null || !option.dataset.command.startsWith(typed);
    const open = options.some((option) => !option.hidden);
    hints.hidden = !open;
    text.setAttribute("aria-expanded", open ? "true" : "false");
    choose(null);
  };
  const take = (one) => { text.value = `${one.dataset.command} `; hint(); text.focus(); };
  if (text) {
    text.setAttribute("role", "combobox");
    text.setAttribute("aria-controls", hints.id);
    text.setAttribute("aria-autocomplete", "list");
    text.setAttribute("aria-expanded", "false");
    text.addEventListener("input", hint);
    hints.addEventListener("mousedown", (event) => {
      const one = event.target.closest("[data-command]");
      if (one) { event.preventDefault(); take(one); }
    });
    text.addEventListener("keydown", (event) => {
      const open = options.filter((option) => !option.hidden);
      const at = open.indexOf(chosen);
      if (open.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        event.preventDefault();
        choose(open[(at + (event.key === "ArrowDown" ? 1 : open.length + (at < 0 ? 0 : -1))) % open.length]);
      } else if (open.length && event.key === "Escape") {
        hints.hidden = true;
        for (const option of options) option.hidden = true;
        choose(null);
      } else if (chosen && (event.key === "Tab" || event.key === "Enter")) {
        event.preventDefault();
        take(chosen);
      } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing && matchMedia("(pointer: fine)").matches) {
        event.preventDefault();
        if (text.value.trim() || form.elements.file.value) form.requestSubmit();
      }
    });
  }

  list.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-earlier]");
    if (!link || past) return;
    event.preventDefault();
    const fresh = await fetched(`/parts/chat?before=${link.dataset.earlier}`).catch(() => null);
    if (!fresh) { location.href = link.href; return; }
    const height = document.documentElement.scrollHeight;
    const known = [...fresh.querySelector(".log").children].filter((one) => one.id.startsWith("day-") || !document.getElementById(one.id));
    for (const one of known) document.getElementById(one.id)?.remove();
    log().prepend(...known);
    const more = fresh.querySelector("[data-earlier]");
    if (more) { link.href = more.getAttribute("href"); link.dataset.earlier = more.dataset.earlier; } else link.parentElement.remove();
    scrollBy(0, document.documentElement.scrollHeight - height);
  });

  document.body.addEventListener("live:messages", refresh);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && missed) { missed = false; refresh(); } });
  /* Whether somebody is there to answer is no row of the database: looked at while the page says that nobody is. */
  if (!past) setInterval(() => { if (list.querySelector("#chat-notices .notice")) refresh(); }, 10000);
  if (!past) { if (!location.hash || location.hash === "#write") toEnd(); watch(); }
})();
