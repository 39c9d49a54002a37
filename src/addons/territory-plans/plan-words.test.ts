// Tests the words for plans, and the sums of what leaves each territory.
import { expect, test } from 'vitest';
import {
  balanceInWords,
  changeWords,
  copiedWords,
  moneyChangeWords,
  movedTotals,
  rollBackWords,
} from './plan-words.ts';

const holding = (zips: number, facilities: number, ...openValue: { currnIdx: number; amount: number }[]) => ({
  zips,
  pointZips: 0,
  facilities,
  openQuotes: facilities,
  openValue,
});
const usd = (amount: number) => ({ currnIdx: 1, amount });
const eur = (amount: number) => ({ currnIdx: 1009, amount });

test('changes have a sign; no change has no words', () => {
  expect(changeWords(5, 1205)).toBe('+1,200');
  expect(changeWords(5, 2)).toBe('−3');
  expect(changeWords(5, 5)).toBe('');
  expect(moneyChangeWords([usd(100.1)], [usd(0.1), eur(80)])).toBe('−$100.00 +€80.00');
  expect(moneyChangeWords([usd(100)], [usd(100)])).toBe('');
});

test('sums count each change once, by currency, to the cent', () => {
  const effects = [
    {
      territory: { id: 1, name: 'A' },
      rep: null,
      region: null,
      before: holding(10, 3, usd(0.3), eur(5)),
      after: holding(4, 1, usd(0.1), eur(5)),
    },
    { territory: { id: 2, name: 'B' }, rep: null, region: null, before: holding(0, 0), after: holding(8, 4, usd(0.3)) },
    { territory: null, rep: null, region: null, before: holding(2, 2, usd(0.1)), after: holding(0, 0) },
  ];
  expect(movedTotals(effects)).toEqual({ zips: 8, pointZips: 0, facilities: 4, openQuotes: 4, openValue: [usd(0.3)] });
  expect(balanceInWords(effects)).toBe(
    'Overall, 4 facilities and 4 open quotes worth $0.30 move to another territory.',
  );
  expect(balanceInWords([])).toBe('Overall, no facilities or open quotes change territory.');
});

test('a rollback says on which day the ZIPs are back', () => {
  const words = (effectiveDay: string) => rollBackWords(effectiveDay, '2026-11-10');
  expect(words('2026-11-11')).toContain('They are removed, and the ZIPs stay in their current territories.');
  expect(words('2026-11-10')).toContain('They end today, and tomorrow the ZIPs return to their previous territories.');
  expect(words('2026-11-09')).toContain('They end, and today the ZIPs return to their previous territories.');
});

test('a copy says which moves it leaves out', () => {
  const words = (moves: number, inactive: number, there: number) =>
    copiedWords({ map: { name: 'Again' }, moves: Array(moves).fill(null), leftOut: { inactive, there } });
  expect(words(2, 0, 0)).toBe('Again is a draft with the same moves.');
  expect(words(7, 1, 2)).toBe(
    'Again is a draft with 7 of 10 moves. 1 ZIP left out: the territory is inactive. 2 ZIPs left out: already in the new territory.',
  );
  expect(words(0, 0, 1)).toBe('Again is a draft with 0 of 1 move. 1 ZIP left out: already in the new territory.');
});
