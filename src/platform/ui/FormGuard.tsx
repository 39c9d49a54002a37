// Prompts before another screen replaces what is typed into a dialog or a form, if the screen has no guard of its own.
import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from './DiscardDialog.tsx';
import { isScreenGuarded } from './LeaveGuard.tsx';
import { asksToLeave } from './unsaved.web.ts';

export default function FormGuard() {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => !isScreenGuarded() && asksToLeave(current.pathname !== next.pathname),
    enableBeforeUnload: false,
    withResolver: true,
  });
  return leaving.status === 'blocked' ? <DiscardDialog onStay={leaving.reset} onDiscard={leaving.proceed} /> : null;
}
