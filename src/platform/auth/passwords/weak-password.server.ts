// Refuses new passwords that people guess first: the common ones, and those made of what everybody knows about their owner.
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';

/** Shorter words are parts of others. */
const SHORTEST = 4;
/** So few different characters are a pattern. */
const FEW_CHARACTERS = 4;
/** What is left of a password without the known words must have so many characters. */
const MUST_REMAIN = 6;
const LOOKS_LIKE: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');
const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
/** The letters that a person reads, without the digits and signs around them: 'P@ssw0rd123!' is 'password'. */
const readAsWord = (text: string) =>
  lettersOf(
    text.replace(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '').replace(/[013457@$!]/g, (sign) => LOOKS_LIKE[sign] ?? sign),
  );

let common: Promise<ReadonlySet<string>> | undefined;
/** The 49,000 most common passwords, read when the first person chooses one. */
const commonOnes = () =>
  (common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])));

/** Why a password is too easy to guess, or ''. `known` is what everybody knows: names, addresses, the company, the product. */
export async function weaknessOf(password: string, known: readonly string[]): Promise<string> {
  const whole = password.toLowerCase().trim();
  if (new Set(whole).size <= FEW_CHARACTERS) return 'This repeats the same few characters. Choose a different password';
  const words = known
    .flatMap((text) => [text.toLowerCase(), lettersOf(text), ...wordsOf(text)])
    .filter((word) => word.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ' '), whole);
  if (left !== whole && lettersOf(left).length < MUST_REMAIN)
    return 'This contains a name, an address or the company, which is easy to guess. Choose a different password';
  const passwords = await commonOnes();
  if ([whole, lettersOf(whole), readAsWord(whole)].some((candidate) => passwords.has(candidate)))
    return 'This is a common password, or one with digits added. Choose a different password';
  return '';
}

/** Throws for a new password that is too easy to guess for this person. */
export async function refuseWeakPassword(
  db: Db,
  person: { userName: string; fullName: string },
  newPassword: string,
): Promise<void> {
  const { name } = await db.selectFrom('company').select('name').executeTakeFirstOrThrow();
  const message = await weaknessOf(newPassword, [person.userName, person.fullName, name, 'Quoteboard']);
  if (message) throw invalid([{ path: 'newPassword', message }]);
}
