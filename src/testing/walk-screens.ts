// Goes from screen to screen within the program, which takes a tenth of the time of loading it again, and tells what each shows.
import type { Page } from '@playwright/test';

/** What a screen shows once it has settled. */
type SeenScreen = {
  address: string;
  title: string;
  /** The heading of the screen, or the sentence in its place if a record is missing. `STUCK` if the screen did not settle. */
  heading: string;
  text: string;
  buttons: number;
  /** How many pixels the screen is wider than its window. */
  tooWide: number;
  /** Whether the sticky heading of a list covers its first row, as it would inside a box that scrolls by itself. */
  hidesFirstRow: boolean;
};

export const STUCK = 'still loading';

/** Opens these screens one after the other. The page must show one of the program's screens already. */
export function walkScreens(page: Page, addresses: string[]): Promise<SeenScreen[]> {
  return page.evaluate<SeenScreen[]>(codeFor(addresses));
}

/** Opens one screen. */
export async function openScreen(page: Page, address: string): Promise<SeenScreen> {
  const [seen] = await walkScreens(page, [address]);
  if (!seen) throw new Error('one address gives one screen');
  return seen;
}

// The code is a string, because test files are checked without the browser's types.
const codeFor = (addresses: string[]) => `(async () => {
  const busy = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const until = async (isSo, milliseconds) => {
    const end = Date.now() + milliseconds;
    do await frame(); while (!isSo() && Date.now() < end);
    return isSo();
  };
  const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const seen = [];
  for (const address of ${JSON.stringify(addresses)}) {
    const router = window.__TSR_ROUTER__;
    await router.navigate({ href: address });
    const main = () => document.querySelector('main');
    const heading = () => main()?.querySelector('h1') ?? main()?.querySelector('[role=alert]');
    const isSettled = await until(
      () => router.state.status === 'idle' && heading() && !document.querySelector(busy), 20000);
    // A list redraws a moment after its place gets narrower.
    await until(() => tooWide() <= 0, 2000);
    scrollTo(0, 0);
    seen.push({
      address,
      title: document.title,
      heading: isSettled ? heading().textContent : ${JSON.stringify(STUCK)},
      text: main()?.textContent ?? '',
      buttons: main()?.querySelectorAll('button').length ?? 0,
      tooWide: Math.max(0, tooWide()),
      hidesFirstRow: [...document.querySelectorAll('table.list')].some((table) => {
        const title = table.querySelector('th')?.getBoundingClientRect();
        const row = table.querySelector('tbody td')?.getBoundingClientRect();
        return title && row ? title.bottom > row.top + 1 : false;
      }),
    });
  }
  return seen;
})()`;
