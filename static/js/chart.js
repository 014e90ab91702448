// <measurement-chart>: the values of one metric as points and their trend as a line, drawn by uPlot.
//
// Its data is a JSON child: {"days": [days since 1970], "values": [number], "trend": [number],
// "unit": "kg", "symbol": "kg", "places": 1, "figures": true}. With "figures": false no number is shown.
// Arrow keys walk from point to point (role slider: each step is read out); a pointer does the same.

const DAY = 86400;
const POUNDS_IN_STONE = 14;
const language = document.documentElement.lang;

const dateFormat = new Intl.DateTimeFormat(language, {
  weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC",
});

function partsOf(seconds) {
  const parts = dateFormat.formatToParts(seconds * 1000);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value.replace(".", "")]));
}

// "Thu 2 Jan 2020", in every language in this order, as the rest of the page writes it.
function inWords(seconds) {
  const { weekday, day, month, year } = partsOf(seconds);
  return `${weekday} ${day} ${month} ${year}`;
}

function axisLabel(seconds, step) {
  const { day, month, year } = partsOf(seconds);
  if (step >= 360 * DAY) return year;
  if (step < 28 * DAY) return `${day} ${month}`;
  return new Date(seconds * 1000).getUTCMonth() === 0 ? year : month;
}

function numberFormat(unit, symbol) {
  if (unit === "st_lb") {
    return (value, places) => {
      const scale = 10 ** places;
      const pounds = Math.round(value * scale) / scale;
      const stones = Math.floor(pounds / POUNDS_IN_STONE);
      const rest = new Intl.NumberFormat(language, { maximumFractionDigits: places });
      return `${stones} st ${rest.format(pounds - stones * POUNDS_IN_STONE)} lb`;
    };
  }
  return (value, places) => {
    const number = new Intl.NumberFormat(language, {
      minimumFractionDigits: places, maximumFractionDigits: places,
    });
    return symbol ? `${number.format(value)} ${symbol}` : number.format(value);
  };
}

class MeasurementChart extends HTMLElement {
  connectedCallback() {
    if (this.plot) return;
    const source = this.querySelector("script");
    if (!source) return;
    this.data = JSON.parse(source.textContent);
    this.format = numberFormat(this.data.unit, this.data.symbol);
    this.readout = document.getElementById(this.dataset.readout);
    this.initialReadout = this.readout?.textContent;
    this.draw();
    this.listen();
  }

  disconnectedCallback() {
    this.sizes?.disconnect();
    this.themes?.disconnect();
    this.scheme?.removeEventListener("change", this.redraw);
    this.plot?.destroy();
    this.plot = null;
  }

  draw() {
    const { days, values, trend } = this.data;
    const color = (name) => () => getComputedStyle(this).getPropertyValue(name);
    const small = this.hasAttribute("data-small");
    const font = `500 12px ${getComputedStyle(this).fontFamily}`;
    const axis = { stroke: color("--quiet"), font, ticks: { show: false }, border: { show: false } };
    this.plot = new uPlot(
      {
        width: this.clientWidth,
        height: this.clientHeight,
        padding: [10, 8, 0, 8],
        legend: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        scales: { x: { range: (plot, low, high) => this.xRange(low, high) }, y: { range: this.yRange } },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 10, width: 2 } },
        axes: [
          {
            ...axis,
            size: 28,
            gap: 8,
            space: 52,
            grid: { show: false },
            incrs: [1, 2, 7, 14, 28, 90, 180, 365, 730, 1825].map((step) => step * DAY),
            splits: (plot, index, low, high, step) => dateTicks(low, high, step),
            values: (plot, ticks, index, space, step) =>
              ticks.map((tick) => (isInside(plot, tick) ? axisLabel(tick, step) : null)),
          },
          {
            ...axis,
            show: this.data.figures && !small,
            side: 1,
            gap: 8,
            space: 44,
            grid: { stroke: color("--line"), width: 1 },
            ...(this.data.unit === "st_lb" ? { incrs: [1, 2, 7, 14, 28, 56] } : {}),
            size: (plot, labels) => 16 + 7.2 * Math.max(2, ...(labels ?? []).map((label) => label.length)),
            values: (plot, ticks) => {
              const places = ticks.every(Number.isInteger) ? 0 : 1;
              return ticks.map((tick) => this.format(tick, places));
            },
          },
        ],
        series: [
          {},
          {
            stroke: color("--quiet"),
            paths: () => null,
            points: { show: true, size: days.length > 200 ? 3 : 5, fill: color("--quiet"), width: 0 },
          },
          { stroke: color("--accent-text"), width: 2.5, points: { show: days.length === 1 } },
        ],
        hooks: { setCursor: [(plot) => this.tell(plot.cursor.idx)] },
      },
      [days.map((day) => day * DAY), values, trend],
      this,
    );
  }

  xRange(low, high) {
    return low === high ? [low - 3 * DAY, high + 3 * DAY] : [low, high];
  }

  // At least two units high, so that a calm week does not look like a storm.
  yRange(plot, low, high) {
    const missing = Math.max(0, 2 - (high - low)) / 2;
    const air = (high - low) * 0.08;
    return [low - missing - air, high + missing + air];
  }

  listen() {
    this.redraw = () => this.plot?.redraw(false);
    this.sizes = new ResizeObserver(() => {
      if (this.clientWidth) this.plot?.setSize({ width: this.clientWidth, height: this.clientHeight });
    });
    this.sizes.observe(this);
    this.themes = new MutationObserver(this.redraw);
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.redraw);
    document.fonts?.ready.then(this.redraw);
    this.addEventListener("keydown", (event) => this.walk(event));
    this.addEventListener("focus", () => this.point(this.at ?? this.data.days.length - 1));
    this.addEventListener("blur", () => this.leave());
    this.plot.over.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") this.point(this.plot.posToIdx(event.offsetX));
    });
  }

  walk(event) {
    const last = this.data.days.length - 1;
    const at = this.at ?? last;
    const next = {
      ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
      PageDown: at - 7, PageUp: at + 7, Home: 0, End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.point(Math.min(last, Math.max(0, next)));
  }

  point(index) {
    this.plot.setCursor({
      left: this.plot.valToPos(this.data.days[index] * DAY, "x"),
      top: this.plot.valToPos(this.data.trend[index], "y"),
    });
    this.tell(index);
  }

  leave() {
    this.plot?.setCursor({ left: -10, top: -10 });
    this.tell(null);
  }

  tell(index) {
    if (index == null) {
      if (this.readout) this.readout.textContent = this.initialReadout;
      return;
    }
    this.at = index;
    const text = this.sentence(index);
    if (this.readout) this.readout.textContent = text;
    this.setAttribute("aria-valuenow", index);
    this.setAttribute("aria-valuetext", text);
  }

  sentence(index) {
    const { days, values, trend, places, figures } = this.data;
    const day = inWords(days[index] * DAY);
    if (!figures) return day;
    return this.dataset.sentence
      .replace("{day}", day)
      .replace("{value}", this.format(values[index], places))
      .replace("{trend}", this.format(trend[index], places));
  }
}

// Whether a label centred on a tick is not cut off by the edge of the drawing.
function isInside(plot, tick) {
  const left = plot.valToPos(tick, "x");
  return left > 14 && left < plot.width - 30;
}

// Ticks on whole days; from a month upwards on the first of a month, from a year on the first of January.
function dateTicks(low, high, step) {
  const ticks = [];
  const months = Math.round(step / (30.4 * DAY));
  if (months < 1) {
    for (let tick = Math.ceil(low / DAY) * DAY; tick <= high; tick += step) ticks.push(tick);
    return ticks;
  }
  const first = new Date(low * 1000);
  let month = first.getUTCFullYear() * 12 + Math.ceil(first.getUTCMonth() / months) * months;
  for (let tick; (tick = Date.UTC(Math.floor(month / 12), month % 12) / 1000) <= high; month += months) {
    if (tick >= low) ticks.push(tick);
  }
  return ticks;
}

customElements.define("measurement-chart", MeasurementChart);
