"use strict";
/* Opened by Telegram: what it signed stands behind the # of the address. It goes to this dashboard and nowhere else. */
(() => {
  const card = document.querySelector("[data-mini-app]");
  const said = card.querySelector("[data-said]"), form = card.querySelector("form");
  const given = new URLSearchParams(location.hash.slice(1)).get("tgWebAppData");
  history.replaceState(null, "", location.pathname + location.search);
  if (!given) {
    said.textContent = said.dataset.outside;
    return;
  }
  form.elements.init_data.value = given;
  if (window.self === window.top) {
    form.submit();
    return;
  }
  /* In a frame of web.telegram.org no session can live: the dashboard opens in a window of its own. */
  fetch("/app" + location.search, { method: "POST", body: new URLSearchParams({ init_data: given, framed: "true" }) })
    .then(async (answer) => {
      if (!answer.ok) throw new Error();
      const link = document.createElement("a");
      link.href = (await answer.json()).link;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
      link.className = "button first";
      link.textContent = said.dataset.window;
      said.replaceChildren(`${said.dataset.known} `, link);
    })
    .catch(() => { said.textContent = said.dataset.unknown; });
})();
