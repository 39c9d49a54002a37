// Announces the line of the quote that this user is on, and receives the positions of other users.
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { onHere } from '#platform/live/live.web.ts';
import type { Other } from '#platform/live/live.contract.ts';
import { Presence } from '#core/quoting/presence/presence.contract.ts';

/** Servers forget a tab that is silent for 45 seconds. */
const BEAT_MS = 20_000;
const REST_MS = 1000;
/** After a failure, the call is repeated before the next beat, so that the user is not invisible for long. */
const AGAIN_MS = 3000;

/**
 * Announces the user's place immediately, when it changes, and regularly while the tab is visible. Stops when the returned function is called. `show`
 * receives the other users.
 */
export function announcePlace(quoteId: number, show: (others: readonly Other[]) => void): () => void {
  const tab = 1 + Math.floor(Math.random() * 2_147_483_646);
  let isAlone = true;
  /** The line in which the user typed last. */
  let typedIn: number | null = null;
  let announced = '';
  let announcedAt = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const send = (place: { itemId: number | null; typing: boolean }, here = true) => {
    announcedAt = Date.now();
    api(Presence)
      .SayWhereIAm({ quoteId, tab, here, ...place })
      .catch((error: unknown) => {
        // The user may no longer see the quote.
        if (error instanceof HttpError && error.status === 404) show([]);
        else if (!isOver) {
          clearTimeout(again);
          again = setTimeout(() => say(true), AGAIN_MS);
        }
      });
  };
  const say = (isBeat: boolean) => {
    const isHidden = document.visibilityState === 'hidden';
    const itemId = isHidden ? null : lineAt(document.activeElement);
    if (itemId !== typedIn) typedIn = null;
    const place = { itemId, typing: typedIn !== null };
    const now = JSON.stringify(place);
    if (isBeat ? isHidden : now === announced) return;
    announced = now;
    send(place);
  };
  /** When the user is alone, nobody needs the movements. */
  const soon = () => {
    if (isAlone) return;
    waiting ??= setTimeout(
      () => {
        waiting = undefined;
        say(false);
      },
      Math.max(0, announcedAt + REST_MS - Date.now()),
    );
  };
  const typed = ({ target }: Event) => {
    typedIn = lineAt(target);
    soon();
  };
  const seen = () => {
    if (document.visibilityState === 'visible') say(true);
    else soon();
  };
  const leave = onHere((here) => {
    if (here.quoteId !== quoteId) return;
    isAlone = here.others.length === 0;
    show(here.others);
    soon();
  });
  say(true);
  const beat = setInterval(() => say(true), BEAT_MS);
  document.addEventListener('focusin', soon);
  document.addEventListener('focusout', soon);
  document.addEventListener('input', typed);
  document.addEventListener('visibilitychange', seen);
  return () => {
    leave();
    clearInterval(beat);
    clearTimeout(waiting);
    clearTimeout(again);
    isOver = true;
    document.removeEventListener('focusin', soon);
    document.removeEventListener('focusout', soon);
    document.removeEventListener('input', typed);
    document.removeEventListener('visibilitychange', seen);
    show([]);
    send({ itemId: null, typing: false }, false);
  };
}

/** The line that an element belongs to, in a row, a card or a form. */
function lineAt(place: EventTarget | null): number | null {
  const line = place instanceof Element ? place.closest<HTMLElement>('[data-line], [data-card]') : null;
  return Number(line?.dataset['line'] ?? line?.dataset['card']) || null;
}
