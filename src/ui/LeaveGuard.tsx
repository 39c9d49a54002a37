// Asks before another screen replaces unsaved work.
import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from './DiscardDialog.tsx';
import { commitTyped, wouldLose } from './unsaved.web.ts';

export function LeaveGuard() {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      commitTyped();
      return wouldLose();
    },
    enableBeforeUnload: false,
    withResolver: true,
  });
  return leaving.status === 'blocked' ? <DiscardDialog onStay={leaving.reset} onDiscard={leaving.proceed} /> : null;
}
