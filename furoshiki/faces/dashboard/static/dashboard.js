"use strict";
/* What every page has: one stream of events that tells htmx which parts to fetch again. Without this file every page
   still shows what it shows and every form still works. */
(() => {
  const said = document.querySelector("[data-link]");
  const say = (words) => { if (said && said.textContent !== words) said.textContent = words; };

  /* A page that nobody looks at lets go of its stream (a browser opens six to one place at most), and is told what it
     missed when somebody looks again. */
  const listen = (address) => {
    let source = null, seen = document.body.dataset.seen || "", leaving = 0;
    const open = () => {
      clearTimeout(leaving);
      if (source && source.readyState !== EventSource.CLOSED) return;
      source = new EventSource(seen ? `${address}?after=${encodeURIComponent(seen)}` : address);
      source.addEventListener("open", () => say(said?.dataset.open));
      source.addEventListener("error", () => say(source.readyState === EventSource.CLOSED ? said?.dataset.closed : said?.dataset.opening));
      source.addEventListener("change", (event) => {
        seen = event.lastEventId;
        for (const topic of JSON.parse(event.data).topics) document.body.dispatchEvent(new CustomEvent(`live:${topic}`));
      });
    };
    const close = () => { source?.close(); source = null; };
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) leaving = setTimeout(close, 1000);
      else open();
    });
    addEventListener("pagehide", close);
    addEventListener("pageshow", (event) => { if (event.persisted) open(); });
    if (!document.hidden) open();
  };

  /* "12 minutes ago" grows older by itself, in the words of the server. */
  const plural = (count, unit) => `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  const ago = (minutes) => minutes < 2 ? "just now" : minutes < 60 ? plural(minutes, "minute") : minutes < 2880 ? plural(Math.floor(minutes / 60), "hour") : plural(Math.floor(minutes / 1440), "day");
  setInterval(() => {
    if (document.hidden) return;
    for (const one of document.querySelectorAll("time[data-ago]")) {
      const words = ago(Math.floor((Date.now() - Date.parse(one.dateTime)) / 60000));
      if (one.textContent !== words) one.textContent = words;
    }
  }, 30000);

  /* What has not changed is left as it is: focus, open details and a selection stay, and so does what was typed. */
  const last = new WeakMap();
  const begun = (field) => field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
    : field.options ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((one) => one.defaultSelected))
    : field.value !== field.defaultValue;
  const busy = (target) => target.querySelector("form :focus") || [...target.querySelectorAll("form input, form select, form textarea")].some(begun);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr, requestConfig } = event.detail;
    if (!target || !target.hasAttribute("hx-get")) return;
    const live = requestConfig?.triggeringEvent?.type.startsWith("live:");
    if (xhr.status !== 200 || last.get(target) === xhr.responseText || (live && busy(target))) event.detail.shouldSwap = false;
    else last.set(target, xhr.responseText);
  });

  /* What was unfolded stays so when the piece around it comes again. */
  const unfolded = new WeakMap();
  document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
    if (target && shouldSwap) unfolded.set(target, [...target.querySelectorAll("details[id][open]")].map((one) => one.id));
  });
  document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    for (const id of unfolded.get(target) || []) document.getElementById(id)?.setAttribute("open", "");
  });

  /* A form that cannot be taken back asks first. */
  document.addEventListener("submit", (event) => {
    const asked = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (asked && !confirm(asked)) event.preventDefault();
  });

  const address = document.body.dataset.live;
  if (address && "EventSource" in window) listen(address);
})();
