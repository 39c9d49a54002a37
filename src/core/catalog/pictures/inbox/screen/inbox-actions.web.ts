// Applies one action to many pictures, and keeps the failures with their reasons.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ItemImageProcess, type PictureRow } from '../../pictures.contract.ts';
import { type Action, DONE } from './inbox-words.web.ts';

export type Asked = { action: Action; pictures: Pick<PictureRow, 'id' | 'name'>[]; productId?: number };
type NotDone = { id: number; name: string; problem: string };

/** The greatest number of problems that one call returns. */
const AT_ONCE = 200;

export function useInboxActions(onDone: (ids: number[]) => void) {
  const queries = useQueryClient();
  const [notDone, setNotDone] = useState<NotDone[]>([]);
  const run = useMutation({
    mutationFn: async ({ action, pictures, productId }: Asked) => {
      const problems = new Map<number, string>();
      for (let at = 0; at < pictures.length; at += AT_ONCE) {
        const ids = pictures.slice(at, at + AT_ONCE).map(({ id }) => id);
        for (const { id, problem } of await doOne(action, ids, productId)) problems.set(id, problem);
      }
      return problems;
    },
    onSuccess: (problems, { action, pictures }) => {
      const done = pictures.filter(({ id }) => !problems.has(id));
      setNotDone(
        pictures.flatMap(({ id, name }) => {
          const problem = problems.get(id);
          return problem === undefined ? [] : [{ id, name, problem }];
        }),
      );
      onDone(done.map(({ id }) => id));
      if (done.length > 0) notifications.show({ message: `${countOf(done.length, 'picture')} ${DONE[action]}.` });
    },
  });
  /** Applies to a whole stage, including pictures that are not on the page. */
  const all = useMutation({
    mutationFn: async (stage: 'waiting' | 'file') =>
      stage === 'waiting' ? api(ItemImageProcess).UploadImagesToCloud({}) : fileAll(),
    onSuccess: ({ queued, skipped }, stage) =>
      notifications.show({
        message: `${countOf(queued, 'picture')} ${DONE[stage === 'waiting' ? 'upload' : 'file']}${skipped > 0 ? `, ${skipped.toLocaleString('en-US')} left where they are` : ''}.`,
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: api(ItemImageProcess).GetImagesWaitingForProcess.key }),
  });
  return {
    run,
    all,
    notDone,
    clear: () => {
      setNotDone([]);
      run.reset();
      all.reset();
    },
  };
}

async function doOne(action: Action, ids: number[], productId: number | undefined) {
  if (action === 'upload') return (await api(ItemImageProcess).UploadImagesToCloud({ ids })).problems;
  const input = { ids, operation: action, ...(productId === undefined ? {} : { productId }) };
  return (await api(ItemImageProcess).FileOperation(input)).results.filter(({ ok }) => !ok);
}

/** Files the pictures in the cloud. It reads the ids first, because a filed picture leaves the list. */
async function fileAll(): Promise<{ queued: number; skipped: number }> {
  const ids: number[] = [];
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const result = await api(ItemImageProcess).GetImagesWaitingForProcess({ stage: 'file', page, pageSize: 200 });
    ids.push(...result.records.map(({ id }) => id));
    pageCount = result.pageCount;
  }
  let skipped = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE)
    skipped += (await doOne('file', ids.slice(at, at + AT_ONCE), undefined)).length;
  return { queued: ids.length - skipped, skipped };
}
