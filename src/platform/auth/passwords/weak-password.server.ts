// Refuses new passwords that are easy to guess: common ones, and those built from public facts about their owner.
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';

/** Shorter words occur by chance within other words. */
const SHORTEST = 4;
/** A password with at most this many different characters is a pattern. */
const FEW_CHARACTERS = 4;
/** This many characters must remain after the known words are removed from a password. */
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
/** Returns the letters that a reader sees, without the digits and signs around them: 'P@ssw0rd123!' becomes 'password'. */
const readAsWord = (text: string) =>
  lettersOf(
    text.replace(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '').replace(/[013457@$!]/g, (sign) => LOOKS_LIKE[sign] ?? sign),
  );

let common: Promise<ReadonlySet<string>> | undefined;
/** The 49,000 most common passwords, loaded at the first use. */
const commonOnes = () =>
  (common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])));

/** Returns why a password is too easy to guess, or ''. `known` contains public facts: names, addresses, the company, the product. */
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

/** Throws if a new password is too easy to guess for this user. */
export async function refuseWeakPassword(
  db: Db,
  person: { userName: string; fullName: string },
  newPassword: string,
): Promise<void> {
  const { name } = await db.selectFrom('company').select('name').executeTakeFirstOrThrow();
  const message = await weaknessOf(newPassword, [person.userName, person.fullName, name, 'Quoteboard']);
  if (message) throw invalid([{ path: 'newPassword', message }]);
}
