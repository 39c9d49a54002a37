// Sends a mail by SMTP, or to a mailbox on disk if there is no SMTP_URL.
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';

export type OutgoingMail = {
  /** The same in all retries, so that a receiver can drop a second copy. */
  messageId: string;
  to: string[];
  cc: string[];
  subject: string;
  text: string;
  /** The address where the reader sets which mails they receive, for the List-Unsubscribe header. */
  unsubscribe?: string;
  attachments: { name: string; mediaType: string; bytes: Buffer }[];
};

/** A recipient that the mail server refused although it accepted others. `isForNow` means that the refusal is temporary (4xx). */
export type RefusedRecipient = { address: string; reply: string; isForNow: boolean };

export type MailTransport = {
  /**
   * Resolves once the next server (or the disk) has accepted the mail, with the recipients that the server refused. Rejects if the server refused all
   * of them. SMTP waits for `aboutToHandOver` before the last byte, without which a server does not accept the mail. If `aboutToHandOver` rejects,
   * that byte is never sent. The mailbox does not wait, because sending the same mail twice writes the same file.
   */
  send: (mail: OutgoingMail, aboutToHandOver: () => Promise<void>) => Promise<{ refused: RefusedRecipient[] } | void>;
};

/**
 * `smtpUrl` may set the server's timeouts in ms: `?connectionTimeout=…&greetingTimeout=…&socketTimeout=…`. Each mail has its own connection, so a
 * hanging connection affects only one mail.
 */
export function openMail(options: { smtpUrl: string | undefined; from: string; mailbox: string }): MailTransport {
  const openTransport = () =>
    options.smtpUrl
      ? nodemailer.createTransport({
          url: withTimeouts(options.smtpUrl, {
            connectionTimeout: 10_000,
            greetingTimeout: 10_000,
            socketTimeout: 30_000,
          }),
        })
      : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const fileOf = (messageId: string) => path.join(options.mailbox, messageId.replace(/[^\w.-]/g, '_'));
  return {
    send: async (mail, aboutToHandOver) => {
      const transport = openTransport();
      if (options.smtpUrl) {
        transport.use('stream', ({ message }, done) => {
          const whole = message.createReadStream.bind(message);
          // Nodemailer reads this only when the server requests the text of the mail, and only as fast as the server accepts it.
          message.createReadStream = () =>
            Readable.from(waitBeforeEnd(whole(), aboutToHandOver), { objectMode: false });
          done();
        });
      }
      const sent = await transport.sendMail({
        from: options.from,
        to: mail.to,
        cc: mail.cc,
        subject: mail.subject,
        text: mail.text,
        messageId: mail.messageId,
        ...(mail.unsubscribe ? { list: { unsubscribe: mail.unsubscribe } } : {}),
        attachments: mail.attachments.map((file) => ({
          filename: file.name,
          contentType: file.mediaType,
          content: file.bytes,
        })),
      });
      if (options.smtpUrl) return { refused: refusedOf(sent) };
      await fs.mkdir(options.mailbox, { recursive: true });
      const file = `${fileOf(mail.messageId)}.eml`;
      // This copy is readable without decoding. No call returns it, because a mail may contain a secret.
      await fs.writeFile(`${fileOf(mail.messageId)}.txt`, mail.text);
      await fs.writeFile(`${file}.part`, (sent as unknown as { message: Buffer }).message);
      // The rename makes the file either complete or absent, even if the disk is full or the process is killed.
      await fs.rename(`${file}.part`, file);
    },
  };
}

type Refusal = { recipient?: string; response?: string; responseCode?: number };
type Sent = { rejected?: string[]; rejectedErrors?: Refusal[] };

function refusedOf({ rejected = [], rejectedErrors = [] }: Sent): RefusedRecipient[] {
  return rejected.map((address) => {
    const { response = '', responseCode = 550 } = rejectedErrors.find(({ recipient }) => recipient === address) ?? {};
    return { address, reply: response, isForNow: responseCode < 500 };
  });
}

/** Returns what a failed attempt means for the mail. */
export function verdictOf(error: unknown): { isAnswer: boolean; isForGood: boolean } {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  // Other permanent refusals, such as of our sign-in or sender, are mistakes that an administrator can correct.
  const isForGood = command === 'RCPT TO' && (responseCode ?? 0) >= 500;
  return { isAnswer: responseCode !== undefined, isForGood };
}

async function* waitBeforeEnd(whole: Readable, before: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* whole as AsyncIterable<Buffer>;
  await before();
}

function withTimeouts(smtpUrl: string, times: Record<string, number>): string {
  const url = new URL(smtpUrl);
  for (const [name, time] of Object.entries(times)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(time));
  }
  return url.href;
}
