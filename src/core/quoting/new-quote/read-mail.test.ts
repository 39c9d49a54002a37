// Tests finding the author of a forwarded mail, in the formats of different mail programs.
import { expect, it } from 'vitest';
import { forwardedSender } from './read-mail.web.ts';

it.each([
  [
    '---------- Forwarded message ---------\nFrom: Anna Smith <anna@mary.example>\nDate: Mon',
    'Anna Smith',
    'anna@mary.example',
  ],
  ['From: "Smith, Anna" <anna@mary.example>\nSent: Monday', 'Smith, Anna', 'anna@mary.example'],
  ['*From:* Anna [mailto:anna@mary.example]\nSent: Monday', 'Anna', 'anna@mary.example'],
  ['From: Bob <bob@ours.example>\n\n> From: Anna <anna@mary.example>', 'Anna', 'anna@mary.example'],
  ['From: Anna Smith\n <anna@mary.example>\nSent: Monday', 'Anna Smith', 'anna@mary.example'],
])('finds the first sender in %j', (text, name, email) => {
  expect(forwardedSender(text)).toEqual({ name, email });
});

it('reads long lines that only look like a sender', () => {
  const padding = 'From:' + ' '.repeat(4000);
  const last = '\nFrom: Anna <anna@mary.example>';
  expect(forwardedSender(`${padding}\n`.repeat(200) + last)).toEqual({ name: 'Anna', email: 'anna@mary.example' });
  expect(forwardedSender('From: '.repeat(200_000))).toBeNull();
  expect(forwardedSender(`From: ${'<a@'.repeat(300)}`)).toBeNull();
});

it('finds none in an email that forwards nothing', () => {
  expect(forwardedSender('Please send it from: the dock\n20 cs gloves')).toBeNull();
});
