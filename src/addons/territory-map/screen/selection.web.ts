// Stores the ZIPs selected on a map and in the tables beside it.
import { useCallback, useState } from 'react';
import type { How } from '#core/territories/map/territory-map.web.ts';

export function useSelection(): [ReadonlySet<string>, (zips: readonly string[], how: How) => void] {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const select = useCallback((zips: readonly string[], how: How) => {
    setSelection((before) => {
      if (how === 'replace') return new Set(zips);
      const next = new Set(before);
      for (const zip of zips) {
        if (how === 'add') next.add(zip);
        else next.delete(zip);
      }
      return next;
    });
  }, []);
  return [selection, select];
}
