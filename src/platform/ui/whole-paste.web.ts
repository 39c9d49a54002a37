// Allows a pasted text to be longer than its field. The browser would cut it off silently; now the save reports the limit.

/** Watches the page from now on. */
export function pasteWhole(): void {
  document.addEventListener('paste', ({ target, clipboardData }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || target.maxLength < 0) return;
    const { value, selectionStart, selectionEnd, maxLength } = target;
    const room = maxLength - value.length + ((selectionEnd ?? 0) - (selectionStart ?? 0));
    if ((clipboardData?.getData('text/plain').length ?? 0) > room) target.removeAttribute('maxlength');
  });
}
