// Tests which numbers the name of a file may mean.
import { expect, test } from 'vitest';
import { numbersIn } from './match-picture.server.ts';

test.each([
  ['51487478.jpg', ['51487478']],
  // A number that only begins the same way belongs to another item.
  ['514874789_01.jpg', ['514874789_01', '514874789']],
  ['BED-100_2.png', ['BED-100_2', 'BED-100']],
  ['BED-100-front.PNG', ['BED-100-front', 'BED-100']],
  ['bed 100 back.jpeg', ['bed 100 back', 'bed 100']],
  ['A (2).jpg', ['A (2)', 'A']],
  // Only one suffix is removed, not two.
  ['A-1_2.jpg', ['A-1_2', 'A-1']],
  // A size or a longer number is part of the number.
  ['GLOVE-XL.jpg', ['GLOVE-XL']],
  ['ABC-100.jpg', ['ABC-100']],
  ['no-ending', ['no-ending']],
  ['8.0 x 10.jpg', ['8.0 x 10', '8.0 x']],
  ['.jpg', []],
])('%s', (name, numbers) => {
  expect(numbersIn(name)).toEqual(numbers);
});
