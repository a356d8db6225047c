"use strict";
/* What every page has: one stream of events that tells htmx which parts to fetch again. Without this file every page
   still shows what it shows and every form still works. */
(() => {
  const said = document.querySelector("[data-link]");
  const say = (words) => { if (said && said.textContent !== words) said.textContent = words; };

  const tell = (topic) => document.body.dispatchEvent(new CustomEvent(`live:${topic}`));
  let source = null;

  const listen = (address) => {
    source = new EventSource(address);
    source.addEventListener("open", () => say("Live"));
    source.addEventListener("error", () => say(source.readyState === EventSource.CLOSED ? "Not live: load the page again" : "Connecting …"));
    source.addEventListener("change", (event) => {
      for (const topic of JSON.parse(event.data).topics) tell(topic);
    });
  };

  /* A page that nobody sees listens to nothing: a browser has six connections for all of its tabs. When it is seen again
     it fetches what lives on it. */
  const asleep = () => { source?.close(); source = null; };
  const awake = (address) => {
    if (source) return;
    listen(address);
    const triggers = [...document.querySelectorAll('[hx-trigger*="live:"]')].map((one) => one.getAttribute("hx-trigger")).join();
    for (const topic of new Set([...triggers.matchAll(/live:(\w+)/g)].map((one) => one[1]))) tell(topic);
  };

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
  if (address && "EventSource" in window) {
    if (!document.hidden) listen(address);
    document.addEventListener("visibilitychange", () => document.hidden ? asleep() : awake(address));
    addEventListener("pagehide", asleep);
    addEventListener("pageshow", (event) => { if (event.persisted) awake(address); });
  }
})();
