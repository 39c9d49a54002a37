// Plain messages for schemas without their own. Browser and server show them under the field.
import { z } from 'zod';

const EXPECTED: Record<string, string> = {
  number: 'A number is expected',
  int: 'A whole number is expected',
  string: 'Text is expected',
  boolean: 'True or false is expected',
  array: 'A list is expected',
  object: 'An object is expected',
};
const COUNTED: Record<string, [one: string, several: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** Returns a limit with its unit: '5 characters' for a text, '1 entry' for a list, '5,000' for a number. */
function limitWithUnit(limit: number | bigint, origin: string): string {
  const words = COUNTED[origin];
  const figure = limit.toLocaleString('en-US', { maximumFractionDigits: 20 });
  return words ? `${figure} ${words[Number(limit) === 1 ? 0 : 1]}` : figure;
}

/** Returns the message for an issue. Undefined keeps the default message of the schema. */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  const missing = issue.input === undefined || issue.input === null || issue.input === '' || Number.isNaN(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return missing ? 'This field is required' : EXPECTED[issue.expected];
    case 'invalid_value':
      return missing ? 'This field is required' : `Not one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `At least ${limitWithUnit(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `At most ${limitWithUnit(issue.maximum, issue.origin)}`;
    case 'unrecognized_keys':
      return `Not a field of this call: ${issue.keys.join(', ')}`;
    case 'invalid_union':
    case 'custom':
      return 'Not valid';
    default:
      return undefined;
  }
}

z.config({ customError: plainWords });
