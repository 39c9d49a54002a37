// Reads a mail (.eml) that the user saved or dragged from a mail program. It stays in the browser until the user adopts its contents.
export type MailSender = { name: string; email: string };
/**
 * `senders` starts with the sender, followed by the authors of forwarded mails. `table` contains the rows of its tables, or '' when there are none.
 */
export type RequestMail = {
  senders: MailSender[];
  subject: string;
  text: string;
  table: string;
  attachments: string[];
};

const LARGEST = 25 * 1024 * 1024;
const NO_MAIL =
  'This is not an email. Save the email as a file (.eml) and drop it here, or paste its text into the quote.';

/** Throws an error with a message for the user when the file is not a mail. */
export async function readMail(file: File): Promise<RequestMail> {
  if (file.size > LARGEST) throw new Error('The email is larger than 25 MB. Paste its text into the quote instead.');
  // Outlook's own format.
  if (/\.msg$/i.test(file.name)) throw new Error(NO_MAIL);
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(await file.arrayBuffer()).catch(() => null);
  const sender = mail?.from?.group ? mail.from.group[0] : mail?.from;
  if (!mail || !sender?.address) throw new Error(NO_MAIL);
  const hasTable = mail.html !== undefined && /<table/i.test(mail.html);
  const text = mail.html && (hasTable || !mail.text?.trim()) ? textOfHtml(mail.html) : (mail.text ?? '');
  const forwarded = forwardedSender(text);
  const rows = text.split('\n').filter((line) => line.includes('\t'));
  return {
    senders: [{ name: sender.name, email: sender.address }, ...(forwarded ? [forwarded] : [])],
    subject: (mail.subject ?? '').replace(/^(?:(?:re|fwd?)\s*:\s*)+/i, ''),
    text,
    table: rows.length > 1 ? rows.join('\n') : '',
    attachments: mail.attachments.flatMap(({ filename, related }) => (filename && !related ? [filename] : [])),
  };
}

/** Longer lines are ignored. No mail program writes a sender line of this length. */
const MAX_HEADER_LENGTH = 1000;
const FROM = /^[>\s*]*from:(.*)$/i;
const ADDRESS = /[<[(](?:mailto:)?([^\s<>[\]()@]+@[^\s<>[\]()@]+)[>\])]/i;

/** The last sender named in a forwarded mail is its original author. */
export function forwardedSender(text: string): MailSender | null {
  const lines = text.split(/\r\n|\r|\n/).map((line) => (line.length > MAX_HEADER_LENGTH ? '' : line));
  return lines.reduceRight<MailSender | null>((sender, line, at) => {
    if (sender) return sender;
    const own = FROM.exec(line)?.[1];
    // A mail program may break a long line before the address.
    return own === undefined ? null : (senderOf(own) ?? senderOf(`${own} ${lines[at + 1] ?? ''}`));
  }, null);
}

/** 'Anna Smith <anna@mary.example>' */
function senderOf(words: string): MailSender | null {
  const address = ADDRESS.exec(words);
  if (!address) return null;
  const name = words.slice(0, address.index).replace('*', '').replaceAll('"', '').trim();
  return name.includes('<') ? null : { name, email: address[1] ?? '' };
}

const BLOCKS = 'p, div, li, tr, h1, h2, h3, h4, blockquote, hr';

/** The text of an HTML mail. A table row becomes a line with tabs. Scripts do not run and nothing is loaded. */
export function textOfHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll('script, style, head, title')) element.remove();
  for (const element of body.querySelectorAll('br')) element.replaceWith('\n');
  for (const cell of body.querySelectorAll('td, th')) {
    const text = (cell.textContent ?? '').trim().replaceAll(/\s+/g, ' ');
    // Some tables only position content. Their cells contain other tables, so they do not get tabs.
    if (!cell.querySelector('td, th')) cell.textContent = cell.nextElementSibling ? `${text}\t` : text;
  }
  for (const element of body.querySelectorAll(BLOCKS)) element.append('\n');
  return (body.textContent ?? '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
