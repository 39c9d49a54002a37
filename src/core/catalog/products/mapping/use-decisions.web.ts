// Saves what the user decides about items on the mapping screen, keeps what was refused, and undoes the steps one by one.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { ItemMapping, MAX_PAIRS, type NotMappedItem } from './mapping.contract.ts';

type Pair = InputOf<typeof ItemMapping.mapGpItemToItmProdDbItem>['pairs'][number];
type Result = OutputOf<typeof ItemMapping.mapGpItemToItmProdDbItem>['results'][number];
/** One step that the U key undoes: its label, and the pairs that undo it. */
type Step = { label: string; pairs: Pair[] };

export function useDecisions() {
  /** Items decided on this screen, with their version since then. The list reloads in the background. */
  const [decided, setDecided] = useState<ReadonlyMap<number, number>>(new Map());
  const [steps, setSteps] = useState<Step[]>([]);
  const [refused, setRefused] = useState<string[]>([]);
  const note = (results: readonly Result[]) =>
    setRefused(results.filter(({ outcome }) => outcome === 'refused').map(({ message }) => message));

  const map = useMutation({ ...api(ItemMapping).mapGpItemToItmProdDbItem.mutation() });
  const undo = useMutation({
    mutationFn: async (step: Step) => {
      const results = [];
      for (let at = 0; at < step.pairs.length; at += MAX_PAIRS) {
        const pairs = step.pairs.slice(at, at + MAX_PAIRS);
        results.push(...(await api(ItemMapping).mapGpItemToItmProdDbItem({ pairs })).results);
      }
      return results;
    },
    onSuccess: (results, step) => {
      setSteps((now) => now.filter((candidate) => candidate !== step));
      note(results);
      setDecided((now) => new Map([...now].filter(([id]) => !results.some(({ itemId }) => itemId === id))));
      notifications.show({ message: `Undone: ${step.label}` });
    },
  });
  const busy = map.isPending || undo.isPending;
  const last = steps.at(-1);
  const done = (step: Step) => setSteps((now) => [...now, step]);
  return {
    isDecided: ({ id, version }: NotMappedItem) => (decided.get(id) ?? 0) > version,
    /** Decides pairs. Returns whether any pair was accepted. */
    decide: async (pairs: Pair[], label: string): Promise<boolean> => {
      const { results } = await map.mutateAsync({ pairs });
      const accepted = results.filter(({ outcome }) => outcome !== 'refused');
      setDecided((now) => new Map([...now, ...accepted.map(({ itemId, version }) => [itemId, version + 1] as const)]));
      note(results);
      if (accepted.length === 0) return false;
      done({ label, pairs: results.flatMap(({ undo: back }) => (back ? [back] : [])) });
      return true;
    },
    /** Adds a step that another part of the screen made. */
    done,
    /** The step that `undo` reverts. */
    last,
    /** Undoes the last step. Returns its first item. */
    undo: async (): Promise<number | undefined> => {
      const results = last && !busy ? await undo.mutateAsync(last).catch(() => []) : [];
      return results[0]?.itemId;
    },
    isUndoing: undo.isPending,
    busy,
    refused,
    forgetRefused: () => setRefused([]),
    error: map.error ?? undo.error,
    forgetError: () => (map.reset(), undo.reset()),
  };
}
