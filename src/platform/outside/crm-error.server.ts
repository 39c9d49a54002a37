// The errors of the CRM, grouped by what the user can do about them.

/** One error that the CRM reported. */
export type CrmFault = { code: string; message: string; fields: string[] };
/** A record of the CRM that the user can pick. */
export type CrmChoice = { object: string; id: string; name: string; hint: string };

/**
 * `down`: the CRM is unreachable or currently accepts no calls. `stuck`: no answer in time, or an unreadable one, so the call may have been carried
 * out. `auth`: the CRM rejects our sign-in. `limit`: its daily calls are used up. `busy`: another change of the same records is in progress.
 * `refused`: the same call would be refused again. `choose`: several records match, and the user must choose.
 */
export type CrmErrorKind = 'down' | 'stuck' | 'auth' | 'limit' | 'busy' | 'refused' | 'choose';

/** An error of the CRM. The message is a sentence for the user and contains no secret. */
export class CrmError extends Error {
  override name = 'CrmError';
  readonly kind: CrmErrorKind;
  readonly faults: CrmFault[];
  readonly choices: CrmChoice[];
  constructor(
    kind: CrmErrorKind,
    message: string,
    more: { faults?: CrmFault[]; choices?: CrmChoice[]; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.faults = more.faults ?? [];
    this.choices = more.choices ?? [];
  }
}

const BUSY = new Set(['UNABLE_TO_LOCK_ROW', 'DUPLICATE_VALUE']);
const DOWN = new Set(['SERVER_UNAVAILABLE', 'REQUEST_RUNNING_TOO_LONG']);
/** The code that the CRM reports for records that it rolled back because another one failed. */
const ROLLED_BACK = 'ALL_OR_NONE_OPERATION_ROLLED_BACK';

/** Converts the CRM's reports on a record or a call into an error. */
export function errorOfFaults(reported: CrmFault[], choices: CrmChoice[] = [], status = 400): CrmError {
  const own = reported.filter(({ code }) => code !== ROLLED_BACK);
  const faults = own.length > 0 ? own : reported;
  const words = [...new Set(faults.map(crmSentence))].slice(0, 10).join(' ');
  const hasCode = (codes: Set<string>) => faults.some(({ code }) => codes.has(code));
  const more = { faults, choices };
  if (choices.length > 0 || faults.some(({ code }) => code === 'DUPLICATES_DETECTED'))
    return new CrmError('choose', `Salesforce found similar records. ${words}`, more);
  if (faults.some(({ code }) => code === 'REQUEST_LIMIT_EXCEEDED'))
    return new CrmError('limit', 'The daily limit of Salesforce API calls has been reached.', more);
  if (hasCode(BUSY)) return new CrmError('busy', `Salesforce is already changing these records. ${words}`, more);
  if (hasCode(DOWN) || status === 429 || status === 502 || status === 503 || status === 504)
    return new CrmError('down', `Salesforce is temporarily unavailable (status ${status}).`, more);
  if (status >= 500) return new CrmError('stuck', `Salesforce has a problem (${status}).`, more);
  return new CrmError('refused', `Salesforce rejected the request. ${words}`.trim(), more);
}

function crmSentence({ code, message, fields }: CrmFault): string {
  const text = message.trim() || code;
  const end = /[.!?]$/.test(text) ? '' : '.';
  const named = fields.filter((field) => !text.includes(field));
  return `${text}${end}${named.length > 0 ? ` (${named.join(', ')})` : ''}`;
}
