// Plain messages for schemas that have none of their own; browser and server show them under the field.
import { z } from 'zod';

const EXPECTED: Record<string, string> = {
  number: 'A number is expected',
  int: 'A whole number is expected',
  string: 'Text is expected',
  boolean: 'True or false is expected',
  array: 'A list is expected',
  object: 'An object is expected',
};
const COUNTED: Record<string, string> = { string: ' characters', array: ' entries' };

/** Undefined: the schema's usual words. */
export function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  const missing = issue.input === undefined || issue.input === null || issue.input === '' || Number.isNaN(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return missing ? 'This field is required' : EXPECTED[issue.expected];
    case 'invalid_value':
      return missing ? 'This field is required' : `Not one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `At least ${issue.minimum}${COUNTED[issue.origin] ?? ''}`;
    case 'too_big':
      return `At most ${issue.maximum}${COUNTED[issue.origin] ?? ''}`;
    case 'invalid_union':
    case 'custom':
      return 'Not valid';
    default:
      return undefined;
  }
}

z.config({ customError: plainWords });
