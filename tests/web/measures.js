// Measures the elements of a page and returns a sentence for each layout fault. Run in the page by measures.py.
(allows) => {
  const faults = [];
  const name = (part) =>
    part.dataset?.testid ?? part.getAttribute("aria-label") ?? `${part.tagName.toLowerCase()} "${part.textContent.trim().slice(0, 30)}"`;
  const shape = (box) => `${Math.round(box.left)},${Math.round(box.top)}-${Math.round(box.right)},${Math.round(box.bottom)}`;
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const isUnseen = (part) => part.closest(".unseen, [hidden], details:not([open]) > :not(summary), noscript, title, style, script") !== null;
  const dialog = document.querySelector("dialog[open]");
  const over = document.querySelector("[data-testid=table] .over");
  // On a small screen a question covers the rest; then only the question is measured.
  const layer = dialog ?? (over && over.children.length > 0 && getComputedStyle(over).position === "fixed" ? over : document.body);

  /** The visible part of a box, clipped by its scroll containers. */
  function seen(part, box) {
    let left = box;
    for (let frame = part.parentElement; frame; frame = frame.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(frame);
      if (overflowX !== "visible" || overflowY !== "visible") left = cut(left, frame.getBoundingClientRect());
      if (position === "fixed" || frame.tagName === "DIALOG") break;
    }
    return left;
  }

  // A page never scrolls horizontally.
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth + 1) faults.push(`the page is ${page.scrollWidth} wide on a screen of ${innerWidth}`);

  // Text.
  const texts = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const part = node.parentElement;
    if (!node.textContent.trim() || isUnseen(part) || part.closest("svg, select, option, textarea")) continue;
    if (getComputedStyle(part).visibility === "hidden") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      for (let frame = part; frame && frame !== document.documentElement; frame = frame.parentElement) {
        const style = getComputedStyle(frame);
        const box = frame.getBoundingClientRect();
        // Names that people typed may be shortened if a tooltip shows the whole name.
        if (style.textOverflow === "ellipsis" && style.overflowX !== "visible" && frame.closest("[title]")) break;
        if (["hidden", "clip"].includes(style.overflowX) && (line.right > box.right + 1.5 || line.left < box.left - 1.5)) {
          faults.push(`text "${node.textContent.trim()}" is cut off sideways by ${name(frame).slice(0, 40)}`);
          break;
        }
        if (["hidden", "clip"].includes(style.overflowY) && (line.bottom > box.bottom + 3 || line.top < box.top - 3)) {
          const scroller = part.closest("ol, ul, .pad, .offer, .tickets, .ending, aside, .options");
          if (scroller && scroller.scrollHeight > scroller.clientHeight + 1 && frame.contains(scroller)) break;
          faults.push(`text "${node.textContent.trim()}" is cut off below or above by ${name(frame).slice(0, 40)}`);
          break;
        }
        if (style.overflowX === "auto" || style.overflowX === "scroll" || style.overflowY === "auto" || style.overflowY === "scroll") {
          if (frame.scrollWidth > frame.clientWidth + 1 && !frame.matches(".scroll")) {
            faults.push(`${name(frame).slice(0, 40)} scrolls sideways`);
          }
          break;
        }
        if (frame.matches("button, .button, input, label") && (line.right > box.right + 1.5 || line.left < box.left - 1.5 || line.bottom > box.bottom + 3)) {
          faults.push(`text "${node.textContent.trim()}" runs out of ${name(frame).slice(0, 40)}`);
          break;
        }
      }
    }
  }

  // Text of a table on a large screen.
  if (innerWidth >= 1920 && innerHeight >= 1080) {
    for (const part of document.querySelectorAll("[data-testid=table] *")) {
      const hasText = [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      if (!hasText || isUnseen(part) || !part.getClientRects().length) continue;
      // Who wants larger letters gets a smaller map.
      if (part.closest("svg") && document.documentElement.style.fontSize) continue;
      const size = Number.parseFloat(getComputedStyle(part).fontSize) * (part.getScreenCTM?.().a ?? 1);
      if (size < allows.leastText - 0.05) faults.push(`text "${part.textContent.trim().slice(0, 30)}" has ${size.toFixed(1)} pixels`);
    }
  }

  // Controls.
  const controls = [...layer.querySelectorAll("button, a, input, select, summary, [role=tab]")]
    .filter((part) => !isUnseen(part) && !part.matches(".unseen") && !part.closest("svg"))
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ part, box }) => box.width > 0 && getComputedStyle(part).opacity !== "0" && getComputedStyle(part).visibility !== "hidden")
    .map(({ part, box }) => ({ part, box, seen: seen(part, box) }))
    .filter((control) => !isEmpty(control.seen));
  for (const [i, a] of controls.entries()) {
    for (const b of controls.slice(i + 1)) {
      if (a.part.contains(b.part) || b.part.contains(a.part)) continue;
      const both = cut(a.seen, b.seen);
      if (both.right - both.left > 1 && both.bottom - both.top > 1) faults.push(`${name(a.part)} (${shape(a.box)}) overlaps ${name(b.part)} (${shape(b.box)})`);
    }
    const { left, right } = a.box;
    const scroller = a.part.closest(".scroll");
    if (!scroller && (left < -1 || right > innerWidth + 1)) faults.push(`${name(a.part)} is outside the screen (${shape(a.box)})`);
    const isInText = a.part.matches("p a, li a:not(.button)");
    const label = a.part.closest("label");
    const box = a.part.matches("input[type=checkbox], input[type=radio]") && label ? label.getBoundingClientRect() : a.box;
    if (!isInText && (box.width < allows.least - 0.5 || box.height < allows.least - 0.5)) {
      faults.push(`${name(a.part)} is ${box.width.toFixed(0)} x ${box.height.toFixed(0)}, less than ${allows.least}`);
    }
  }

  // The board.
  const svg = document.querySelector("[data-testid=board] svg");
  if (!svg || layer !== document.body) return [...new Set(faults)];
  const frame = svg.closest("[data-testid=board]").getBoundingClientRect();
  const corners = (part, box, shrink) => {
    const matrix = part.getScreenCTM();
    const [w, h] = [box.width * shrink, box.height * shrink];
    const [x, y] = [box.x + (box.width - w) / 2, box.y + (box.height - h) / 2];
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]].map(([px, py]) => {
      const point = new DOMPoint(px, py).matrixTransform(matrix);
      return [point.x, point.y];
    });
  };
  const rectOf = (box) => [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]];
  /** How far two convex shapes overlap; 0 if they are apart. */
  function depth(a, b) {
    let least = Infinity;
    for (const one of [a, b]) {
      for (let i = 0; i < one.length; i++) {
        const [x1, y1] = one[i];
        const [x2, y2] = one[(i + 1) % one.length];
        const [length, nx, ny] = [Math.hypot(x2 - x1, y2 - y1) || 1, y1 - y2, x2 - x1];
        const along = (shape) => shape.map(([x, y]) => (x * nx + y * ny) / length);
        const [p, q] = [along(a), along(b)];
        const overlap = Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q));
        if (overlap <= 0) return 0;
        least = Math.min(least, overlap);
      }
    }
    return least;
  }

  const scale = svg.getScreenCTM().a;
  // A board that is zoomed in shows a part of itself, and any of it may be under the buttons.
  const isWhole = !svg.style.transform.match(/scale\((?!1\))/);
  const things = [];
  for (const route of svg.querySelectorAll("[data-route]")) {
    const spaces = [...route.querySelectorAll("use:not(.phantom)")];
    for (const [i, use] of spaces.entries()) {
      // A train is drawn slightly larger than its space; the space is measured.
      const space = document.querySelector(use.getAttribute("href").replace(/train-\d/, "space-grey"));
      things.push({ what: "space", name: `${route.dataset.route} space ${i + 1}`, route: route.dataset.route, shape: corners(use, space.firstElementChild.getBBox(), 1) });
    }
  }
  for (const city of svg.querySelectorAll("[data-stop]")) {
    const dot = city.querySelector(".dot");
    const circle = dot.getBoundingClientRect();
    const [x, y, r] = [(circle.left + circle.right) / 2, (circle.top + circle.bottom) / 2, circle.width / 2];
    const points = dot.matches("path")
      ? [0, 2, 4, 6, 8].map((i) => {
          const tip = dot.getPointAtLength((dot.getTotalLength() * i) / 10);
          const at = new DOMPoint(tip.x, tip.y).matrixTransform(dot.getScreenCTM());
          return [at.x, at.y];
        })
      : null;
    const round = points ?? Array.from({ length: 12 }, (_, i) => [x + r * Math.cos((i * Math.PI) / 6), y + r * Math.sin((i * Math.PI) / 6)]);
    things.push({ what: "city", name: `city ${city.dataset.stop}`, shape: round });
    for (const line of city.querySelectorAll("tspan")) {
      if (getComputedStyle(line).display === "none" || !line.getNumberOfChars() || getComputedStyle(line.parentElement).display === "none") continue;
      const text = getComputedStyle(line).fontSize;
      const size = Number.parseFloat(text) * scale;
      const ends = [line.getStartPositionOfChar(0), line.getEndPositionOfChar(line.getNumberOfChars() - 1)].map((end) =>
        new DOMPoint(end.x, end.y).matrixTransform(line.getScreenCTM()),
      );
      const box = { left: ends[0].x, right: ends[1].x, top: ends[0].y - size * 0.72, bottom: ends[0].y + size * 0.02 };
      if (isWhole && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)) {
        faults.push(`the name ${line.textContent} runs out of the board`);
      }
      things.push({ what: "name", name: `the name ${line.textContent}`, shape: rectOf(box), of: city.dataset.stop });
    }
  }
  for (const button of document.querySelectorAll("[data-testid=board] .zoom button")) {
    const box = rectOf(button.getBoundingClientRect());
    for (const thing of things) {
      if (isWhole && thing.what === "name" && depth(thing.shape, box) > 0.6) faults.push(`${name(button)} covers ${thing.name}`);
    }
  }
  const most = 0.6;
  for (const [i, a] of things.entries()) {
    for (const b of things.slice(i + 1)) {
      if (a.of && a.of === b.of) continue;
      const deep = depth(a.shape, b.shape);
      if (deep > most) faults.push(`${a.name} overlaps ${b.name} by ${deep.toFixed(1)} pixels`);
    }
  }
  return [...new Set(faults)];
}
