/** The capture server that this process is. */
import { createPrivateKey } from 'node:crypto'
import { integer, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

function isEd25519(der: Buffer): boolean {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

export const servers = {
  serverId: setting({
    name: 'PROBANT_SERVER_ID',
    accepts: 'lower-case letters, digits and hyphens, at most 63',
    parse(this: void, value: string): string {
      if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(value)) throw new RangeError('must be lower-case letters, digits and hyphens')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'made once, kept in the data folder',
    meaning: 'Names the capture server that the capture processes of this machine make up; reports name it.',
  }),
  serverKey: setting({
    name: 'PROBANT_SERVER_KEY',
    accepts: 'Ed25519 private key, PKCS #8 (DER) in base64',
    secret: true,
    parse(this: void, value: string): Buffer {
      const key = Buffer.from(value, 'base64')
      if (!isEd25519(key)) throw new RangeError('must be an Ed25519 private key, PKCS #8 in base64')
      return key
    },
    fallback: undefined as Buffer | undefined,
    fallbackText: 'made once, kept in the data folder with mode 0600',
    meaning:
      'By which the capture server is known again. Given where its processes have no data folder that stays, as the pods of a cluster, which are one capture server together. `openssl genpkey -algorithm ed25519 -outform DER | base64 -w0` makes one.',
  }),
  serverName: setting({
    name: 'PROBANT_SERVER_NAME',
    ...text(100),
    fallback: undefined as string | undefined,
    fallbackText: 'the id',
    meaning: 'What visitors read as the name of the capture server.',
  }),
  serverCountry: setting({
    name: 'PROBANT_SERVER_COUNTRY',
    accepts: 'two capital letters (ISO 3166-1)',
    parse(this: void, value: string): string {
      if (!/^[A-Z]{2}$/.test(value)) throw new RangeError('must be two capital letters')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'not stated',
    meaning: 'Country that the capture server stands in. Your word: nothing measures it.',
  }),
  serverCity: setting({
    name: 'PROBANT_SERVER_CITY',
    ...text(100),
    fallback: undefined as string | undefined,
    fallbackText: 'not stated',
    meaning: 'City that the capture server stands in. Your word, too.',
  }),
  serverKind: setting({
    name: 'PROBANT_SERVER_KIND',
    ...oneOf('public', 'dedicated'),
    fallback: 'public',
    fallbackText: '`public`',
    meaning:
      'A public server takes any capture; a dedicated one takes only what members of the group that it is assigned to ask of it. Assigned to none, it takes nothing.',
  }),
  imageDigest: setting({
    name: 'PROBANT_IMAGE_DIGEST',
    accepts: '`sha256:` and 64 hexadecimal digits',
    parse(this: void, value: string): string {
      if (!/^sha256:[0-9a-f]{64}$/.test(value)) throw new RangeError('must be sha256: and 64 lower-case hexadecimal digits')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'not stated',
    meaning:
      'Digest of the image that a capture process runs from, by which it was pulled. Your word, since no image holds its own digest; printed beside what the process measures of the files of the image, and not at all where it runs from none.',
  }),
  serverPin: setting({
    name: 'PROBANT_SERVER_PIN',
    ...oneOf('at-start', 'by-command'),
    fallback: undefined as 'at-start' | 'by-command' | undefined,
    fallbackText: '`at-start` in development, `by-command` in production',
    meaning:
      'When a changed capture server is accepted as it is now: each time its process starts, or only by `probant server pin`. Until then it is set aside. The first state is pinned at the first start.',
  }),
  serverWaitSeconds: setting({
    name: 'PROBANT_SERVER_WAIT',
    ...integer(5, 86_400, 'seconds'),
    fallback: 900,
    fallbackText: '`900`',
    meaning: 'How long a capture waits while no server that may take it is ready; then it fails and says so.',
  }),
  secondServerWaitSeconds: setting({
    name: 'PROBANT_SECOND_SERVER_WAIT',
    ...integer(1, 120, 'seconds'),
    fallback: 20,
    fallbackText: '`20`',
    meaning:
      'How long a capture that was asked for with a second server waits, its browser ready, to start together with it. Then it starts alone, and says so.',
  }),
} as const
