// A mail server on loopback that accepts, refuses, hangs, or disconnects on command, and can stop and come back.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type Behavior =
  | 'take'
  | 'refuse'
  | 'refuse and repeat it'
  | 'hang'
  | 'break off after taking'
  | 'fall silent after taking';

export type TestSmtp = {
  /** For SMTP_URL; gives up within a second. */
  url: string;
  /** Accepted mails in order: the envelope's addresses and the raw mail. */
  taken: { to: string[]; mail: string }[];
  /** How many connections it received. */
  visits: () => number;
  become: (behavior: Behavior) => void;
  /** Waits this many ms between accepting a mail and answering. */
  answerAfter: (ms: number) => void;
  goAway: () => Promise<void>;
  comeBack: () => Promise<void>;
};

/** Starts a mail server on a free port. It never accepts mail for addresses that begin with `nobody@`, and for `later@` only from the second time on. */
export async function startSmtp(): Promise<TestSmtp> {
  const taken: TestSmtp['taken'] = [];
  let behavior: Behavior = 'take';
  let delay = 0;
  let visits = 0;
  let port = 0;
  let server: SMTPServer;
  const seen = new Set<string>();

  const listen = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onConnect: (_session, done) => {
        visits++;
        if (behavior !== 'hang') done();
      },
      onRcptTo: ({ address }, _session, done) => {
        const isLater = address.startsWith('later@') && !seen.has(address);
        seen.add(address);
        if (isLater) done(Object.assign(new Error('Greylisted'), { responseCode: 451 }));
        else done(address.startsWith('nobody@') ? new Error('There is no such address') : null);
      },
      onData: (stream, session, done) => {
        const take = (mail: string) => {
          if (behavior === 'refuse') {
            done(Object.assign(new Error('Come again later'), { responseCode: 451 }));
            return;
          }
          if (behavior === 'refuse and repeat it') {
            const line = mail.replaceAll(/\s+/g, ' ');
            done(Object.assign(new Error(`Not allowed here: ${line}`), { responseCode: 554 }));
            return;
          }
          taken.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
          if (behavior === 'fall silent after taking') return;
          if (behavior === 'take') setTimeout(done, delay);
          else for (const connection of server.connections) (connection as { close: () => void }).close();
        };
        // A mail that ends before its last byte is not accepted.
        text(stream).then(take, () => {});
      },
    });
    server.on('error', () => {});
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    port = (server.server.address() as AddressInfo).port;
  };
  await listen();
  return {
    url: `smtp://127.0.0.1:${port}?connectionTimeout=900&greetingTimeout=900&socketTimeout=900`,
    taken,
    visits: () => visits,
    become: (next) => {
      behavior = next;
    },
    answerAfter: (ms) => {
      delay = ms;
    },
    goAway: () => new Promise((resolve) => server.close(() => resolve())),
    comeBack: listen,
  };
}
