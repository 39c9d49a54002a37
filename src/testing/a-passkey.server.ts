// A device with a passkey, as a browser and WebAuthn speak for it. Each part of its answers can be wrong.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = { challenge: string; user?: { id: string } };
/** What differs from a good answer. */
type Wrong = { origin?: string; rpId?: string; challenge?: string; verified?: boolean; userHandle?: string };

const PRESENT = 1;
const VERIFIED = 4;
const HAS_CREDENTIAL = 64;
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** A passkey for the site at this address. Its counter begins at `counter`; 0 never counts, as those of phones. */
export function aDevice(address: string, counter = 1) {
  const { hostname, origin } = new URL(address);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const counts = counter > 0;
  let handle = '';

  const clientData = (type: string, options: Options, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wrong.challenge ?? options.challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const head = (flags: number, { rpId = hostname, verified = true }: Wrong) => {
    const bytes = Buffer.alloc(5);
    bytes[0] = flags | PRESENT | (verified ? VERIFIED : 0);
    bytes.writeUInt32BE(counts ? counter++ : 0, 1);
    return Buffer.concat([sha256(rpId), bytes]);
  };
  const answer = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const, clientExtensionResults: {} };

  return {
    /** Sets the counter back, as that of a copy of the device is. */
    rewind: () => void (counter = 1),
    /** Makes the passkey. */
    make(options: Options, wrong: Wrong = {}) {
      handle = options.user?.id ?? '';
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const size = Buffer.from([0, id.length]);
      const data = Buffer.concat([head(HAS_CREDENTIAL, wrong), Buffer.alloc(16), size, id, key]);
      // A map of three in CBOR: fmt 'none', an empty attStmt, authData.
      const attestation = Buffer.concat([
        Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58', 'latin1'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        ...answer,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, wrong)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      };
    },
    /** Answers a question with it. */
    use(options: Options, wrong: Wrong = {}) {
      const data = head(0, wrong);
      const client = clientData('webauthn.get', options, wrong);
      return {
        ...answer,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle: wrong.userHandle ?? handle,
        },
      };
    },
  };
}
