// Uploads files straight to a product: it sends each file, assigns it, and moves it through the stages of the inbox.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemImageProcess, type PictureOperation } from '../pictures.contract.ts';
import type { ComingPicture, GalleryProduct } from './gallery.contract.ts';

type Sending = {
  key: number;
  name: string;
  pictureId: number | null;
  status: string;
  problem: string;
  /** True if this screen does nothing more with the file. */
  ended: boolean;
  /** The id of an earlier picture with the same bytes. The user decides whether this product shows it, too. */
  known: number | null;
};

/** The number of files that upload at once. */
const AT_ONCE = 3;

const STAGE_STATUS = { waiting: 'is being checked…', upload: 'is being stored…', file: 'is being added…' };

/** `readAt` is when the product was read. `onWaiting` reports whether uploads are in progress, so that the caller reads the product again. */
export function useUploads(
  productId: number,
  { product, readAt }: { product: GalleryProduct | undefined; readAt: number },
  onWaiting: (isWaiting: boolean) => void,
) {
  const [sendings, setSendings] = useState<Sending[]>([]);
  const keys = useRef(0);
  /** The requests made so far, by picture and stage. */
  const requested = useRef(new Set<string>());
  const change = (key: number, patch: Partial<Sending>) =>
    setSendings((now) => now.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry)));
  const fail = (key: number, problem: string) => change(key, { problem, ended: true });

  const sendOne = async (key: number, file: File) => {
    try {
      change(key, { status: 'is being sent…' });
      const { files } = await api(ItemImageProcess).UploadItemImages({ file });
      const [taken] = files;
      if (!taken?.pictureId || taken.outcome === 'refused') {
        fail(key, taken?.message ?? 'The server did not accept any files.');
        return;
      }
      if (taken.outcome === 'known') change(key, { status: taken.message, known: taken.pictureId, ended: true });
      else await assign(key, taken.pictureId);
    } catch (error) {
      fail(key, (error as Error).message);
    }
  };
  const assign = async (key: number, pictureId: number) => {
    try {
      change(key, { status: STAGE_STATUS.waiting, known: null });
      const { results } = await api(ItemImageProcess).FileOperation({
        ids: [pictureId],
        operation: 'assign',
        productId,
      });
      const problem = results[0]?.problem;
      if (problem) fail(key, problem);
      else change(key, { pictureId, ended: false });
    } catch (error) {
      fail(key, (error as Error).message);
    }
  };
  const add = (names: string[], pictureIds: (number | null)[] = []) => {
    const added = names.map(
      (name, at): Sending => ({
        key: ++keys.current,
        name,
        pictureId: pictureIds[at] ?? null,
        status: 'waits…',
        problem: '',
        ended: false,
        known: null,
      }),
    );
    setSendings((now) => [...now, ...added]);
    return added;
  };
  const send = (files: File[]) => {
    const waiting = add(files.map(({ name }) => name)).map((entry, at) => [entry.key, files[at] as File] as const);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(...next);
    };
    void Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  const operate = async (key: number, pictureId: number, operation: PictureOperation | 'upload') => {
    try {
      const problem =
        operation === 'upload'
          ? (await api(ItemImageProcess).UploadImagesToCloud({ ids: [pictureId] })).problems[0]?.problem
          : (await api(ItemImageProcess).FileOperation({ ids: [pictureId], operation })).results[0]?.problem;
      if (problem) fail(key, problem);
    } catch (error) {
      fail(key, (error as Error).message);
    }
  };
  /** Checks the state of each picture that is uploading here, and starts its next step. */
  const look = useEffectEvent(() => {
    for (const { key, pictureId, ended } of sendings) {
      if (!product || pictureId === null || ended) continue;
      const coming = product.coming.find((candidate) => candidate.pictureId === pictureId);
      if (coming) {
        const { stage, working, problem } = coming;
        if (problem && !working) fail(key, problem);
        if (working || problem) continue;
        change(key, { status: STAGE_STATUS[stage] });
        const once = `${pictureId} ${stage}`;
        if (requested.current.has(once)) continue;
        requested.current.add(once);
        if (stage === 'waiting') void operate(key, pictureId, 'upload');
        if (stage === 'file') void operate(key, pictureId, 'file');
      } else if (product.pictures.some((picture) => picture.pictureId === pictureId)) {
        change(key, { status: 'is on the product.', ended: true });
      } else if (requested.current.has(`${pictureId} seen`)) {
        fail(key, 'It was refused. See the inbox for the reason.');
      } else {
        // The product was read before the picture was assigned to it.
        requested.current.add(`${pictureId} seen`);
      }
    }
  });
  const isWaiting = sendings.some(({ pictureId, ended }) => pictureId !== null && !ended);
  useEffect(() => onWaiting(isWaiting), [isWaiting, onWaiting]);
  // Runs after each read, even if it found nothing new.
  useEffect(() => look(), [readAt]);

  return {
    sendings,
    send,
    assign,
    isOurs: (pictureId: number) => sendings.some((sending) => sending.pictureId === pictureId && !sending.ended),
    /** Continues pictures that wait for the user. */
    goOn: (coming: ComingPicture[]) => {
      for (const { pictureId, stage } of coming) requested.current.delete(`${pictureId} ${stage}`);
      add(
        coming.map(({ name }) => name),
        coming.map(({ pictureId }) => pictureId),
      );
    },
  };
}
