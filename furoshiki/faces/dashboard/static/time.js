"use strict";
/* Charts of figures over time. Each figure names where its figures are and which topics change them. */
(() => {
  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    return { lines: Array.from({ length: 9 }, (_, i) => read(`--c${i + 1}`)), text: read("--muted"), grid: read("--line"), card: read("--card") };
  };
  const dashes = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [4, 3]];
  const two = (value) => value.toFixed(2);
  const forms = {
    level: two,
    count: (value) => value.toFixed(0),
    seconds: (value) => (value < 10 ? `${value.toFixed(1)} s` : `${value.toFixed(0)} s`),
    usd: (value) => (value && value < 0.1 ? `$${value.toFixed(4)}` : `$${two(value)}`),
  };

  const short = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", timeZone: "UTC" });
  const months = Array.from({ length: 12 }, (_, month) => short.format(Date.UTC(2026, month, 15)));
  const named = { MMMM: months, MMM: months, WWWW: [], WWW: [] };

  const chart = (figure) => {
    const box = figure.querySelector(".chart");
    const legend = figure.querySelector(".legend");
    let outputs = [], boxes = [];
    let plot = null, data = null, mark = "";

    const stacked = () => {
      const values = data.lines.map((line) => line.values);
      if (!data.bars) return [data.times, ...values];
      /* Bars stand on each other: each is drawn over the one that is higher. */
      const sums = [];
      values.forEach((line, at) => sums.push(line.map((value, i) => (boxes[at].checked ? value || 0 : 0) + (at ? sums[at - 1][i] : 0))));
      return [data.times, ...sums.reverse()];
    };
    const place = (at) => (data.bars ? data.lines.length - at : at + 1);
    const readout = (index) => outputs.forEach((output, at) => {
      const value = index == null ? null : data.lines[at].values[index];
      output.textContent = value == null ? "" : forms[data.unit](value);
    });
    const bands = (self) => {
      const amber = Number(figure.dataset.amber), rose = Number(figure.dataset.rose);
      if (!rose) return;
      const { left, width } = self.bbox;
      const style = getComputedStyle(document.documentElement);
      self.ctx.save();
      self.ctx.globalAlpha = 0.14;
      [["--amber-fill", amber, rose], ["--rose-fill", rose, 1]].forEach(([name, low, high]) => {
        const top = self.valToPos(high, "y", true);
        self.ctx.fillStyle = style.getPropertyValue(name).trim();
        self.ctx.fillRect(left, top, width, self.valToPos(low, "y", true) - top);
      });
      self.ctx.restore();
    };
    const draw = () => {
      const seen = colours();
      const drawn = data.lines.map((line, at) => ({
        label: line.label,
        show: boxes[at].checked,
        stroke: seen.lines[at],
        width: data.bars ? 0 : 2,
        dash: data.bars ? [] : dashes[at % dashes.length],
        fill: data.bars ? seen.lines[at] : undefined,
        paths: data.bars ? uPlot.paths.bars({ size: [0.72, 40] }) : undefined,
        points: { show: data.bars ? false : undefined, size: 5 },
        spanGaps: false,
      }));
      const axis = { stroke: seen.text, grid: { stroke: seen.grid, width: 1 }, ticks: { stroke: seen.grid, width: 1 }, font: "12px system-ui, sans-serif" };
      if (plot) plot.destroy();
      plot = new uPlot({
        width: box.clientWidth, height: box.clientWidth < 500 ? 220 : 280,
        fmtDate: (form) => uPlot.fmtDate(form, named),
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), data.zone),
        legend: { show: false },
        focus: { alpha: 0.35 },
        cursor: { focus: { prox: data.bars ? -1 : 24 }, drag: { x: false, y: false }, points: { show: !data.bars } },
        scales: {
          x: { range: () => [data.times[0], data.times[data.times.length - 1] + data.step_seconds] },
          y: { range: (_, low, high) => (data.unit === "level" ? [0, 1] : [0, (high || 1) * 1.08]) },
        },
        axes: [{ ...axis, space: 70, values: [[86400, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1], [3600, "{HH}:{mm}", "\n{D} {MMM}", null, "\n{D} {MMM}", null, null, null, 1], [60, "{HH}:{mm}", "\n{D} {MMM}", null, "\n{D} {MMM}", null, null, null, 1]] }, { ...axis, size: 62, values: (_, ticks) => ticks.map((value) => forms[data.unit](value)) }],
        series: [{}, ...(data.bars ? drawn.reverse() : drawn)],
        hooks: { drawClear: [bands], setCursor: [(self) => readout(self.cursor.idx)] },
      }, stacked(), box);
    };
    /* A box for each line: its dash and colour, its name, and its value where the pointer is. */
    const label = (line, at) => {
      const made = document.createElement("label"), box_ = document.createElement("input"), said = document.createElement("output");
      const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg"), stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
      box_.type = "checkbox";
      box_.checked = true;
      box_.addEventListener("change", () => {
        if (data.bars) plot.setData(stacked());
        plot.setSeries(place(at), { show: box_.checked });
      });
      swatch.setAttribute("viewBox", "0 0 24 8");
      swatch.setAttribute("aria-hidden", "true");
      swatch.setAttribute("class", `swatch ${data.bars ? "bar" : "line"} s${at + 1}`);
      for (const [name, value] of [["x1", 0], ["y1", 4], ["x2", 24], ["y2", 4]]) stroke.setAttribute(name, value);
      swatch.append(stroke);
      said.className = "muted";
      made.append(box_, swatch, line.label, said);
      return made;
    };
    const name = () => {
      legend.querySelectorAll("label").forEach((one) => one.remove());
      legend.append(...data.lines.map(label));
      outputs = [...legend.querySelectorAll("output")];
      boxes = [...legend.querySelectorAll("input")];
      legend.hidden = data.lines.length < 2;
    };
    const empty = () => {
      const known = data.lines.some((line) => line.values.some((value) => value !== null));
      if (!known && !plot) box.textContent = figure.dataset.empty;
      box.classList.toggle("nothing", !known && !plot);
      return !known && !plot;
    };
    const load = async () => {
      const answer = await fetch(figure.dataset.series, mark ? { headers: { "If-None-Match": mark }, cache: "no-store" } : { cache: "no-store" });
      if (answer.status !== 200) {
        if (!data) box.textContent = box.dataset.failed;
        return;
      }
      mark = answer.headers.get("ETag") || "";
      const before = data;
      data = await answer.json();
      if (empty()) { figure.dataset.drawn = mark; return; }
      if (plot && before.lines.length === data.lines.length) plot.setData(stacked());
      else { box.textContent = ""; name(); draw(); }
      figure.dataset.drawn = mark;
    };

    figure.dataset.topics.split(" ").forEach((topic) => document.body.addEventListener(`live:${topic}`, load));
    let wide = box.clientWidth;
    new ResizeObserver(() => {
      if (plot && box.clientWidth && box.clientWidth !== wide) { wide = box.clientWidth; draw(); }
    }).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plot && draw());
    load();
  };

  /* The table beneath a chart is fetched when it is unfolded, and follows what happens while it is. */
  document.querySelectorAll("figure[data-series] + details").forEach((details) => {
    const fetched = () => details.open && htmx.trigger(details.querySelector("[hx-get]"), "shown");
    details.addEventListener("toggle", fetched);
    details.previousElementSibling.dataset.topics.split(" ").forEach((topic) => document.body.addEventListener(`live:${topic}`, fetched));
  });

  const charts = [...document.querySelectorAll("[data-series]")];
  /* What is further down is drawn when it comes near. */
  const near = new IntersectionObserver((seen) => seen.forEach((one) => {
    if (one.isIntersecting) { near.unobserve(one.target); chart(one.target); }
  }), { rootMargin: "400px" });
  charts.forEach((figure) => near.observe(figure));
})();
