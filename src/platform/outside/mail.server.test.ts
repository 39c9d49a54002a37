// Tests sending one mail, by SMTP to a real server or to the mailbox on disk: accepted, refused, disconnected, and complete.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';
import { type MailTransport, type OutgoingMail, openMail } from './mail.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-mail-'));
const pdf = Buffer.from(Array.from({ length: 3000 }, (_, n) => n % 256));
const mail: OutgoingMail = {
  messageId: '<0f8a@quotes.example.com>',
  to: ['anna@example.org', 'bob@example.org'],
  cc: ['carl@example.org'],
  subject: 'Quote 104512 – Prüfstreifen\r\nBcc: eve@example.org',
  text: 'Guten Tag,\n\nhere it is: 5 €.\n.\nA line of one dot is above.',
  attachments: [{ name: 'quote-104512 ü.pdf', mediaType: 'application/pdf', bytes: pdf }],
};
const readily = () => Promise.resolve();
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe('by SMTP', () => {
  let smtp: TestSmtp;
  let transport: MailTransport;
  beforeAll(async () => {
    smtp = await startSmtp();
    transport = openMail({ smtpUrl: smtp.url, from: 'Quotes <quotes@example.com>', mailbox: folder });
  });
  afterAll(() => smtp.goAway());

  it('arrives whole, at the addresses given and no others', async () => {
    expect(await transport.send(mail, readily)).toEqual({ refused: [] });
    const [arrived] = smtp.taken.splice(0);
    expect(arrived?.to).toEqual(['anna@example.org', 'bob@example.org', 'carl@example.org']);
    expect(arrived?.mail).toMatch(/^From: Quotes <quotes@example.com>\r$/m);
    expect(arrived?.mail).toMatch(/^Message-ID: <0f8a@quotes.example.com>\r$/m);
    expect(arrived?.mail).not.toMatch(/^Bcc:/im);
    expect(arrived?.mail.replaceAll(/\r\n/g, '')).toContain(pdf.toString('base64'));
    expect(arrived?.mail).toContain('here it is: 5 =E2=82=AC.\r\n.\r\nA line of one dot');
  });

  it('gives an attachment the very name it has', async () => {
    await transport.send(
      { ...mail, attachments: [{ name: '5".pdf', mediaType: 'application/pdf', bytes: pdf }] },
      readily,
    );
    expect(smtp.taken.splice(0)[0]?.mail).toContain("utf-8''5%22.pdf");
  });

  it('says who was refused when it was taken for the others, and rejects when it was for nobody', async () => {
    expect(await transport.send({ ...mail, to: ['anna@example.org', 'nobody@example.org'], cc: [] }, readily)).toEqual({
      refused: [{ address: 'nobody@example.org', reply: '550 There is no such address', isForNow: false }],
    });
    expect(smtp.taken.splice(0).map(({ to }) => to)).toEqual([['anna@example.org']]);
    await expect(transport.send({ ...mail, to: ['nobody@example.org'], cc: [] }, readily)).rejects.toThrow(
      'no such address',
    );
  });

  it('is not taken before the last byte, for which the sender is asked', async () => {
    let takenBefore: number | undefined;
    await transport.send(mail, async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      takenBefore = smtp.taken.length;
    });
    expect([takenBefore, smtp.taken.splice(0).length]).toEqual([0, 1]);
    await expect(transport.send(mail, () => Promise.reject(new Error('Not now')))).rejects.toThrow('Not now');
    // The next mail is accepted after a failed one.
    await transport.send({ ...mail, messageId: '<next@quotes.example.com>' }, readily);
    expect(smtp.taken.splice(0).map((entry) => /^Message-ID: (.+)\r$/m.exec(entry.mail)?.[1])).toEqual([
      '<next@quotes.example.com>',
    ]);
    let isAsked = false;
    const nobody = { ...mail, to: ['nobody@example.org'], cc: [] };
    await expect(transport.send(nobody, async () => void (isAsked = true))).rejects.toThrow('no such address');
    expect(isAsked).toBe(false);
  });

  it('rejects when the server refuses, hangs, breaks off or is away, and goes on when it is well again', async () => {
    smtp.become('refuse');
    await expect(transport.send(mail, readily)).rejects.toThrow('Come again later');
    smtp.become('hang');
    await expect(transport.send(mail, readily)).rejects.toThrow(/Greeting never received|timeout/i);
    smtp.become('break off after taking');
    await expect(transport.send(mail, readily)).rejects.toThrow(/closed|reset|timeout/i);
    await smtp.goAway();
    await expect(transport.send(mail, readily)).rejects.toThrow('ECONNREFUSED');
    smtp.become('take');
    await smtp.comeBack();
    smtp.taken.splice(0);
    await transport.send(mail, readily);
    expect(smtp.taken).toHaveLength(1);
  });
});

describe('without SMTP_URL', () => {
  it('lies in the mailbox as one file, also when it is sent twice', async () => {
    const transport = openMail({ smtpUrl: undefined, from: 'quotes@example.com', mailbox: path.join(folder, 'box') });
    await transport.send(mail, readily);
    await transport.send(mail, readily);
    expect(fs.readdirSync(path.join(folder, 'box'))).toEqual([
      '_0f8a_quotes.example.com_.eml',
      '_0f8a_quotes.example.com_.txt',
    ]);
    const text = fs.readFileSync(path.join(folder, 'box', '_0f8a_quotes.example.com_.eml'), 'utf8');
    expect(text).toContain('To: anna@example.org, bob@example.org\r\n');
    expect(text.replaceAll(/\r\n/g, '')).toContain(pdf.toString('base64'));
  });

  it('rejects when the disk fails', async () => {
    fs.writeFileSync(path.join(folder, 'file'), '');
    const transport = openMail({ smtpUrl: undefined, from: 'quotes@example.com', mailbox: path.join(folder, 'file') });
    await expect(transport.send(mail, readily)).rejects.toThrow('EEXIST');
  });
});
