import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { envelopeAddress } from '../../kernel/envelope.ts'
import type { HostPort } from '../../kernel/host-port.ts'
import type { Keep } from './settings/backup.ts'
import { settings, testVariable } from './settings.ts'
import { tlsOf, type TlsConfig } from './tls-config.ts'

export { parseKeep, type Keep } from './settings/backup.ts'

type Values = {
  -readonly [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> | (typeof settings)[Key]['fallback']
}

export type BlobConfig =
  | { readonly driver: 'folder'; readonly folder: string }
  | {
      readonly driver: 's3'
      readonly endpoint: string | undefined
      readonly region: string
      readonly bucket: string
      readonly prefix: string
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly forcePathStyle: boolean
    }

export type S3BackupConfig = Pick<
  Extract<BlobConfig, { driver: 's3' }>,
  'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey' | 'forcePathStyle'
>

export type BackupConfig = {
  /** A folder or `s3://bucket/prefix`; `undefined`: a worker takes none. */
  readonly to: string | undefined
  readonly recipients: readonly string[]
  /** `HH:MM`, UTC. */
  readonly at: string
  readonly keep: Keep
  readonly s3: S3BackupConfig | null
}

export type CaptureLimits = {
  readonly timeoutSeconds: number
  readonly bodyBytes: number
  readonly totalBytes: number
  readonly heightPixels: number
  readonly resources: number
}

export type CaptureServerConfig = {
  /** `undefined`: made once and kept in the data folder. */
  readonly id: string | undefined
  readonly name: string | undefined
  readonly country: string | undefined
  readonly city: string | undefined
  readonly kind: 'public' | 'dedicated'
  /** Of the image, in the operator's word. */
  readonly imageDigest: string | null
  readonly pin: 'at-start' | 'by-command'
  readonly waitSeconds: number
}

/** Whom the probes of a capture's conditions ask outside this machine. All of it is the operator's choice; nothing here is known to a page. */
export type ConditionSources = {
  readonly timeServers: readonly HostPort[]
  /** Besides the machine's own name servers. */
  readonly nameServers: readonly HostPort[]
  readonly stunServers: readonly HostPort[]
  /** Pages that answer with the caller's address as text. */
  readonly addressEchoes: readonly string[]
  /** Folder of IANA's lists (RFC 9224); null: no registry is asked. */
  readonly rdapBootstrap: string | null
  readonly whoisServer: HostPort | null
  readonly route: boolean
  /** What the package manager knows: a second of processor time whenever it changed. */
  readonly updates: boolean
}

export type Config = {
  readonly environment: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** Without trailing slash. */
  readonly publicUrl: string
  /** Who runs the machine, as the operator states it. */
  readonly operator: string | undefined
  /** Whether a sample is made of the installation itself. */
  readonly sample: boolean
  /** Who sells; null: nothing is paid for. */
  readonly seller: SellerConfig | null
  /** For `/.well-known/security.txt`; empty: there is none. */
  readonly securityContacts: readonly string[]
  /** Absolute. */
  readonly dataFolder: string
  /** `undefined`: the embedded PostgreSQL, which the supervisor starts and then sets. */
  readonly databaseUrl: string | undefined
  readonly blobs: BlobConfig
  readonly backup: BackupConfig
  readonly mail: { readonly smtpUrl: string | undefined; readonly from: string; readonly folder: string }
  /** Signs links. Read through {@link installationSecret} when the variable is absent. */
  readonly secret: string | undefined
  /** 32 bytes; `undefined`: made once and kept in the data folder (platform/vault). */
  readonly masterKey: Buffer | undefined
  readonly registrations: 'open' | 'invite' | 'closed'
  readonly review: {
    readonly fourEyes: boolean
    /** Days after the acceptance for which files are kept. */
    readonly documentsDays: number
  }
  /** Copies of deposited documents: bytes of the largest, of all of an account, days, and bytes of the disk that they leave free. */
  readonly documentCopies: {
    readonly largestBytes: number
    readonly accountBytes: number
    readonly days: number
    readonly spareBytes: number
  }
  readonly tsaUrls: readonly string[]
  readonly publicLog: {
    readonly origin: string
    readonly witnesses: readonly { readonly url: string; readonly key: string }[]
    /** As a witness of other logs. */
    readonly witnessName: string
    readonly witnessed: readonly { readonly origin: string; readonly key: string }[]
  }
  /** The European trusted lists; `lotlUrl` null: none is read from its source. */
  readonly trustedLists: { readonly lotlUrl: string | null; readonly timeoutMs: number; readonly maxBytes: number }
  readonly anchor: AnchorConfig
  /** Absolute paths. */
  readonly sealingToken: {
    readonly module: string
    readonly token: string
    readonly key: string
    readonly pinFile: string
    readonly certificateFile: string | null
  } | null
  readonly archiveDomain: { readonly certificateFile: string; readonly keyFile: string } | null
  /** `ip:port` in canonical spelling; always empty in production. */
  readonly allowAddresses: readonly string[]
  readonly captureConcurrency: number
  /** Captures of one host, over all servers; 0: any number. */
  readonly perTarget: { readonly atOnce: number; readonly perMinute: number }
  readonly captureLeaseSeconds: number
  /** Who may ask for how many captures; 0 drafts or reports: any number. */
  readonly quotas: {
    readonly freePreviews: number
    readonly mostPreviews: number
    readonly draftsPerAccount: number
    readonly reportsPerMonth: number
    readonly queueLength: number
  }
  readonly interactive: {
    /** Live sessions at a time of each capture process; 0: none. */
    readonly sessions: number
    readonly maxLoadPerCore: number
    /** Browsers on a display kept ready by each capture process. */
    readonly warm: number
    /** 0: any number. */
    readonly perAddress: number
    /** 0: any number. */
    readonly perAccount: number
    readonly seconds: number
    readonly graceSeconds: number
    readonly listen: HostPort
    /** Port 0: the one that is listened on. */
    readonly address: HostPort | undefined
  }
  readonly server: CaptureServerConfig
  /** Of the two captures of an evidence with a second server, for each other. */
  readonly secondServerWaitSeconds: number
  /** Browsers kept ready by each capture process. */
  readonly warmBrowsers: number
  readonly workerConcurrency: number
  readonly unjailedBrowser: boolean
  readonly captureLimits: CaptureLimits
  readonly conditions: ConditionSources
  readonly contentOverride: string | undefined
  /** As legal pages state it; null: they say that it is not stated. */
  readonly legal: {
    readonly mail: string | null
    readonly phone: string | null
    readonly director: string | null
    readonly hosting: string | null
    readonly dataOfficer: string | null
    readonly mediator: string | null
  }
  readonly support: {
    /** Null: nobody is told by mail. */
    readonly address: string | null
    readonly days: number
  }
  readonly newsletter:
    | { readonly mode: 'off' }
    | { readonly mode: 'local' }
    | { readonly mode: 'provider'; readonly forms: { readonly en: string; readonly fr: string }; readonly field: string }
  readonly outside: OutsideConfig
  /** Folder of partners' brands, absolute. */
  readonly brandsFolder: string | undefined
  /** Folder of the operator's own scenarios, absolute. */
  readonly scenariosFolder: string | undefined
  /** Null: nobody moves money for the installation. */
  readonly mangopay: {
    readonly clientId: string
    readonly apiKey: string
    readonly baseUrl: string
    readonly seller: { readonly user: string; readonly wallet: string }
    /** Where browsers hand in cards, as a page's policy names it. */
    readonly cardAddresses: readonly string[]
  } | null
  /** The platform’s share of the price of a licence, in basis points. */
  readonly licenseFeeRate: number
  /** What a referral brings: basis points of what is paid without VAT, for so many months. */
  readonly referral: { readonly rate: number; readonly months: number }
  /** When what somebody earned is paid out. */
  readonly payout: { readonly minimumCents: number; readonly delayDays: number }
  /** Cents of what a subscriber may owe for what his plan does not include. */
  readonly extrasLimit: number
  /** Register of VAT numbers; without trailing slash. */
  readonly viesUrl: string
  readonly trustedProxies: readonly string[]
  /** Where the first role tells what is measured, the others at the ports after it; null: nowhere. */
  readonly metrics: HostPort | null
  /** Where traces go, by OTLP over HTTP; null: there are none. */
  readonly traces: string | null
  /** Whether whoever calls may say of which trace his request is a part. */
  readonly takesTraceparent: boolean
  readonly tls: TlsConfig
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

/** Services of others; null: none of that kind. */
export type OutsideConfig = {
  /** Without trailing slash. */
  readonly chat: { readonly address: string; readonly token: string } | null
  readonly pixel: { readonly address: string; readonly site: number } | null
  /** Where envelopes are posted to. */
  readonly recording: { readonly address: string } | null
  readonly errors: { readonly address: string } | null
  readonly score: {
    readonly siteKey: string
    readonly secret: string
    readonly least: number
    readonly script: string
    readonly verify: string
    readonly sources: readonly string[]
  } | null
}

/** As invoices print it (C. com., art. R123-237). */
export type SellerConfig = {
  readonly name: string
  readonly legalForm: string
  readonly capital: string
  readonly siren: string
  readonly vatId: string
  readonly register: string
  readonly address: string
  readonly zip: string
  readonly city: string
  readonly country: string
  readonly iban: string
  readonly bic: string | null
}

/** How checkpoints of the public log get into the Bitcoin chain, and whose word on its blocks is taken. */
export type AnchorConfig = {
  /** Without trailing slash; empty: none. */
  readonly calendars: readonly string[]
  readonly everyMinutes: number
  readonly giveUpDays: number
  readonly confirmations: number
  readonly network: 'main' | 'regtest'
  readonly explorers: readonly string[]
  readonly node: {
    readonly url: string
    readonly walletUrl: string
    /** Absolute. */
    readonly credentialsFile: string
    readonly pays: boolean
    /** In satoshi. */
    readonly maxFee: number
  } | null
}

/** Lists every fault at once; a process that meets it exits with 78 (EX_CONFIG of sysexits.h). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
export const configErrorExitCode = 78

/** Whether what visitors send could be read between them and here; on the machine itself there is no between. */
function isReadOnTheWay(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** An empty variable counts as absent, as Compose files and shells produce them. @throws ConfigError */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const known = new Set<string>(Object.values(settings).map((each) => each.name))
  for (const name of Object.keys(env).toSorted()) {
    if (name.startsWith('PROBANT_') && !known.has(name) && !testVariable.test(name)) faults.push(`${name} is not a setting`)
  }
  const entries = Object.entries(settings).map(([key, each]) => {
    const given = env[each.name]
    if (given === undefined || given === '') return [key, each.fallback]
    try {
      return [key, each.parse(given)]
    } catch (error) {
      faults.push(`${each.name} ${error instanceof Error ? error.message : String(error)}`)
      return [key, each.fallback]
    }
  })
  const values = Object.fromEntries(entries) as Values
  const blobs = blobConfig(values, faults)
  if (values.environment === 'production') {
    if (values.allowAddresses.length > 0) faults.push('PROBANT_ALLOW_ADDRESSES is for development and refused in production')
    if (values.bitcoinNetwork !== 'main') faults.push('PROBANT_BITCOIN_NETWORK must be main in production')
    if (values.unjailedBrowser !== undefined) faults.push('PROBANT_UNJAILED_BROWSER is refused in production')
    if (values.publicUrl === undefined) faults.push('PROBANT_PUBLIC_URL is required in production')
    else if (isReadOnTheWay(values.publicUrl) && values.plainVisitors === undefined)
      faults.push('PROBANT_PUBLIC_URL must start with https:// in production: see PROBANT_PLAIN_HTTP')
  }
  const token = [values.tokenModule, values.tokenLabel, values.tokenKey, values.tokenPinFile]
  if (token.some((value) => value !== undefined) && token.includes(undefined))
    faults.push('PROBANT_PKCS11_MODULE, PROBANT_PKCS11_TOKEN, PROBANT_PKCS11_KEY and PROBANT_PKCS11_PIN_FILE are given together')
  if (values.tokenCertificate !== undefined && values.tokenModule === undefined)
    faults.push('PROBANT_PKCS11_CERTIFICATE needs PROBANT_PKCS11_MODULE')
  if ((values.archiveCertificate === undefined) !== (values.archiveKey === undefined))
    faults.push('PROBANT_WACZ_CERTIFICATE and PROBANT_WACZ_KEY are given together')
  if (values.bitcoinRpc !== undefined && values.bitcoinCredentials === undefined)
    faults.push('PROBANT_BITCOIN_CREDENTIALS is required with PROBANT_BITCOIN_RPC')
  if (values.bitcoinRpc === undefined && values.bitcoinPay === 'on') faults.push('PROBANT_BITCOIN_PAY needs PROBANT_BITCOIN_RPC')
  if (values.esplora.length === 1) faults.push('PROBANT_ESPLORA must list two addresses or more: one alone is not believed')
  if (values.liveAddress === undefined && /^(?:0\.0\.0\.0|::|0:0:0:0:0:0:0:0)$/.test(values.liveListen.host))
    faults.push('PROBANT_LIVE_ADDRESS is required when PROBANT_LIVE_LISTEN is every address of the machine')
  const tls = tlsOf(values, faults)
  const mangopay = mangopayConfig(values, faults)
  const seller = sellerOf(values, faults)
  const newsletter = newsletterOf(values, faults)
  const outside = outsideOf(values, faults)
  const backup = backupConfig(values, faults)
  const viesUrl = values.viesUrl.replace(/\/+$/, '')
  if (viesUrl.startsWith('http:') && !isThisMachine(viesUrl))
    faults.push('PROBANT_VIES_URL must start with https://, except on the machine itself')
  if (faults.length > 0) throw new ConfigError(faults)
  const publicUrl = (values.publicUrl ?? `http://localhost:${values.port}`).replace(/\/+$/, '')
  return {
    environment: values.environment,
    host: values.host ?? (values.environment === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: values.port,
    publicUrl,
    sample: values.sample === 'on',
    operator: values.operator?.trim() === '' ? undefined : values.operator?.trim(),
    seller,
    licenseFeeRate: values.licenseFee * 100,
    referral: { rate: values.referralRate * 100, months: values.referralMonths },
    payout: { minimumCents: values.payoutMinimum * 100, delayDays: values.payoutDelay },
    extrasLimit: values.extrasLimit * 100,
    viesUrl,
    securityContacts: values.securityContacts,
    dataFolder: resolve(values.data),
    databaseUrl: values.databaseUrl,
    blobs,
    backup,
    mail: { smtpUrl: values.smtpUrl, from: values.mailFrom, folder: join(resolve(values.data), 'mail') },
    secret: values.secret,
    masterKey: values.masterKey,
    registrations: values.registrations,
    review: { fourEyes: values.reviewFourEyes === 'on', documentsDays: values.identityDocumentsDays },
    documentCopies: {
      largestBytes: values.documentCopyBytes,
      accountBytes: values.documentCopyAccountBytes,
      days: values.documentCopyDays,
      spareBytes: values.documentCopySpareBytes,
    },
    tsaUrls: values.tsaUrls,
    publicLog: {
      origin: values.logOrigin ?? `${schemeless(publicUrl)}/log`,
      witnesses: values.logWitnesses,
      witnessName: values.witnessName ?? `${schemeless(publicUrl)}/witness`,
      witnessed: values.witnessedLogs,
    },
    anchor: {
      calendars: values.otsCalendars,
      everyMinutes: values.anchorMinutes,
      giveUpDays: values.anchorDays,
      confirmations: values.bitcoinConfirmations,
      network: values.bitcoinNetwork,
      explorers: values.esplora,
      node:
        values.bitcoinRpc === undefined || values.bitcoinCredentials === undefined
          ? null
          : {
              url: values.bitcoinRpc,
              walletUrl: values.bitcoinWallet ?? values.bitcoinRpc,
              credentialsFile: resolve(values.bitcoinCredentials),
              pays: values.bitcoinPay === 'on',
              maxFee: values.bitcoinMaxFee,
            },
    },
    sealingToken: sealingTokenOf(
      values.tokenModule,
      values.tokenLabel,
      values.tokenKey,
      values.tokenPinFile,
      values.tokenCertificate,
    ),
    archiveDomain:
      values.archiveCertificate === undefined || values.archiveKey === undefined
        ? null
        : { certificateFile: resolve(values.archiveCertificate), keyFile: resolve(values.archiveKey) },
    allowAddresses: values.allowAddresses,
    captureLeaseSeconds: values.captureLeaseSeconds,
    quotas: {
      freePreviews: values.freePreviews,
      mostPreviews: values.mostPreviews,
      draftsPerAccount: values.draftsPerAccount,
      reportsPerMonth: values.reportsPerMonth,
      queueLength: values.queueLength,
    },
    interactive: {
      sessions: values.interactiveSessions ?? 2 * availableParallelism(),
      maxLoadPerCore: values.interactiveMaxLoad,
      warm: values.interactiveSessions === 0 ? 0 : (values.warmSessions ?? Math.min(1, values.warmBrowsers)),
      perAddress: values.interactivePerAddress,
      perAccount: values.interactivePerAccount,
      seconds: values.interactiveSeconds,
      graceSeconds: values.interactiveGraceSeconds,
      listen: values.liveListen,
      address: values.liveAddress,
    },
    server: {
      id: values.serverId,
      name: values.serverName,
      country: values.serverCountry,
      city: values.serverCity,
      kind: values.serverKind,
      imageDigest: values.imageDigest ?? null,
      pin: values.serverPin ?? (values.environment === 'production' ? 'by-command' : 'at-start'),
      waitSeconds: values.serverWaitSeconds,
    },
    secondServerWaitSeconds: values.secondServerWaitSeconds,
    warmBrowsers: values.warmBrowsers,
    trustedLists: {
      lotlUrl: values.trustedLists === 'none' ? null : values.trustedLists,
      timeoutMs: values.trustedListSeconds * 1000,
      maxBytes: values.trustedListBytes,
    },
    perTarget: { atOnce: values.targetAtOnce, perMinute: values.targetPerMinute },
    captureConcurrency: values.captureConcurrency ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    workerConcurrency: values.workerConcurrency,
    unjailedBrowser: values.unjailedBrowser !== undefined,
    captureLimits: {
      timeoutSeconds: values.captureTimeoutSeconds,
      bodyBytes: values.captureBodyBytes,
      totalBytes: values.captureTotalBytes,
      heightPixels: values.captureHeightPixels,
      resources: values.captureResources,
    },
    conditions: {
      timeServers: values.ntpServers,
      nameServers: values.dnsServers,
      stunServers: values.stunServers,
      addressEchoes: values.addressEchoes,
      rdapBootstrap: values.rdapBootstrap === 'none' ? null : values.rdapBootstrap,
      whoisServer: values.whoisServer,
      route: values.traceroute === 'on',
      updates: true,
    },
    legal: {
      mail: values.legalMail ?? null,
      phone: values.legalPhone ?? null,
      director: values.publicationDirector ?? null,
      hosting: values.hosting ?? null,
      dataOfficer: values.dataOfficer ?? null,
      mediator: values.mediator ?? null,
    },
    support: { address: values.supportAddress ?? null, days: values.supportDays },
    newsletter,
    outside,
    contentOverride: values.content === undefined ? undefined : resolve(values.content),
    brandsFolder: values.brands === undefined ? undefined : resolve(values.brands),
    scenariosFolder: values.scenarios === undefined ? undefined : resolve(values.scenarios),
    mangopay,
    trustedProxies: values.trustedProxies,
    metrics: values.metrics === 'off' ? null : values.metrics,
    traces: tracesOf(values.traces, values.tracesEndpoint),
    takesTraceparent: values.traceparent === 'take',
    tls,
    logLevel: values.logLevel,
  }
}

/** C-72: one form for French, another for other languages. */
function newsletterOf(values: Values, faults: string[]): Config['newsletter'] {
  if (values.newsletter !== 'provider') return { mode: values.newsletter }
  const { newsletterFormEn: en, newsletterFormFr: fr, newsletterField: field } = values
  if (en === undefined) faults.push('PROBANT_NEWSLETTER_FORM_EN is required with PROBANT_NEWSLETTER=provider')
  if (fr === undefined) faults.push('PROBANT_NEWSLETTER_FORM_FR is required with PROBANT_NEWSLETTER=provider')
  return { mode: 'provider', forms: { en: en ?? '', fr: fr ?? '' }, field }
}

function outsideOf(values: Values, faults: string[]): OutsideConfig {
  const { chatUrl, chatToken, pixelUrl, pixelSite, recordingDsn, errorsDsn, scoreSiteKey, scoreSecret } = values
  for (const name of ['chatUrl', 'pixelUrl', 'recordingDsn', 'errorsDsn', 'scoreScript', 'scoreVerify'] as const) {
    const url = values[name]
    if (url?.startsWith('http:') === true && !isThisMachine(url))
      faults.push(`${settings[name].name} must start with https://, except on the machine itself`)
  }
  if ((chatUrl === undefined) !== (chatToken === undefined))
    faults.push('PROBANT_CHAT_URL and PROBANT_CHAT_TOKEN are given together')
  if ((pixelUrl === undefined) !== (pixelSite === undefined))
    faults.push('PROBANT_PIXEL_URL and PROBANT_PIXEL_SITE are given together')
  if ((scoreSiteKey === undefined) !== (scoreSecret === undefined))
    faults.push('PROBANT_SCORE_SITE_KEY and PROBANT_SCORE_SECRET are given together')
  const envelopes = (dsn: string | undefined) => {
    const address = dsn === undefined ? null : envelopeAddress(dsn)
    return address === null ? null : { address }
  }
  return {
    chat: chatUrl === undefined || chatToken === undefined ? null : { address: chatUrl.replace(/\/+$/, ''), token: chatToken },
    pixel: pixelUrl === undefined || pixelSite === undefined ? null : { address: pixelUrl, site: pixelSite },
    recording: envelopes(recordingDsn),
    errors: envelopes(errorsDsn),
    score:
      scoreSiteKey === undefined || scoreSecret === undefined
        ? null
        : {
            siteKey: scoreSiteKey,
            secret: scoreSecret,
            least: values.scoreLeast,
            script: values.scoreScript,
            verify: values.scoreVerify,
            sources: isThisMachine(values.scoreScript) ? [new URL(values.scoreScript).origin] : values.scoreSources,
          },
  }
}

/** Nobody sells under a name that is not told whole. */
function sellerOf(values: Values, faults: string[]): SellerConfig | null {
  if (values.billing === 'off') return null
  const said = (key: keyof Values & `seller${string}`): string => {
    if (values[key] === undefined) faults.push(`${settings[key].name} is required with PROBANT_BILLING=on`)
    return values[key] ?? ''
  }
  return {
    name: said('sellerName'),
    legalForm: said('sellerLegalForm'),
    capital: said('sellerCapital'),
    siren: said('sellerSiren'),
    vatId: said('sellerVatId'),
    register: said('sellerRegister'),
    address: said('sellerAddress'),
    zip: said('sellerZip'),
    city: said('sellerCity'),
    country: 'FR',
    iban: said('sellerIban'),
    bic: values.sellerBic ?? null,
  }
}

/** `https://proofs.example/` is `proofs.example`: how c2sp.org/tlog-checkpoint names a log. */
function schemeless(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

function blobConfig(values: Values, faults: string[]): BlobConfig {
  if (values.blobs === 'folder') return { driver: 'folder', folder: join(resolve(values.data), 'blobs') }
  const required = (key: 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey'): string => {
    const value = values[key]
    if (value === undefined) faults.push(`${settings[key].name} is required with PROBANT_BLOBS=s3`)
    return value ?? ''
  }
  return {
    driver: 's3',
    endpoint: values.s3Endpoint,
    region: values.s3Region,
    bucket: required('s3Bucket'),
    prefix: values.s3Prefix,
    accessKeyId: required('s3AccessKeyId'),
    secretAccessKey: required('s3SecretAccessKey'),
    forcePathStyle: values.s3ForcePathStyle === 'true',
  }
}

function tracesOf(own: string | undefined, endpoint: string | undefined): string | null {
  if (own !== undefined) return own === 'off' ? null : own
  return endpoint === undefined ? null : `${endpoint}/v1/traces`
}

function backupConfig(values: Values, faults: string[]): BackupConfig {
  const { backupTo: to, backupRecipients: recipients, backupS3AccessKeyId: id, backupS3SecretAccessKey: secret } = values
  if (to !== undefined && recipients.length === 0) faults.push('PROBANT_BACKUP_RECIPIENTS is required with PROBANT_BACKUP_TO')
  if ((id === undefined) !== (secret === undefined))
    faults.push('PROBANT_BACKUP_S3_ACCESS_KEY_ID and PROBANT_BACKUP_S3_SECRET_ACCESS_KEY are given together')
  if (to?.startsWith('s3://') === true && id === undefined)
    faults.push('PROBANT_BACKUP_S3_ACCESS_KEY_ID is required with PROBANT_BACKUP_TO=s3://…')
  return {
    to,
    recipients,
    at: values.backupAt,
    keep: values.backupKeep,
    s3:
      id === undefined || secret === undefined
        ? null
        : {
            endpoint: values.backupS3Endpoint,
            region: values.backupS3Region,
            accessKeyId: id,
            secretAccessKey: secret,
            forcePathStyle: values.backupS3ForcePathStyle === 'true',
          },
  }
}

/** In the data folder while a backup is put back into it: nothing else may begin. */
export const restoringFile = 'restoring.json'

export const isRestoring = ({ dataFolder }: Pick<Config, 'dataFolder'>): boolean => existsSync(join(dataFolder, restoringFile))

/**
 * The installation's secret: the configured one, or one of 256 bits made at first need. Two processes that need it first at
 * the same moment get the same: the complete file is linked into place, which only one of them can do.
 */
export function installationSecret(config: Pick<Config, 'secret' | 'dataFolder'>): string {
  if (config.secret !== undefined) return config.secret
  return keptSecret(join(config.dataFolder, 'secret'))
}

/**
 * What the file says, at least 32 characters; made once with 256 random bits in base64url, of mode 0600, by whichever process
 * comes first.
 */
export function keptSecret(path: string): string {
  const read = () => {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length < 32) throw new Error(`${path} holds no secret; remove it to have a new one made`)
    return secret
  }
  try {
    return read()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
  return read()
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function sealingTokenOf(...values: readonly (string | undefined)[]): Config['sealingToken'] {
  const [module, token, key, pinFile, certificate] = values
  if (module === undefined || token === undefined || key === undefined || pinFile === undefined) return null
  const certificateFile = certificate === undefined ? null : resolve(certificate)
  return { module: resolve(module), token, key, pinFile: resolve(pinFile), certificateFile }
}

const isThisMachine = (url: string): boolean => /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)

function mangopayConfig(values: Values, faults: string[]): Config['mangopay'] {
  const { mangopayClient: clientId, mangopayKey: apiKey, mangopayUser: user, mangopayWallet: wallet, mangopayUrl } = values
  const here = isThisMachine(mangopayUrl)
  const cardAddresses = here ? [new URL(mangopayUrl).origin] : values.mangopayCardAddresses
  if (mangopayUrl.startsWith('http:') && !here)
    faults.push('PROBANT_MANGOPAY_URL must start with https://, except on the machine itself')
  if (clientId !== undefined && apiKey !== undefined && user !== undefined && wallet !== undefined)
    return { clientId, apiKey, baseUrl: mangopayUrl.replace(/\/+$/, ''), seller: { user, wallet }, cardAddresses }
  if ([clientId, apiKey, user, wallet].some((value) => value !== undefined))
    faults.push(
      'PROBANT_MANGOPAY_CLIENT_ID, PROBANT_MANGOPAY_API_KEY, PROBANT_MANGOPAY_USER and PROBANT_MANGOPAY_WALLET are given together',
    )
  return null
}
