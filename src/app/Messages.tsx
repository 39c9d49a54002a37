// What the program shows over the page: messages where they cover no control and no figure, and the Processing dialog.
import '@mantine/notifications/styles.css';
import { Notifications, notificationsStore } from '@mantine/notifications';
import { useEffect } from 'react';
import {
  type Box,
  boxAt,
  coveredBy,
  MESSAGE_PLACES,
  type MessagePlace,
  placeOfMessages,
} from '#platform/ui/message-place.ts';
import { Processing } from '#platform/ui/Processing.tsx';
import classes from './SignedInShell.module.css';

/** Elements that a user presses, types into or reads as a figure. */
const OBSTACLES =
  'button, a[href], input, select, textarea, [role="button"], [role="tab"], [role="option"], [role="dialog"] h2, dd, .figure, [data-amount]';
/** Narrower windows show rows as cards. */
const NARROW_PX = 768;
/** How often the position is checked while the page moves or changes under a message. */
const EVERY_MS = 150;

export default function Messages() {
  useEffect(avoidObstacles, []);
  return (
    <>
      <Notifications position="bottom-right" autoClose={4000} limit={3} className={classes['toasts'] ?? ''} />
      <Processing />
    </>
  );
}

/** Moves the messages away from what they would cover, as long as there are messages. */
function avoidObstacles(): () => void {
  let place: MessagePlace = MESSAGE_PLACES[0];
  let timer: number | undefined;
  const look = () => {
    const boxes = [...document.querySelectorAll('.mantine-Notification-root')].map((entry) =>
      entry.getBoundingClientRect(),
    );
    if (boxes.length === 0) return;
    const size = {
      width: Math.max(...boxes.map(({ width }) => width)),
      height: Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top)),
    };
    const bar = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bottom-bar')) || 0;
    const window_ = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const room = { window: window_, size, bar };
    const others = obstacles();
    place = placeOfMessages(room, others, place);
    const isFree = coveredBy(boxAt(place, room), others) === 0;
    // A phone full of rows has no free position. Content below a message at the bottom can be scrolled above it; the header cannot.
    if (!isFree && window_.width < NARROW_PX) place = 'bottom-center';
    document.documentElement.dataset['messages'] = place;
    makeRoom(isFree ? 0 : size.height + 32);
  };
  const stop = notificationsStore.subscribe(({ notifications }) => {
    if (notifications.length === 0) {
      window.clearInterval(timer);
      timer = undefined;
      makeRoom(0);
    } else if (timer === undefined) {
      requestAnimationFrame(look);
      timer = window.setInterval(look, EVERY_MS);
    }
  });
  return () => {
    stop();
    window.clearInterval(timer);
  };
}

/** Lets the end of the page be scrolled above the messages. */
const makeRoom = (height: number) => document.documentElement.style.setProperty('--messages-room', `${height}px`);

function obstacles(): Box[] {
  // Content behind an open dialog cannot be used anyway.
  const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].findLast((candidate) =>
    candidate.checkVisibility(),
  );
  const foot = dialog?.querySelector('.dialog-foot');
  const end = foot?.getBoundingClientRect().top ?? Infinity;
  return [...(dialog ?? document).querySelectorAll(OBSTACLES)]
    .filter(
      (candidate) =>
        candidate.closest('.mantine-Notifications-root') === null &&
        candidate.checkVisibility({ opacityProperty: true }),
    )
    .map((entry) => ({ box: entry.getBoundingClientRect(), isInFoot: foot?.contains(entry) }))
    .filter(({ box, isInFoot }) => isInFoot || box.top < end)
    .map(({ box }) => box);
}
