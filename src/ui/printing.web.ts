// Tells whether the page is printing, because virtualized content must then render completely.
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

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
