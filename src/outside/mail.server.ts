// Sending one mail: by SMTP, or into a mailbox on disk when there is no SMTP_URL.
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';

export type OutgoingMail = {
  /** Stays the same over retries, so that a receiver can drop a second copy. */
  messageId: string;
  to: string[];
  cc: string[];
  subject: string;
  text: string;
  attachments: { name: string; mediaType: string; bytes: Buffer }[];
};

export type MailTransport = {
  /**
   * Resolves once the next server (or the disk) has taken the mail, with the addresses it refused while it took it for others. Rejects
   * when it took it for nobody. By SMTP `aboutToHandOver` is waited for before the last byte, without which a server takes nothing; when
   * it rejects, that byte is never sent. A mail put into the mailbox twice is the same file, so nothing is waited for there.
   */
  send: (mail: OutgoingMail, aboutToHandOver: () => Promise<void>) => Promise<{ refused: string[] } | void>;
  /** The text of a mail in the mailbox on disk; null when it does not exist, absent where mail goes to a server. */
  readText?: (messageId: string) => Promise<string | null>;
};

/**
 * `smtpUrl` may set the times after which a server is given up, in ms: `?connectionTimeout=…&greetingTimeout=…&socketTimeout=…`. Each
 * mail has a connection of its own, so one that hangs is given up with its mail and stops no other.
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
  const readText = (messageId: string) =>
    fs.readFile(`${fileOf(messageId)}.txt`, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  return {
    ...(options.smtpUrl ? {} : { readText }),
    send: async (mail, aboutToHandOver) => {
      const transport = openTransport();
      if (options.smtpUrl) {
        transport.use('stream', ({ message }, done) => {
          const whole = message.createReadStream.bind(message);
          // Read only when the server asks for the mail's text, and as fast as it accepts it.
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
        attachments: mail.attachments.map((file) => ({
          filename: file.name,
          contentType: file.mediaType,
          content: file.bytes,
        })),
      });
      if (options.smtpUrl) return { refused: (sent as { rejected?: string[] }).rejected ?? [] };
      await fs.mkdir(options.mailbox, { recursive: true });
      const file = `${fileOf(mail.messageId)}.eml`;
      // For Settings → Mailbox: readable without decoding.
      await fs.writeFile(`${fileOf(mail.messageId)}.txt`, mail.text);
      await fs.writeFile(`${file}.part`, (sent as unknown as { message: Buffer }).message);
      // Complete or absent, even when the disk is full or the process is killed.
      await fs.rename(`${file}.part`, file);
    },
  };
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
