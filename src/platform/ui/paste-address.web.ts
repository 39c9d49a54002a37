// Pastes an email address without the name that mail programs copy with it.
import type { ClipboardEvent } from 'react';
import { withoutName } from '#platform/shared/mail-addresses.ts';

/** For the `onPaste` of a field for one address. Any other text is pasted unchanged. */
export function pasteAddress(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData('text/plain').trim();
  const address = withoutName(text);
  if (address === text) return;
  event.preventDefault();
  // Inserts the text like the keyboard, so that React and undo notice it. Email fields do not support setting a selection.
  document.execCommand('insertText', false, address);
}
