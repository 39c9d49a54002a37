// The dialog for a step with many quotes: prompts for input, previews the outcomes, runs the step in batches, and reports the results.
import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { noteOwnAct } from '#platform/ui/steady-rows.web.ts';
import { StepFields } from './StepFields.tsx';
import { ManyQuotes, type Outcome, type QuoteChange } from './many-quotes.contract.ts';
import { OutcomeList, RemarkList, ResultFiles } from './QuoteOutcomes.tsx';
import { type Fate, fateOf, inPieces, putBackFate } from './run-piecewise.ts';
import { canWords, type Kind, resultWords, STEPS } from './step-words.ts';

type Props = {
  kind: Kind;
  rows: QuoteRow[];
  /** `left`: the quotes with their current versions. `gone`: the quotes that are now closed. */
  onClose: (left: QuoteRow[], gone: QuoteRow[]) => void;
};

type Work = 'check' | 'change' | 'undo';
const WORDS: Record<Work, string> = { check: 'Checking', change: 'Changing', undo: 'Undoing' };
const LEFT: Fate = { state: 'left', message: '', version: null, was: null };
const focus = (button: HTMLButtonElement | null) => button?.focus();

export function ManyQuotesDialog({ kind, rows, onClose }: Props) {
  const { verb } = STEPS[kind];
  const [change, setChange] = useState<QuoteChange | null>(null);
  /** Describes the change, in the preview and in the result. */
  const [words, setWords] = useState('');
  const [checked, setChecked] = useState<ReadonlyMap<number, Outcome> | null>(null);
  const [fates, setFates] = useState<ReadonlyMap<number, Fate> | null>(null);
  const run = useRun();
  const { busy } = run;
  const can = rows.filter(({ id }) => checked?.get(id)?.done);
  const fateFor = ({ id }: QuoteRow) => fates?.get(id) ?? LEFT;
  const inState = (...states: Fate['state'][]) => can.filter((row) => states.includes(fateFor(row).state));
  const setFate = (row: QuoteRow, next: (before: Fate) => Fate) =>
    setFates((now) => new Map(now).set(row.id, next(now?.get(row.id) ?? LEFT)));

  const check = async (next: QuoteChange, inWords: string) => {
    setChange(next);
    setWords(inWords);
    const outcomes = new Map<number, Outcome>();
    const isWhole = await run.start('check', rows, {
      send: (piece) => api(ManyQuotes).ChangeQuotes({ change: next, quotes: piece.map(readOf), check: true }),
      onEach: (row, outcome) => outcome && outcomes.set(row.id, outcome),
    });
    if (isWhole) setChecked(outcomes);
  };
  const take = (list: QuoteRow[]) => {
    if (!change) return;
    const refused = rows.filter((row) => !can.includes(row));
    setFates((now) => now ?? new Map(refused.map(({ id }) => [id, fateOf(checked?.get(id))])));
    void run.start('change', list, {
      send: (piece) => api(ManyQuotes).ChangeQuotes({ change, quotes: piece.map(readOf), inAll: can.length }),
      onEach: (row, outcome) => setFate(row, () => fateOf(outcome, checked?.get(row.id)?.was)),
    });
  };
  const undo = (list: QuoteRow[]) =>
    void run.start('undo', list, {
      send: (piece) =>
        api(ManyQuotes).PutQuotesBack({
          quotes: piece.map((row) => {
            const { version, was } = fateFor(row);
            return { id: row.id, version: version ?? row.version, was: was ?? {} };
          }),
          inAll: list.length,
        }),
      onEach: (row, outcome) => setFate(row, (before) => putBackFate(before, outcome)),
    });
  const close = () => {
    const now = rows.map((row) => ({ ...row, version: fateFor(row).version ?? row.version }));
    const gone = kind === 'cancel' ? inState('done').map(({ id }) => id) : [];
    onClose(
      now.filter(({ id }) => !gone.includes(id)),
      now.filter(({ id }) => gone.includes(id)),
    );
  };

  const toGoOn = fates && !busy ? inState('unknown', 'left') : [];
  const toUndo = inState('done').filter((row) => fateFor(row).was !== null);
  return (
    <Modal
      opened
      onClose={close}
      title={`${verb} ${countOf(rows.length, 'quote')}`}
      size={checked ? 900 : 'md'}
      closeOnClickOutside={false}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Stack>
        {checked === null ? (
          <StepFields
            kind={kind}
            given={change}
            busy={busy !== null}
            error={run.error}
            onCheck={(...next) => void check(...next)}
            onClose={close}
          />
        ) : null}
        {checked === null ? null : (
          <Text size="sm" className="muted" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {words}
          </Text>
        )}
        {busy ? (
          <Stack gap={6}>
            <Text size="sm" role="status" className="tabular">
              {WORDS[busy.work]} {busy.at} of {countOf(busy.all, 'quote')}
            </Text>
            <Progress value={(100 * busy.at) / busy.all} aria-label={WORDS[busy.work]} />
          </Stack>
        ) : null}
        {checked && !fates ? (
          <Checked
            kind={kind}
            rows={rows}
            can={can.length}
            checked={checked}
            onBack={() => setChecked(null)}
            onTake={() => take(can)}
          />
        ) : null}
        {fates ? (
          <>
            {busy ? null : (
              <Text role="status" fw={600}>
                {resultWords(kind, rows.map(fateFor))}
              </Text>
            )}
            {toGoOn.length > 0 ? (
              <BrokenOff left={toGoOn.length} error={run.error} onGoOn={() => take(toGoOn)} />
            ) : (
              <ErrorAlert error={busy ? null : run.error} title="The operation was interrupted" />
            )}
            <OutcomeList
              kind={kind}
              rows={rows}
              fateFor={fateFor}
              onUndo={toUndo.length > 0 && !busy ? (row) => undo([row]) : undefined}
            />
          </>
        ) : null}
        {busy ? (
          <Group justify="flex-end" className="dialog-foot">
            <Button ref={focus} variant="default" disabled={run.isStopping} onClick={run.stop}>
              {run.isStopping ? 'Stopping…' : 'Stop'}
            </Button>
          </Group>
        ) : fates ? (
          <Group justify="space-between" className="dialog-foot">
            <ResultFiles kind={kind} rows={rows} fates={new Map(rows.map((row) => [row.id, fateFor(row)]))} />
            <Group gap="sm" ml="auto">
              {toUndo.length > 0 ? (
                <Button variant="default" onClick={() => undo(toUndo)}>
                  Undo {countOf(toUndo.length, 'quote')}
                </Button>
              ) : null}
              <Button ref={focus} onClick={close}>
                Close
              </Button>
            </Group>
          </Group>
        ) : null}
      </Stack>
    </Modal>
  );
}

type CheckedProps = {
  kind: Kind;
  rows: QuoteRow[];
  /** The number of quotes to which the step can be applied. */
  can: number;
  checked: ReadonlyMap<number, Outcome>;
  onBack: () => void;
  onTake: () => void;
};

/** The expected outcome for each quote. */
function Checked({ kind, rows, can, checked, onBack, onTake }: CheckedProps) {
  const { verb } = STEPS[kind];
  return (
    <>
      <Text role="status">{canWords(kind, can, rows.length)}</Text>
      <RemarkList
        rows={rows.filter(({ id }) => checked.get(id)?.message)}
        remarkOn={({ id }) => checked.get(id)?.message ?? ''}
      />
      <Group justify="flex-end" className="dialog-foot">
        <Button variant="default" ref={kind === 'cancel' || can === 0 ? focus : null} onClick={onBack}>
          Back
        </Button>
        {can > 0 ? (
          <Button color={kind === 'cancel' ? 'red' : undefined} ref={kind === 'cancel' ? null : focus} onClick={onTake}>
            {verb} {countOf(can, 'quote')}
          </Button>
        ) : null}
      </Group>
    </>
  );
}

function BrokenOff({ left, error, onGoOn }: { left: number; error: Error | null; onGoOn: () => void }) {
  return (
    <Alert color="orange" role="alert" title={error ? 'The operation was interrupted' : 'Stopped'}>
      <Text size="sm">
        {error ? `${error.message} ` : ''}
        {countOf(left, 'quote')} {left === 1 ? 'is' : 'are'} not done, or the result is not known. Continuing does
        nothing twice.
      </Text>
      <Button mt="xs" size="xs" variant="default" onClick={onGoOn}>
        Continue with {countOf(left, 'quote')}
      </Button>
    </Alert>
  );
}

const readOf = ({ id, version }: QuoteRow) => ({ id, version });

/** Runs one operation at a time, with its progress, its error and a way to stop it. Prompts before the user leaves the screen while it runs. */
function useRun() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<{ work: Work; at: number; all: number } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isStopping, setStopping] = useState(false);
  const stopped = useRef(false);
  const running = useRef(false);
  useUnsaved(busy !== null && busy.work !== 'check');
  const start = async (
    work: Work,
    rows: QuoteRow[],
    step: {
      send: (piece: QuoteRow[]) => Promise<{ outcomes: Outcome[] }>;
      onEach: (row: QuoteRow, outcome: Outcome | undefined) => void;
    },
  ): Promise<boolean> => {
    // Ignores a double click.
    if (running.current) return false;
    running.current = true;
    stopped.current = false;
    setStopping(false);
    setError(null);
    setBusy({ work, at: 0, all: rows.length });
    const failure = await inPieces(rows, {
      send: step.send,
      onPiece: (outcomes) => {
        for (const [row, outcome] of outcomes) step.onEach(row, outcome);
        setBusy((now) => now && { ...now, at: now.at + outcomes.size });
      },
      isStopped: () => stopped.current,
    });
    setError(failure);
    setBusy(null);
    running.current = false;
    if (work !== 'check') {
      noteOwnAct();
      await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/Quote') });
    }
    return failure === null && !stopped.current;
  };
  const stop = () => {
    stopped.current = true;
    setStopping(true);
  };
  return { busy, error, isStopping, start, stop };
}
