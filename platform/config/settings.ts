/**
 * Every environment variable of the product, once: the parser (config.ts) and docs/CONFIGURATION.md (describe-settings.ts)
 * are both made from this table.
 */
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { parseHostPort, type HostPort } from '../../kernel/host-port.ts'

export type Setting<T = unknown> = {
  readonly name: string
  /** What applies when the variable is absent, in words for the document. */
  readonly fallbackText: string
  /** `undefined` when the value depends on others or on the machine and config.ts works it out. */
  readonly fallback: T
  readonly meaning: string
  /** Accepted values, in words. */
  readonly accepts: string
  /** Shown as set or not set, never by value. */
  readonly secret: boolean
  /** @throws RangeError that completes the sentence `NAME …` */
  readonly parse: (text: string) => T
}

function setting<const T>(spec: Omit<Setting<T>, 'secret'> & { secret?: boolean }): Setting<T> {
  return { secret: false, ...spec }
}

function oneOf<const T extends string>(...values: readonly T[]) {
  return {
    accepts: values.map((value) => `\`${value}\``).join(' or '),
    parse(this: void, text: string): T {
      const found = values.find((value) => value === text)
      if (found === undefined) throw new RangeError(`must be ${values.join(' or ')}`)
      return found
    },
  }
}

function integer(min: number, max: number, unit = '') {
  return {
    accepts: `whole number from ${min} to ${max}${unit === '' ? '' : ` ${unit}`}`,
    parse(this: void, text: string): number {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= min && value <= max)) throw new RangeError(`must be a whole number from ${min} to ${max}`)
      return value
    },
  }
}

function decimal(min: number, max: number) {
  return {
    accepts: `number from ${min} to ${max}`,
    parse(this: void, text: string): number {
      const value = /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= min && value <= max)) throw new RangeError(`must be a number from ${min} to ${max}`)
      return value
    },
  }
}

/** Where a process listens, or is reached. */
function hostPort(port: number) {
  return {
    accepts: `name or address with or without a port (${port === 0 ? 'one that the system chooses' : String(port)} else)`,
    parse(this: void, value: string): HostPort {
      const found = parseHostPort(value.replace(/:0$/, ''), port === 0 ? 1 : port)
      if (found === null) throw new RangeError('must be host or host:port')
      // The parser of peers knows no port 0, which here lets the system choose.
      const chosen = parseHostPort(value.replace(/:0$/, ''), 2)?.port === found.port
      return port === 0 && !chosen ? { host: found.host, port: 0 } : found
    },
  }
}

function address(schemes: readonly string[]) {
  return {
    accepts: `address starting with ${schemes.map((scheme) => `\`${scheme}//\``).join(' or ')}`,
    parse(this: void, text: string): string {
      const scheme = schemes.find((candidate) => text.startsWith(`${candidate}//`))
      // pg accepts an empty host with ?host=/folder, which the URL standard refuses: give it one to parse by.
      if (scheme === undefined || !URL.canParse(text.replace('@/', '@localhost/'))) {
        throw new RangeError(`must be an address starting with ${schemes.map((each) => `${each}//`).join(' or ')}`)
      }
      return text
    },
  }
}

const text = (max = 500) => ({
  accepts: `text of at most ${max} characters`,
  parse(this: void, value: string): string {
    if (value.length > max || /\p{Cc}/u.test(value))
      throw new RangeError(`must be text of at most ${max} characters without control characters`)
    return value
  },
})

/** Name of a key or of a log, as c2sp.org/signed-note allows it. */
function parseKeyName(name: string): string {
  if (!/^[^\s+,#]{1,200}$/u.test(name)) throw new RangeError('must be a name without blanks, commas, + or #')
  return name
}

/** A verifier key of c2sp.org/signed-note: what it says of itself is checked where it is used. */
function parseVerifierKeyText(key: string): string {
  if (!/^[^\s+,#]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43,}={0,2}$/u.test(key))
    throw new RangeError(`must hold verifier keys name+hash+key, not ${JSON.stringify(key)}`)
  return key
}

function commaSeparated<T>(item: (text: string) => T): (text: string) => readonly T[] {
  return (list) => list.split(',').map((part) => item(part.trim()))
}

/** Addresses without login, query or fragment, as OpenTimestamps writes them into proofs; a slash at the end is taken off. */
function calendarList(list: string): readonly string[] {
  if (list === 'none') return []
  return commaSeparated((item) => {
    const url = URL.parse(item)
    if (url === null || !/^https?:\/\/[A-Za-z0-9\-._/:]{1,500}$/.test(item) || url.username !== '')
      throw new RangeError(`must list addresses starting with http:// or https://, not ${JSON.stringify(item)}`)
    return item.replace(/\/+$/, '')
  })(list)
}

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

/** A loopback or private address with a port, in the one canonical spelling: no name, no range, no odd form. */
function parseAllowedAddress(item: string): string {
  const match = /^(?:\[(?<v6>[0-9a-f:]+)\]|(?<v4>\d+\.\d+\.\d+\.\d+)):(?<port>\d{1,5})$/.exec(item)
  const { v6, v4, port } = match?.groups ?? {}
  const host = v6 ?? v4 ?? ''
  if (port === undefined || isIP(host) === 0 || Number(port) < 1 || Number(port) > 65_535 || port.startsWith('0')) {
    throw new RangeError(`must list ip:port or [ip]:port, not ${JSON.stringify(item)}`)
  }
  const local =
    v4 === undefined ? /^(::1|f[cd][0-9a-f]{2}:.*)$/.test(host) : /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host)
  if (!local) throw new RangeError(`must list loopback or private addresses only, not ${JSON.stringify(item)}`)
  return item
}

/** Servers that the probes of a capture's conditions ask. */
function hosts(port: number) {
  return {
    accepts: `\`none\`, or comma-separated names or addresses, each with or without a port (${String(port)} else)`,
    parse(this: void, list: string): readonly HostPort[] {
      if (list === 'none') return []
      return list.split(',').map((part) => {
        const server = parseHostPort(part.trim(), port)
        if (server === null) throw new RangeError(`must list servers, not ${JSON.stringify(part.trim())}`)
        return server
      })
    },
  }
}

const mebi = 1024 * 1024

export const settings = {
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
  data: setting({
    name: 'PROBANT_DATA',
    ...text(),
    fallback: './data',
    fallbackText: '`./data`',
    meaning: 'Folder of everything the installation keeps: embedded database, blobs, keys, mails, logs.',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    ...address(['postgres:', 'postgresql:']),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'embedded PostgreSQL 18 in the data folder',
    meaning: 'PostgreSQL 16 or later to use instead of the embedded one.',
  }),
  blobs: setting({
    name: 'PROBANT_BLOBS',
    ...oneOf('folder', 's3'),
    fallback: 'folder',
    fallbackText: '`folder`',
    meaning: 'Where blobs are kept: the data folder, or an S3-compatible store.',
  }),
  s3Endpoint: setting({
    name: 'S3_ENDPOINT',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: "the region's own",
    meaning: 'Address of the S3-compatible store.',
  }),
  s3Region: setting({
    name: 'S3_REGION',
    ...text(60),
    fallback: 'us-east-1',
    fallbackText: '`us-east-1`',
    meaning: 'Region of the store.',
  }),
  s3Bucket: setting({
    name: 'S3_BUCKET',
    accepts: 'bucket name',
    parse(this: void, value: string): string {
      if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)) throw new RangeError('must be a bucket name')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Bucket, which exists already.',
  }),
  s3Prefix: setting({
    name: 'S3_PREFIX',
    ...text(200),
    fallback: '',
    fallbackText: 'empty',
    meaning: 'Put before every key, for a bucket that is shared.',
  }),
  s3AccessKeyId: setting({
    name: 'S3_ACCESS_KEY_ID',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Access key of the store.',
  }),
  s3SecretAccessKey: setting({
    name: 'S3_SECRET_ACCESS_KEY',
    ...text(200),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BLOBS=s3`',
    meaning: 'Secret of that key.',
  }),
  s3ForcePathStyle: setting({
    name: 'S3_FORCE_PATH_STYLE',
    ...oneOf('true', 'false'),
    fallback: 'true',
    fallbackText: '`true`',
    meaning: 'Whether the bucket stands in the path instead of the host name.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    ...address(['smtp:', 'smtps:']),
    secret: true,
    fallback: undefined as string | undefined,
    fallbackText: 'mails are files in the data folder',
    meaning: 'SMTP server, with user and password when it wants them.',
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    accepts: '`Name <address>` or an address',
    parse(this: void, value: string): string {
      if (!/^(?:[^<>\p{Cc}"]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value))
        throw new RangeError('must be an e-mail address or Name <address>')
      return value
    },
    fallback: 'Probant <probant@localhost>',
    fallbackText: '`Probant <probant@localhost>`',
    meaning: 'Sender of mails.',
  }),
  secret: setting({
    name: 'PROBANT_SECRET',
    accepts: 'at least 32 characters',
    secret: true,
    parse(this: void, value: string): string {
      if (value.length < 32 || value.length > 500) throw new RangeError('must have from 32 to 500 characters')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'made once, kept in the data folder with mode 0600',
    meaning: 'Signs expiring links. The same for every process of an installation.',
  }),
  masterKey: setting({
    name: 'PROBANT_MASTER_KEY',
    accepts: '32 bytes in base64 or base64url',
    secret: true,
    parse(this: void, value: string): Buffer {
      const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : null
      if (key?.length !== 32) throw new RangeError('must be 32 bytes in base64 or base64url')
      return key
    },
    fallback: undefined as Buffer | undefined,
    fallbackText: 'made once, kept in the data folder with mode 0600',
    meaning:
      'Enciphers what the database keeps secret of people, such as second factors. The same for every process of an installation; without it those are lost. `openssl rand -base64 32` makes one.',
  }),
  registrations: setting({
    name: 'PROBANT_REGISTRATIONS',
    ...oneOf('open', 'invite', 'closed'),
    fallback: 'open',
    fallbackText: '`open`',
    meaning:
      'Who may register: anyone, whoever holds a link made by `probant invite create`, or nobody. Accounts that exist are not touched.',
  }),
  reviewFourEyes: setting({
    name: 'PROBANT_REVIEW_FOUR_EYES',
    ...oneOf('on', 'off'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether two reviewers must agree before somebody’s identity documents are accepted. A refusal by either is final. Agreements that were given before it was changed still ask for the second.',
  }),
  identityDocumentsDays: setting({
    name: 'PROBANT_IDENTITY_DOCUMENTS_DAYS',
    ...integer(1, 3650, 'days'),
    fallback: 30,
    fallbackText: '30 days',
    meaning:
      'How long the files of identity documents are kept after they were accepted. Then they are erased; which document, when and by whom it was accepted stays. Files that were refused, or never sent, are erased after 180 days in which their owner did nothing.',
  }),
  documentCopyBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_BYTES',
    ...integer(0, 10_240 * mebi, 'bytes'),
    fallback: 2048 * mebi,
    fallbackText: '`2147483648` (2 GiB)',
    meaning:
      'Largest file of which a copy is kept beside its fingerprint, where its depositor asks for it. `0` keeps none but of empty files.',
  }),
  documentCopyAccountBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_ACCOUNT_BYTES',
    ...integer(0, 1_048_576 * mebi, 'bytes'),
    fallback: 20_480 * mebi,
    fallbackText: '`21474836480` (20 GiB)',
    meaning: 'Bytes of copies that one account may have kept at a time, those included that are on their way.',
  }),
  documentCopyDays: setting({
    name: 'PROBANT_DOCUMENT_COPY_DAYS',
    ...integer(1, 36_500, 'days'),
    fallback: 365,
    fallbackText: '365 days',
    meaning:
      'How long a copy is kept from the day on which its fingerprint was compared; the date is shown to its depositor, and stays as it was promised when this changes. Fingerprint and proofs are kept on.',
  }),
  documentCopySpareBytes: setting({
    name: 'PROBANT_DOCUMENT_COPY_SPARE_BYTES',
    ...integer(0, 1_048_576 * mebi, 'bytes'),
    fallback: 1024 * mebi,
    fallbackText: '`1073741824` (1 GiB)',
    meaning:
      'Bytes that copies leave free on the disk of the blob folder: no piece of a file is taken that would leave less, and what came of it is kept. An object store tells no room, and is not asked.',
  }),
  tsaUrls: setting({
    name: 'TSA_URLS',
    accepts: 'comma-separated addresses starting with `http://` or `https://`',
    parse: commaSeparated(address(['http:', 'https:']).parse),
    fallback: [] as readonly string[],
    fallbackText: 'the embedded authority, which is *not qualified*',
    meaning: 'RFC 3161 timestamp authorities, tried in this order.',
  }),
  logOrigin: setting({
    name: 'PROBANT_LOG_ORIGIN',
    accepts: 'name without blanks, commas, `+` or `#`',
    parse: parseKeyName,
    fallback: undefined as string | undefined,
    fallbackText: '`PROBANT_PUBLIC_URL` without its scheme, and `/log`',
    meaning: 'Identity of the public log, fixed for ever by its first entry: a later value changes nothing.',
  }),
  logWitnesses: setting({
    name: 'PROBANT_LOG_WITNESSES',
    accepts: 'comma-separated addresses of witnesses, each with `#` and its verifier key (`https://host/prefix#name+hash+key`)',
    parse: commaSeparated((item) => {
      const [url = '', key = '', ...rest] = item.split('#')
      if (rest.length > 0) throw new RangeError('must have one # for each witness')
      return { url: address(['http:', 'https:']).parse(url).replace(/\/+$/, ''), key: parseVerifierKeyText(key) }
    }),
    fallback: [] as readonly { url: string; key: string }[],
    fallbackText: 'none: the operator alone signs the log',
    meaning: 'Witnesses (c2sp.org/tlog-witness) that are asked to cosign each checkpoint of the public log, in the background.',
  }),
  witnessedLogs: setting({
    name: 'PROBANT_WITNESSED_LOGS',
    accepts: 'comma-separated verifier keys of logs; `origin#` before one whose name is not the origin of its log',
    parse: commaSeparated((item) => {
      const at = item.lastIndexOf('#')
      const key = parseVerifierKeyText(item.slice(at + 1))
      return { origin: at < 0 ? key.slice(0, key.indexOf('+')) : item.slice(0, at), key }
    }),
    fallback: [] as readonly { origin: string; key: string }[],
    fallbackText: 'none',
    meaning:
      'Logs of others that this installation cosigns as a witness, at `/witness/add-checkpoint`, each only as long as it does nothing but grow.',
  }),
  witnessName: setting({
    name: 'PROBANT_WITNESS_NAME',
    accepts: 'name without blanks, commas, `+` or `#`',
    parse: parseKeyName,
    fallback: undefined as string | undefined,
    fallbackText: '`PROBANT_PUBLIC_URL` without its scheme, and `/witness`',
    meaning: 'Name of the key with which this installation cosigns logs of others.',
  }),
  trustedLists: setting({
    name: 'PROBANT_TRUSTED_LISTS',
    accepts: '`none`, or an address starting with `https://` or `http://`',
    parse(this: void, value: string): string {
      return value === 'none' ? value : address(['https:', 'http:']).parse(value)
    },
    fallback: 'https://ec.europa.eu/tools/lotl/eu-lotl.xml',
    fallbackText: '`https://ec.europa.eu/tools/lotl/eu-lotl.xml`',
    meaning:
      "The European Union's list of trusted lists. Once a day the worker reads it and the lists it names, verifies their signatures, and keeps what it had where one cannot be had; until it could, the shipped snapshot stands. `none` reads nothing.",
  }),
  trustedListSeconds: setting({
    name: 'PROBANT_TRUSTED_LIST_SECONDS',
    ...integer(1, 600, 'seconds'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'How long one trusted list may take to arrive.',
  }),
  trustedListBytes: setting({
    name: 'PROBANT_TRUSTED_LIST_BYTES',
    ...integer(mebi, 16 * mebi, 'bytes'),
    fallback: 16 * mebi,
    fallbackText: '`16777216` (16 MiB)',
    meaning: 'Longest trusted list that is taken. The largest, of Germany, has some 5 MiB.',
  }),
  otsCalendars: setting({
    name: 'PROBANT_OTS_CALENDARS',
    accepts: '`none`, or comma-separated addresses starting with `http://` or `https://`',
    parse: calendarList,
    fallback: [
      'https://alice.btc.calendar.opentimestamps.org',
      'https://bob.btc.calendar.opentimestamps.org',
      'https://finney.calendar.eternitywall.com',
      'https://btc.calendar.catallaxy.com',
    ] as readonly string[],
    fallbackText:
      'the four public calendars: `alice` and `bob` of opentimestamps.org, `finney` of eternitywall.com, catallaxy.com',
    meaning:
      'OpenTimestamps calendars that anchor checkpoints of the public log in Bitcoin, in order of preference; two of them are asked each time. They learn the commitment of a checkpoint and nothing else. `none`: no calendar.',
  }),
  anchorMinutes: setting({
    name: 'PROBANT_ANCHOR_EVERY',
    ...integer(1, 10_080, 'minutes'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'Least time between two anchors of the public log. What was sealed meanwhile shares one.',
  }),
  anchorDays: setting({
    name: 'PROBANT_ANCHOR_GIVE_UP',
    ...integer(1, 365, 'days'),
    fallback: 7,
    fallbackText: '`7`',
    meaning: 'When an anchor that no block took is given up; another is begun, which covers the same seals.',
  }),
  bitcoinRpc: setting({
    name: 'PROBANT_BITCOIN_RPC',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning:
      "JSON-RPC address of the operator's own Bitcoin Core node, without credentials. Its word on block headers comes before that of others.",
  }),
  bitcoinCredentials: setting({
    name: 'PROBANT_BITCOIN_CREDENTIALS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BITCOIN_RPC`',
    meaning: "File that holds `user:password` for the node: Core's own `.cookie`, or one of yours. Read at each call.",
  }),
  bitcoinWallet: setting({
    name: 'PROBANT_BITCOIN_WALLET',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: 'the same as `PROBANT_BITCOIN_RPC`',
    meaning: "JSON-RPC address of the node's wallet that pays, `…/wallet/<name>` when the node has several.",
  }),
  bitcoinPay: setting({
    name: 'PROBANT_BITCOIN_PAY',
    ...oneOf('on', 'off'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether checkpoints of the public log are also anchored by transactions of that node (`OP_RETURN`), which its wallet pays for. Needs `PROBANT_BITCOIN_RPC`.',
  }),
  bitcoinMaxFee: setting({
    name: 'PROBANT_BITCOIN_MAX_FEE',
    ...integer(200, 10_000_000, 'satoshi'),
    fallback: 20_000,
    fallbackText: '`20000`',
    meaning: 'Most that one such transaction may cost, replacements included.',
  }),
  bitcoinNetwork: setting({
    name: 'PROBANT_BITCOIN_NETWORK',
    ...oneOf('main', 'regtest'),
    fallback: 'main',
    fallbackText: '`main`',
    meaning:
      'The chain whose blocks are relied on; headers that are not of its difficulty are refused. `regtest` is for trials and refused in production: what stands in it proves nothing.',
  }),
  bitcoinConfirmations: setting({
    name: 'PROBANT_BITCOIN_CONFIRMATIONS',
    ...integer(1, 1000),
    fallback: 6,
    fallbackText: '`6`',
    meaning: "Blocks, an anchor's own included, before it is relied on and packages are made anew with it.",
  }),
  esplora: setting({
    name: 'PROBANT_ESPLORA',
    accepts: '`none`, or comma-separated addresses starting with `http://` or `https://`, two or more',
    parse: calendarList,
    fallback: ['https://blockstream.info/api', 'https://mempool.space/api'] as readonly string[],
    fallbackText: '`https://blockstream.info/api,https://mempool.space/api`',
    meaning:
      'Esplora servers that are asked for block headers when there is no own node, or it does not answer. Two must agree: one alone is not believed.',
  }),
  tokenModule: setting({
    name: 'PROBANT_PKCS11_MODULE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'the key that seals is in a file of the data folder',
    meaning:
      'PKCS#11 module (a shared library) of the token or security module that holds the key that seals: ECDSA P-256. It is reached through `pkcs11-tool` of OpenSC, which must be installed.',
  }),
  tokenLabel: setting({
    name: 'PROBANT_PKCS11_TOKEN',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'Label of the token.',
  }),
  tokenKey: setting({
    name: 'PROBANT_PKCS11_KEY',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'Label of the key pair in the token; the public key must be there too.',
  }),
  tokenPinFile: setting({
    name: 'PROBANT_PKCS11_PIN_FILE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'File with the PIN and nothing else, readable by its owner alone. A PIN that the token refuses is not tried again.',
  }),
  tokenCertificate: setting({
    name: 'PROBANT_PKCS11_CERTIFICATE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: "the platform's own authority certifies the key",
    meaning: 'PEM file with the certificate of that key and its issuers up to the root, leaf first.',
  }),
  archiveCertificate: setting({
    name: 'PROBANT_WACZ_CERTIFICATE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'web archives carry an anonymous signature',
    meaning:
      'PEM file with the certificate of a domain of the operator and its issuers, leaf first, to sign web archives (WACZ) in the domain form. Tools of others accept it for the seven days after its start; afterwards the anonymous form is written.',
  }),
  archiveKey: setting({
    name: 'PROBANT_WACZ_KEY',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_WACZ_CERTIFICATE`',
    meaning: 'PEM file of the private key of that certificate, elliptic curve. Read by the worker alone.',
  }),
  allowAddresses: setting({
    name: 'PROBANT_ALLOW_ADDRESSES',
    accepts: 'comma-separated `ip:port` or `[ip]:port`, loopback or private only',
    parse: commaSeparated(parseAllowedAddress),
    fallback: [] as readonly string[],
    fallbackText: 'none',
    meaning:
      'Private addresses that captures may reach all the same, for development. Refused in production; each report that used one says so.',
  }),
  billing: setting({
    name: 'PROBANT_BILLING',
    ...oneOf('off'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning: 'Whether reports are paid for: not yet. Agreeing to a preview finalises it at once.',
  }),
  targetAtOnce: setting({
    name: 'PROBANT_TARGET_AT_ONCE',
    ...integer(0, 1_000),
    fallback: 4,
    fallbackText: '`4`',
    meaning:
      'Captures of one host that run at a time, over all servers; others of it wait, and let those behind them pass. `0`: any number.',
  }),
  targetPerMinute: setting({
    name: 'PROBANT_TARGET_PER_MINUTE',
    ...integer(0, 100_000),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'Captures of one host that are begun in a minute, over all servers; others of it wait. `0`: any number.',
  }),
  captureConcurrency: setting({
    name: 'PROBANT_CAPTURE_CONCURRENCY',
    ...integer(1, 64),
    fallback: undefined as number | undefined,
    fallbackText: 'half the processor cores, at least 1',
    meaning: 'Captures that one capture process runs at a time.',
  }),
  interactiveSessions: setting({
    name: 'PROBANT_INTERACTIVE_SESSIONS',
    ...integer(0, 256),
    fallback: undefined as number | undefined,
    fallbackText: 'two a core',
    meaning:
      'Live sessions that one capture process runs at a time, besides the captures of `PROBANT_CAPTURE_CONCURRENCY`; `0` offers none.',
  }),
  interactiveMaxLoad: setting({
    name: 'PROBANT_INTERACTIVE_MAX_LOAD',
    ...decimal(0.1, 1000),
    fallback: 2,
    fallbackText: '`2`',
    meaning:
      'Load of the machine per core (mean of the last minute) above which a capture process begins no live session beside another; the first is always begun.',
  }),
  interactivePerAddress: setting({
    name: 'PROBANT_INTERACTIVE_PER_ADDRESS',
    ...integer(0, 10_000),
    fallback: 1,
    fallbackText: '`1`',
    meaning:
      'Live sessions, waiting or under way, that visitors of one block of addresses (IPv4 /24, IPv6 /56) may have at a time; `0`: any number.',
  }),
  interactivePerAccount: setting({
    name: 'PROBANT_INTERACTIVE_PER_ACCOUNT',
    ...integer(0, 10_000),
    fallback: 2,
    fallbackText: '`2`',
    meaning:
      'Live sessions, waiting or under way, that one account may have at a time, wherever its holder and his delegates sit; `0`: any number.',
  }),
  freePreviews: setting({
    name: 'PROBANT_PREVIEWS_FREE',
    ...integer(0, 1_000_000),
    fallback: 3,
    fallbackText: '`3`',
    meaning:
      'Previews that visitors without account of one block of addresses (IPv4 /24, IPv6 /56) may ask for in 24 hours, one at a time, without more ado. Each further one costs their machine a proof of work, which grows.',
  }),
  mostPreviews: setting({
    name: 'PROBANT_PREVIEWS_MOST',
    ...integer(1, 1_000_000),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'Previews that such visitors may ask for in 24 hours at all, those that cost work included.',
  }),
  draftsPerAccount: setting({
    name: 'PROBANT_DRAFTS_PER_ACCOUNT',
    ...integer(0, 1_000_000),
    fallback: 5,
    fallbackText: '`5`',
    meaning: 'Drafts of reports that one account may have at a time, being made or waiting for its decision; `0`: any number.',
  }),
  reportsPerMonth: setting({
    name: 'PROBANT_REPORTS_PER_MONTH',
    ...integer(0, 1_000_000),
    fallback: 0,
    fallbackText: '`0`: any number',
    meaning: 'Reports that one account may make in a calendar month (UTC), its drafts counted; `0`: any number.',
  }),
  queueLength: setting({
    name: 'PROBANT_QUEUE_LENGTH',
    ...integer(2, 1_000_000),
    fallback: 1000,
    fallbackText: '`1000`',
    meaning:
      'Captures that may wait in all, half of them of visitors without account at most; whoever asks for one more is told to come back.',
  }),
  interactiveSeconds: setting({
    name: 'PROBANT_INTERACTIVE_SECONDS',
    ...integer(10, 600, 'seconds'),
    fallback: 600,
    fallbackText: '`600`',
    meaning: 'How long a visitor has in a live session; ten minutes at most.',
  }),
  interactiveGraceSeconds: setting({
    name: 'PROBANT_INTERACTIVE_GRACE',
    ...integer(1, 600, 'seconds'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'How long a live session goes on, recorded, while nobody steers it; then it ends by itself and is completed.',
  }),
  warmSessions: setting({
    name: 'PROBANT_WARM_SESSIONS',
    ...integer(0, 16),
    fallback: undefined as number | undefined,
    fallbackText: '`1`; `0` with `PROBANT_WARM_BROWSERS=0` or `PROBANT_INTERACTIVE_SESSIONS=0`',
    meaning:
      'Browsers on a display that a capture process keeps started for the next live sessions, so that those begin at once. Each holds some 400 MB and serves one session.',
  }),
  liveListen: setting({
    name: 'PROBANT_LIVE_LISTEN',
    ...hostPort(0),
    fallback: { host: '127.0.0.1', port: 0 },
    fallbackText: '`127.0.0.1`, at a port that the system chooses',
    meaning:
      'Where each capture process takes what `web` processes bring to its live sessions. Enciphered, with a key per session; only `web` processes need to reach it.',
  }),
  liveAddress: setting({
    name: 'PROBANT_LIVE_ADDRESS',
    ...hostPort(0),
    fallback: undefined as HostPort | undefined,
    fallbackText: 'what it listens on',
    meaning:
      'By which name or address `web` processes on other machines reach that; without a port, the one that is listened on.',
  }),
  warmBrowsers: setting({
    name: 'PROBANT_WARM_BROWSERS',
    ...integer(0, 16),
    fallback: 2,
    fallbackText: '`2`: one in each language',
    meaning:
      'Browsers that a capture process keeps started for the next captures, so that those begin at once. Each holds some 200 MB and serves one capture; `0` keeps none.',
  }),
  ntpServers: setting({
    name: 'PROBANT_NTP_SERVERS',
    ...hosts(123),
    fallback: ['time.cloudflare.com', 'ntp.obspm.fr', 'ptbtime1.ptb.de', '0.pool.ntp.org'].map((host) => ({ host, port: 123 })),
    fallbackText: '`time.cloudflare.com,ntp.obspm.fr,ptbtime1.ptb.de,0.pool.ntp.org`',
    meaning:
      'Time servers (NTP) that each capture compares its clock with, before and after; their answers are in the package. A server of the local network may be named.',
  }),
  dnsServers: setting({
    name: 'PROBANT_DNS_SERVERS',
    ...hosts(53),
    fallback: [] as readonly HostPort[],
    fallbackText: 'only those of the machine',
    meaning:
      'Further DNS servers, by address, that each capture asks about the host of the page, to compare. They learn which sites are captured.',
  }),
  stunServers: setting({
    name: 'PROBANT_STUN_SERVERS',
    ...hosts(3478),
    fallback: [
      { host: 'stun.cloudflare.com', port: 3478 },
      { host: 'stun.l.google.com', port: 19_302 },
    ] as readonly HostPort[],
    fallbackText: '`stun.cloudflare.com,stun.l.google.com:19302`',
    meaning: 'Servers (STUN) that tell each capture the public address it is seen to come from. They learn that address alone.',
  }),
  addressEchoes: setting({
    name: 'PROBANT_ADDRESS_ECHOES',
    accepts: '`none`, or comma-separated addresses starting with `https://`',
    parse(this: void, list: string): readonly string[] {
      return list === 'none' ? [] : commaSeparated(address(['https:']).parse)(list)
    },
    fallback: [] as readonly string[],
    fallbackText: 'none',
    meaning: 'Pages that answer with nothing but the address of the caller, asked besides the STUN servers.',
  }),
  rdapBootstrap: setting({
    name: 'PROBANT_RDAP_BOOTSTRAP',
    accepts: '`none`, or an address starting with `https://`',
    parse(this: void, value: string): string {
      return value === 'none' ? value : address(['https:']).parse(value)
    },
    fallback: 'https://data.iana.org/rdap/',
    fallbackText: '`https://data.iana.org/rdap/`',
    meaning:
      "Folder of IANA's lists of registries (`ipv4.json`, `ipv6.json`, `dns.json`). Each capture asks the registries (RDAP) who holds its own address, the site's address and the site's name; these learn which sites are captured. `none` asks no registry so.",
  }),
  whoisServer: setting({
    name: 'PROBANT_WHOIS_SERVER',
    accepts: '`none`, or a name or address with or without a port (43 else)',
    parse(this: void, value: string): HostPort | null {
      if (value === 'none') return null
      const server = parseHostPort(value, 43)
      if (server === null) throw new RangeError('must be a server or none')
      return server
    },
    fallback: { host: 'whois.iana.org', port: 43 },
    fallbackText: '`whois.iana.org`',
    meaning: 'Where the registries are asked by whois when RDAP did not answer; referrals from there are followed.',
  }),
  traceroute: setting({
    name: 'PROBANT_TRACEROUTE',
    ...oneOf('on', 'off'),
    fallback: 'on',
    fallbackText: '`on`',
    meaning: "Whether each capture records the route to the page's server.",
  }),
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
  captureLeaseSeconds: setting({
    name: 'PROBANT_CAPTURE_LEASE_SECONDS',
    ...integer(3, 600, 'seconds'),
    fallback: 20,
    fallbackText: '`20`',
    meaning: 'How long a capture process that gives no sign of life keeps its capture before another takes it over.',
  }),
  workerConcurrency: setting({
    name: 'PROBANT_WORKER_CONCURRENCY',
    ...integer(1, 64),
    fallback: 4,
    fallbackText: '`4`',
    meaning: 'Background jobs that one worker process runs at a time.',
  }),
  chromium: setting({
    name: 'PROBANT_CHROMIUM',
    accepts: 'absolute path',
    parse: (text) => {
      if (!isAbsolute(text)) throw new RangeError('must be an absolute path')
      return text
    },
    fallback: undefined as string | undefined,
    fallbackText: "Debian's: `/usr/lib/chromium/chromium`",
    meaning:
      "The browser's program, in a folder that holds it whole and that everybody may read. The tests then run on it too, the jail included.",
  }),
  unjailedBrowser: setting({
    name: 'PROBANT_UNJAILED_BROWSER',
    ...oneOf('i-accept-unisolated-captures'),
    fallback: undefined as 'i-accept-unisolated-captures' | undefined,
    fallbackText: 'captures are refused where the browser cannot be isolated',
    meaning: 'Runs the browser without its network namespace. Every report made so says so. Refused in production.',
  }),
  captureTimeoutSeconds: setting({
    name: 'PROBANT_CAPTURE_TIMEOUT',
    ...integer(10, 900, 'seconds'),
    fallback: 180,
    fallbackText: '`180`',
    meaning: 'Longest capture, in seconds.',
  }),
  captureBodyBytes: setting({
    name: 'PROBANT_CAPTURE_BODY_BYTES',
    ...integer(mebi, 4096 * mebi, 'bytes'),
    fallback: 200 * mebi,
    fallbackText: '`209715200` (200 MiB)',
    meaning: 'Longest single response body that a capture records.',
  }),
  captureTotalBytes: setting({
    name: 'PROBANT_CAPTURE_TOTAL_BYTES',
    ...integer(mebi, 16_384 * mebi, 'bytes'),
    fallback: 500 * mebi,
    fallbackText: '`524288000` (500 MiB)',
    meaning: 'Most bytes that a capture receives from the network in all.',
  }),
  captureHeightPixels: setting({
    name: 'PROBANT_CAPTURE_HEIGHT',
    ...integer(1000, 500_000, 'pixels'),
    fallback: 100_000,
    fallbackText: '`100000`',
    meaning: 'Greatest page height photographed, in CSS pixels; a taller page is cut and the report says so.',
  }),
  captureResources: setting({
    name: 'PROBANT_CAPTURE_RESOURCES',
    ...integer(10, 100_000),
    fallback: 5000,
    fallbackText: '`5000`',
    meaning: 'Most requests that a capture lets a page make.',
  }),
  scenarios: setting({
    name: 'PROBANT_SCENARIOS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning:
      "Folder of the operator's own scenarios, one `*.json` each, offered besides the product's. A file that is wrong is named and keeps the web role from starting.",
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
  logLevel: setting({
    name: 'LOG_LEVEL',
    ...oneOf('debug', 'info', 'warn', 'error'),
    fallback: 'info',
    fallbackText: '`info`',
    meaning: 'Least grave entries that are logged.',
  }),
} as const

/** Variables of the product's own test runs: the program neither reads nor refuses them. */
export const testVariable = /^PROBANT_(?:E2E_[A-Z_]+|KILLS|SCREENSHOTS|SEED)$/
