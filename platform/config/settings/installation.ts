/** The installation as a whole: where it listens, whose it is, what stands before it. */
import { isIP } from 'node:net'
import { address, commaSeparated, integer, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

/** A URI of one line, as RFC 9116 §2.5.3 wants it; a page is never named by `http:`. */
function parseContact(item: string): string {
  if (
    !/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+|tel:\+?[\d-]+)$/.test(item) ||
    !/^[\x21-\x7e]{1,300}$/.test(item) ||
    !URL.canParse(item)
  )
    throw new RangeError(`must list addresses starting with mailto:, https:// or tel:, not ${JSON.stringify(item)}`)
  return item
}

export const installation = {
  /** Read before all others: settings-file.ts. */
  settingsFile: setting({
    name: 'PROBANT_SETTINGS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: '`probant.env` beside the program, if there is one',
    meaning:
      'File of settings, `NAME=value` lines that only its owner may read (`npx probant setup` writes one), or `none`. What the environment says goes before it.',
  }),
  environment: setting({
    name: 'PROBANT_ENV',
    ...oneOf('development', 'production'),
    fallback: 'development',
    fallbackText: '`development`',
    meaning:
      'Production refuses what only suits trials: the mail pages at `/dev/mail/`, addresses allowed to captures, captures without isolation, visitors without TLS.',
  }),
  host: setting({
    name: 'PROBANT_HOST',
    accepts: 'IP address, or `localhost`',
    parse(this: void, value: string): string {
      if (value !== 'localhost' && isIP(value) === 0) throw new RangeError('must be an IP address or localhost')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: '`127.0.0.1` in development, `0.0.0.0` in production',
    meaning: 'Address that the web role listens on.',
  }),
  port: setting({
    name: 'PORT',
    ...integer(0, 65_535),
    fallback: 8080,
    fallbackText: '`8080`',
    meaning: 'Port that the web role listens on; `0` lets the system choose.',
  }),
  publicUrl: setting({
    name: 'PROBANT_PUBLIC_URL',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: '`http://localhost:PORT`',
    meaning: 'Address by which visitors reach the installation; links in mails and reports start with it.',
  }),
  operator: setting({
    name: 'PROBANT_OPERATOR',
    ...text(300),
    fallback: undefined as string | undefined,
    fallbackText: 'none: reports say that it is not stated',
    meaning:
      'Who runs the machine: name, and address and registration as they identify it (`Example SARL, 1 rue du Port, 13002 Marseille, RCS Marseille 123 456 789`). Sealed with each capture and printed as stated by the installation; nobody measures it.',
  }),
  sample: setting({
    name: 'PROBANT_SAMPLE',
    ...oneOf('on', 'off'),
    fallback: 'on',
    fallbackText: '`on`',
    meaning:
      'Whether a worker captures the home page of the installation in each language, once for each release, and keeps the sealed packages as the samples that everybody may open at `/sample/`.',
  }),
  legalMail: setting({
    name: 'PROBANT_LEGAL_MAIL',
    ...text(254),
    fallback: undefined as string | undefined,
    fallbackText: 'none: legal pages say that it is not stated',
    meaning: 'E-mail address of the operator, as legal pages show it.',
  }),
  legalPhone: setting({
    name: 'PROBANT_LEGAL_PHONE',
    ...text(60),
    fallback: undefined as string | undefined,
    fallbackText: 'none: legal pages say that it is not stated',
    meaning: 'Telephone of the operator, as the legal notice shows it.',
  }),
  publicationDirector: setting({
    name: 'PROBANT_PUBLICATION_DIRECTOR',
    ...text(200),
    fallback: undefined as string | undefined,
    fallbackText: 'none: the legal notice says that it is not stated',
    meaning: 'Director of publication (French law no. 2004-575, article 1-1).',
  }),
  hosting: setting({
    name: 'PROBANT_HOSTING',
    ...text(400),
    fallback: undefined as string | undefined,
    fallbackText: 'none: the legal notice says that it is not stated',
    meaning: 'Who hosts the installation: name, address and telephone.',
  }),
  dataOfficer: setting({
    name: 'PROBANT_DATA_OFFICER',
    ...text(300),
    fallback: undefined as string | undefined,
    fallbackText: 'none: the page on privacy says that none is stated',
    meaning: 'Data protection officer, and how to reach him (GDPR, article 13).',
  }),
  mediator: setting({
    name: 'PROBANT_MEDIATOR',
    ...text(400),
    fallback: undefined as string | undefined,
    fallbackText: 'none: the page on withdrawal says that none is stated',
    meaning: 'Mediator of consumer disputes, with address and site (French Consumer Code, article L616-1).',
  }),
  plainVisitors: setting({
    name: 'PROBANT_PLAIN_HTTP',
    ...oneOf('i-accept-unencrypted-visitors'),
    fallback: undefined as 'i-accept-unencrypted-visitors' | undefined,
    fallbackText: '`http://` is refused in production, except on the machine itself',
    meaning:
      'Lets `PROBANT_PUBLIC_URL` start with `http://` in production, for a closed network that enciphers below HTTP. Elsewhere whoever sits between reads passwords.',
  }),
  securityContacts: setting({
    name: 'PROBANT_SECURITY_CONTACT',
    accepts: 'comma-separated addresses starting with `mailto:`, `https://` or `tel:`, most wanted first',
    parse: commaSeparated(parseContact),
    fallback: [] as readonly string[],
    fallbackText: 'none: there is no such file',
    meaning: 'Whom to tell of a weakness: makes `/.well-known/security.txt` (RFC 9116).',
  }),
  trustedProxies: setting({
    name: 'PROBANT_TRUSTED_PROXIES',
    accepts: 'comma-separated IP addresses or CIDR ranges',
    parse: commaSeparated((item) => {
      const [host = '', bits] = item.split('/')
      const family = isIP(host)
      if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))) {
        throw new RangeError(`must list IP addresses or CIDR ranges, not ${JSON.stringify(item)}`)
      }
      return item
    }),
    fallback: [] as readonly string[],
    fallbackText: 'none: `X-Forwarded-For` and `X-Forwarded-Host` are ignored',
    meaning:
      'Reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Any reverse proxy must pass upgrades to WebSocket at `/live/`.',
  }),
  brands: setting({
    name: 'PROBANT_BRANDS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none: the product’s own name and colours everywhere',
    meaning:
      'Folder of partners’ brands, `NAME/brand.json` each (BRANDS.md). One that is wrong is named at the start with its file and field, and not shown; the others are.',
  }),
  content: setting({
    name: 'PROBANT_CONTENT',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning: "Folder whose Markdown files replace those of `content/` of the same name: the operator's own legal texts and help.",
  }),
  workerConcurrency: setting({
    name: 'PROBANT_WORKER_CONCURRENCY',
    ...integer(1, 64),
    fallback: 4,
    fallbackText: '`4`',
    meaning: 'Background jobs that one worker process runs at a time.',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    ...oneOf('debug', 'info', 'warn', 'error'),
    fallback: 'info',
    fallbackText: '`info`',
    meaning: 'Least grave entries that are logged.',
  }),
} as const
