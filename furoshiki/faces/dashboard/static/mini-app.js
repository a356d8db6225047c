"use strict";
/* Opened by Telegram: what it signed stands behind the # of the address. It goes to this dashboard and nowhere else. */
(() => {
  const card = document.querySelector("[data-mini-app]");
  const said = card.querySelector("[data-said]"), form = card.querySelector("form");
  const given = new URLSearchParams(location.hash.slice(1)).get("tgWebAppData");
  history.replaceState(null, "", location.pathname + location.search);
  if (!given) {
    said.textContent = "Telegram opens this page. Send /dashboard to the bot, and press its button.";
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
      link.textContent = "Open in a window of its own";
      said.replaceChildren("It is you. ", link);
    })
    .catch(() => { said.textContent = "I could not tell who you are. Close this, send /dashboard to the bot, and press its button."; });
})();
