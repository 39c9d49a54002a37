// The form component of the product: Enter in a field or Ctrl+Enter anywhere submits, and the first refused field gets the focus.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useUnsaved } from './unsaved.web.ts';

type Props = {
  onSubmit: () => void;
  children: ReactNode;
  label?: string;
  /** The parent prompts before typed input is discarded. */
  isGuarded?: boolean;
};

export function Form({ onSubmit, children, label, isGuarded = false }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // Stays true until the user types, because the server's errors arrive later than those of the form.
  const submitted = useRef(false);
  const goToRefused = () => {
    const refused = submitted.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!refused) return;
    submitted.current = false;
    refused.focus();
  };
  const alerts = () => [...(form.current?.querySelectorAll('[role="alert"]') ?? [])];
  const alertsBefore = useRef<Element[]>([]);
  useEffect(() => {
    goToRefused();
    // After a failed save the typed input is unsaved again.
    if (alerts().some((alert) => !alertsBefore.current.includes(alert))) submitted.current = false;
  });
  // A dialog with typed input is unsaved work until it closes; filters of a page are not.
  const [typed, setTyped] = useState(false);
  // After a successful submit, another screen may open without a prompt.
  useUnsaved(typed, undefined, (isOtherScreen) => isOtherScreen && !isGuarded && !submitted.current);
  useEffect(() => {
    const element = form.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Some fields, such as those for email addresses, accept their text only on blur. The focus stays, because focusing again would open a list.
      flushSync(() => document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
      element?.requestSubmit();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onInput={({ currentTarget }) => {
        submitted.current = false;
        if (currentTarget.closest('[role="dialog"]')) setTyped(true);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        submitted.current = true;
        alertsBefore.current = alerts();
        onSubmit();
        // The errors may be the same as before, so nothing renders again.
        requestAnimationFrame(goToRefused);
      }}
    >
      {children}
    </form>
  );
}
