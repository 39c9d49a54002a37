// Fixes selected pictures and files of the media library, or all of a kind, and keeps the failures.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { countOf } from '#shared/count-of.ts';
import { type CloudKind, type CloudMend, type CloudRow, ItemImageCloud, MOST_MENDED } from './cloud.contract.ts';

type Problems = OutputOf<typeof ItemImageCloud.MendCloud>['problems'];

const UNDER_WAY: Record<CloudMend, string> = {
  upload: 'on the way to the cloud',
  takeIn: 'on the way to the inbox',
  remove: 'being removed from the cloud',
};

export function useMend(onDone: () => void) {
  const [problems, setProblems] = useState<Problems>([]);
  const mend = useMutation({
    mutationFn: async ({ mend, of }: { mend: CloudMend; of: CloudRow[] | CloudKind }) => {
      const rows = typeof of === 'string' ? await allOf(of) : of;
      let queued = 0;
      const not: Problems = [];
      for (let at = 0; at < rows.length; at += MOST_MENDED) {
        const some = rows.slice(at, at + MOST_MENDED);
        const answer = await api(ItemImageCloud).MendCloud({
          mend,
          pictureIds: some.flatMap(({ pictureId }) => pictureId ?? []),
          cloudIds: some.flatMap(({ pictureId, cloudId }) => (pictureId === null ? (cloudId ?? []) : [])),
        });
        queued += answer.queued;
        not.push(...answer.problems);
      }
      return { queued, not };
    },
    onSuccess: ({ queued, not }, { mend: how }) => {
      setProblems(not);
      if (queued > 0) notifications.show({ message: `${countOf(queued, 'picture')} ${UNDER_WAY[how]}.` });
      onDone();
    },
  });
  return { mend, problems, clear: () => (setProblems([]), mend.reset()) };
}

/** Read all rows before fixing the first: a fixed row leaves the list. */
async function allOf(kind: CloudKind): Promise<CloudRow[]> {
  const rows: CloudRow[] = [];
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const found = await api(ItemImageCloud).GetCloudLibrary({ kind, page, pageSize: 200 });
    rows.push(...found.records.filter(({ working }) => !working));
    pageCount = found.pageCount;
  }
  return rows;
}
