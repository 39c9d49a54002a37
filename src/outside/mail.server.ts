// Sending one mail: by SMTP, or into a mailbox on disk when there is no SMTP_URL.
import fs from 'node:fs/promises';
import path from 'node:path';
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
   * when it took it for nobody.
   */
  send: (mail: OutgoingMail) => Promise<{ refused: string[] } | void>;
};

/** `smtpUrl` may set the times after which a server is given up, in ms: `?connectionTimeout=…&greetingTimeout=…&socketTimeout=…`. */
export function openMail(options: { smtpUrl: string | undefined; from: string; mailbox: string }): MailTransport {
  const transport = options.smtpUrl
    ? nodemailer.createTransport({
        url: withTimeouts(options.smtpUrl, {
          connectionTimeout: 10_000,
          greetingTimeout: 10_000,
          socketTimeout: 30_000,
        }),
      })
    : nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
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
      const name = `${mail.messageId.replace(/[^\w.-]/g, '_')}.eml`;
      await fs.writeFile(path.join(options.mailbox, name), (sent as unknown as { message: Buffer }).message);
    },
  };
}

function withTimeouts(smtpUrl: string, times: Record<string, number>): string {
  const url = new URL(smtpUrl);
  for (const [name, time] of Object.entries(times)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(time));
  }
  return url.href;
}
