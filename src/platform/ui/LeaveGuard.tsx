// Prompts before another screen replaces unsaved work.
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { DiscardDialog } from './DiscardDialog.tsx';
import { commitTyped, wouldLose } from './unsaved.web.ts';

let guards = 0;
/** Returns whether the screen prompts for everything on it, so that no dialog needs to prompt as well. */
export const isScreenGuarded = (): boolean => guards > 0;

export function LeaveGuard() {
  useEffect(() => {
    guards++;
    return () => void guards--;
  }, []);
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
