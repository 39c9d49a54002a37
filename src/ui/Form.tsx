// A form of the product: Enter in a field and Ctrl+Enter anywhere in it submit; the first field that is refused gets the focus.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useUnsaved } from './unsaved.web.ts';

type Props = { onSubmit: () => void; children: ReactNode; label?: string };

export function Form({ onSubmit, children, label }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // Until something is typed: what the server refuses comes a moment later than what the form refuses.
  const submitted = useRef(false);
  const goToRefused = () => {
    const refused = submitted.current && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!refused) return;
    submitted.current = false;
    refused.focus();
  };
  useEffect(goToRefused);
  // A dialog that was typed into is work until it is closed; filters of a page are not.
  const [typed, setTyped] = useState(false);
  useUnsaved(typed);
  useEffect(() => {
    const element = form.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
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
        onSubmit();
        // Refused as before, so that nothing is drawn anew.
        requestAnimationFrame(goToRefused);
      }}
    >
      {children}
    </form>
  );
}
