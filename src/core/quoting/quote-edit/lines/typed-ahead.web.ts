// Collects what the user types while an item is being added. It belongs in the quantity of the new line, which gets the focus next.
import { type FocusEvent, type KeyboardEvent, useRef } from 'react';

/** How long to wait for the line to get the focus, in milliseconds. */
const GIVE_UP = 1500;

/** `giveBack` receives the text if no quantity field accepts it. */
export function useTypedAhead(giveBack: (text: string) => void) {
  const ahead = useRef<{ text: string; isAdded: boolean } | null>(null);
  return {
    begin: () => {
      ahead.current = { text: '', isAdded: false };
    },
    end: (isAdded: boolean) => {
      const mine = ahead.current;
      const giveUp = () => {
        if (mine === null || ahead.current !== mine) return;
        ahead.current = null;
        giveBack(mine.text.replaceAll('\n', ''));
      };
      if (mine) mine.isAdded = isAdded;
      if (isAdded) setTimeout(giveUp, GIVE_UP);
      else giveUp();
    },
    /** Returns whether it handled the key. */
    take: (event: KeyboardEvent): boolean => {
      const { key } = event;
      if (!ahead.current || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (key === 'Enter') ahead.current.text += '\n';
      else if (key === 'Backspace') ahead.current.text = ahead.current.text.slice(0, -1);
      else if (key.length === 1) ahead.current.text += key;
      else return false;
      event.preventDefault();
      return true;
    },
    onBlur: ({ relatedTarget: field }: FocusEvent) => {
      if (!ahead.current?.isAdded || !(field instanceof HTMLInputElement)) return;
      const { text } = ahead.current;
      ahead.current = null;
      const [quantity = '', ...next] = text.split('\n');
      // The field gets the focus only after this event, and its text after it renders.
      queueMicrotask(() => {
        if (quantity === '') return;
        field.setRangeText(quantity, 0, field.value.length, 'end');
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      });
      if (next.length === 0) return;
      setTimeout(() => field.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
      giveBack(next.join(''));
    },
  };
}
