// Returns whether the page is printing, because virtualized content must then render completely.
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Quotes a text as a CSS string. */
export function cssText(words: string): string {
  const escaped = words.replace(/[^a-zA-Z0-9 ]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);
  return `"${escaped}"`;
}

/** Returns whether an address requests the print view: `?printView`, with any value except false or 0. */
export function isPrintView(search: { printView?: unknown }): boolean {
  return 'printView' in search && !['false', '0'].includes(String(search.printView));
}

export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => window.matchMedia('print').matches);
  useEffect(() => {
    const media = window.matchMedia('print');
    // The browser captures the page right after the event.
    const on = () => flushSync(() => setPrinting(true));
    const off = () => setPrinting(false);
    const change = () => (media.matches ? on() : off());
    window.addEventListener('beforeprint', on);
    window.addEventListener('afterprint', off);
    media.addEventListener('change', change);
    return () => {
      window.removeEventListener('beforeprint', on);
      window.removeEventListener('afterprint', off);
      media.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
