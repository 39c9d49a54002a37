// Keeps the order of a product's pictures while the user moves them: shows it at once, and saves one order after the other.
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemImageGallery, type PlacedPicture } from './gallery.contract.ts';

const saves = new Set<Promise<boolean>>();

/** Resolves when no order is being saved any more. A removal waits for this, because saving an order fails if one of its pictures is gone. */
export const ordersSaved = () => Promise.allSettled(saves);

export function useOrder(productId: number, pictures: PlacedPicture[]) {
  const [order, setOrder] = useState<number[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  /** The versions from the last save, which are newer than those of a list read before it. */
  const versions = useRef(new Map<number, number>());
  const wanted = useRef<number[] | null>(null);
  const running = useRef(false);
  const read = pictures.map(({ id, version }) => `${id} ${version}`).join();
  useEffect(() => {
    if (!running.current) setOrder(null);
  }, [read]);

  const byId = new Map(pictures.map((picture) => [picture.id, picture]));
  const isWhole = order !== null && order.length === byId.size && order.every((id) => byId.has(id));
  const visible = isWhole ? order.map((id) => byId.get(id) as PlacedPicture) : pictures;

  const save = async (): Promise<boolean> => {
    running.current = true;
    try {
      while (wanted.current) {
        const ids = wanted.current;
        wanted.current = null;
        const versionOf = (id: number) => Math.max(versions.current.get(id) ?? 0, byId.get(id)?.version ?? 0);
        const places = ids.map((id) => ({ id, version: versionOf(id) }));
        const saved = await api(ItemImageGallery).SaveItemImageOrder({ productId, places });
        for (const { id, version } of saved) versions.current.set(id, version);
      }
      return true;
    } catch (failure) {
      wanted.current = null;
      setOrder(null);
      setError(failure as Error);
      return false;
    } finally {
      running.current = false;
    }
  };
  /** Accepts the ids in the new order. Returns true if the order is saved, or will be with the current save. */
  const place = (ids: number[]): Promise<boolean> => {
    setError(null);
    setOrder(ids);
    wanted.current = ids;
    if (running.current) return Promise.resolve(true);
    const saving = save();
    saves.add(saving);
    return saving.finally(() => saves.delete(saving));
  };
  return { shown: visible, place, error, forget: () => setError(null) };
}
