// What is watched in a page with the map: pictures as the map says them by performance measures, lassos, frames. Runs in the browser.

/** Times in ms since the navigation began. */
export type Watched = {
  watched: {
    /** `seen`: the picture is done; `coloured`: the share of it that is neither water nor bare land; `colours`: how many are in it. */
    redraws: { start: number; took: number; seen: number; coloured: number; colours: number }[];
    /** How long each lasso took to find what is in it. */
    lassos: number[];
    /** When each frame began. */
    frames: number[];
    /** From frame to frame while the pointer drags. */
    dragged: number[];
    /** When the pointer was last let go. */
    up: number;
  };
};

/** Given to the page before its own scripts; uses nothing from outside. */
export function watchMap(): void {
  const watched: Watched['watched'] = { redraws: [], lassos: [], frames: [], dragged: [], up: 0 };
  (globalThis as unknown as Watched).watched = watched;
  const small = new OffscreenCanvas(160, 100).getContext('2d', { willReadFrequently: true });
  const look = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.leaflet-overlay-pane canvas');
    if (!canvas || !small) return { coloured: 0, colours: 0 };
    small.imageSmoothingEnabled = false;
    small.drawImage(canvas, 0, 0, 160, 100);
    const { data } = small.getImageData(0, 0, 160, 100);
    const counts = new Map<number, number>();
    let coloured = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 30) continue;
      coloured++;
      const color = (r << 16) | (g << 8) | b;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return { coloured: coloured / 16_000, colours: [...counts.values()].filter((count) => count > 80).length };
  };
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) {
      if (name === 'map-lasso') watched.lassos.push(duration);
      if (name !== 'map-redraw') continue;
      const seen = performance.now();
      // Looked at only while the first pictures come: reading pixels costs time.
      const found = watched.redraws.length < 6 ? look() : { coloured: 0, colours: 0 };
      watched.redraws.push({ start: startTime, took: duration, seen, ...found });
    }
  }).observe({ type: 'measure', buffered: true });

  let [down, last] = [false, 0];
  addEventListener('pointerdown', () => (down = true), true);
  addEventListener(
    'pointerup',
    () => {
      down = false;
      watched.up = performance.now();
    },
    true,
  );
  const frame = (now: number) => {
    watched.frames.push(now);
    if (down && last > 0) watched.dragged.push(now - last);
    last = down ? now : 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
