// Watches a page with the map: frames, and redraws and lassos from the map's performance measures. Runs in the browser.

/** Times in ms since the navigation began. */
export type Watched = {
  watched: {
    /** `seen`: when the picture is done. `colored`: its share that is neither water nor bare land. `colors`: its number of colors. */
    redraws: { start: number; took: number; seen: number; colored: number; colors: number }[];
    /** How long each lasso took to find its contents. */
    lassos: number[];
    /** When each frame began. */
    frames: number[];
    /** The time from frame to frame while the pointer drags. */
    dragged: number[];
    /** When the pointer was last released. */
    up: number;
  };
};

/** The page runs this before its own scripts, so it uses nothing from outside. */
export function watchMap(): void {
  const watched: Watched['watched'] = { redraws: [], lassos: [], frames: [], dragged: [], up: 0 };
  (globalThis as unknown as Watched).watched = watched;
  const small = new OffscreenCanvas(160, 100).getContext('2d', { willReadFrequently: true });
  const look = () => {
    const canvas = document.querySelector<HTMLCanvasElement>('.leaflet-overlay-pane canvas');
    if (!canvas || !small) return { colored: 0, colors: 0 };
    small.imageSmoothingEnabled = false;
    small.drawImage(canvas, 0, 0, 160, 100);
    const { data } = small.getImageData(0, 0, 160, 100);
    const counts = new Map<number, number>();
    let colored = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r = 0, g = 0, b = 0] = [data[i], data[i + 1], data[i + 2]];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 30) continue;
      colored++;
      const color = (r << 16) | (g << 8) | b;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    return { colored: colored / 16_000, colors: [...counts.values()].filter((count) => count > 80).length };
  };
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) {
      if (name === 'map-lasso') watched.lassos.push(duration);
      if (name !== 'map-redraw') continue;
      const seen = performance.now();
      // Reads pixels only until the first pictures are done, because reading them takes time. States appear one after another.
      const result = watched.redraws.length < 16 ? look() : { colored: 0, colors: 0 };
      watched.redraws.push({ start: startTime, took: duration, seen, ...result });
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
