// Tests that messages move where they cover nothing, and do not move while they cover nothing.
import { expect, test } from 'vitest';
import { boxAt, coveredBy, MESSAGE_PLACES, placeOfMessages } from './message-place.ts';

const desk = { window: { width: 1440, height: 900 }, size: { width: 440, height: 80 }, bar: 0 };

test('each place lies inside the window, above the bar at its bottom', () => {
  for (const room of [desk, { window: { width: 390, height: 844 }, size: { width: 358, height: 90 }, bar: 110 }])
    for (const place of MESSAGE_PLACES) {
      const box = boxAt(place, room);
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(room.window.width);
      expect(box.top).toBeGreaterThanOrEqual(0);
      expect(box.bottom).toBeLessThanOrEqual(room.window.height - room.bar);
    }
});

test('a covered corner is left for a free one', () => {
  const totals = { left: 1200, top: 850, right: 1400, bottom: 880 };
  const add = { left: 20, top: 840, right: 400, bottom: 880 };
  expect(placeOfMessages(desk, [], 'bottom-right')).toBe('bottom-right');
  expect(placeOfMessages(desk, [totals], 'bottom-right')).toBe('bottom-left');
  expect(placeOfMessages(desk, [totals, add], 'bottom-right')).toBe('bottom-center');
  expect(placeOfMessages(desk, [], 'bottom-left')).toBe('bottom-left');
});

test('where nothing is free, the least is covered', () => {
  const all = MESSAGE_PLACES.map((place) => boxAt(place, desk));
  const small = { ...boxAt('top-center', desk), bottom: 20 };
  expect(placeOfMessages(desk, [...all.slice(0, -1), small], 'bottom-right')).toBe('top-center');
  expect(coveredBy(boxAt('top-center', desk), [small])).toBe(440 * 4);
});
