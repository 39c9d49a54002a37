// Asks before another screen replaces what is typed into a dialog.
import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from './DiscardDialog.tsx';
import { isScreenGuarded } from './LeaveGuard.tsx';

/** `isSent`: the form was submitted as it is, so that a screen which follows replaces nothing. */
export default function FormGuard({ isSent }: { isSent: () => boolean }) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !isSent() && !isScreenGuarded(),
    enableBeforeUnload: false,
    withResolver: true,
  });
  return leaving.status === 'blocked' ? <DiscardDialog onStay={leaving.reset} onDiscard={leaving.proceed} /> : null;
}
