import { createHash, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { access, constants, mkdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { systemClock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { examineAccount, movesMoney } from '../../../../modules/billing/server/index.ts'
import { createOutsideTimestampers, submitDigest } from '../../../../modules/sealing/server/index.ts'
import { createBlobStore } from '../../../../platform/blobs/create-blob-store.ts'
import type { Config } from '../../../../platform/config/config.ts'
import { isThisMachine } from '../../../../platform/config/settings/values.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createMailer } from '../../../../platform/mail/mailer.ts'
import { writeTrialMail } from '../../../../platform/mail/trial-mail.ts'
import type { Messages } from '../../../../platform/messages/messages.ts'
import { readCertificate } from '../../../../platform/tls/order-certificate.ts'
import type { Found } from './take-answers.ts'
import type { StepId } from './steps.ts'

export type TryDeps = {
  readonly messages: Messages
  /** Where a mail may go to be seen; empty: nowhere. */
  readonly askRecipient: () => Promise<string>
}

type Attempt = (config: Config, deps: TryDeps) => Promise<readonly Found[]>

const timeoutMs = 15_000
/** PostgreSQL 16.0, as it says it of itself. */
const leastVersion = 160_000
/** A clock of another machine that is farther off has jobs begin at another time than they say. Milliseconds. */
const mostDrift = 5_000

/**
 * Tries what a step of the set-up was answered, as the product will use it: nothing is assumed of what was not seen. What was made for it
 * is taken away again, but for a mail.
 */
export async function trySettings(step: StepId, config: Config, deps: TryDeps): Promise<readonly Found[]> {
  try {
    return await attempts[step](config, deps)
  } catch (error) {
    return [wrong(reasonOf(error, deps.messages))]
  }
}

const right = (text: string): Found => ({ isRight: true, text })
const wrong = (text: string): Found => ({ isRight: false, text })

function reasonOf(error: unknown, messages: Messages): string {
  if (error instanceof DomainError && messages.has(error.code)) return messages.format(error.code, error.data)
  if (!(error instanceof Error)) return String(error)
  // Where several addresses were tried, Node's own error has no words.
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

const attempts: Readonly<Record<StepId, Attempt>> = {
  async address({ publicUrl }, { messages }) {
    const { hostname } = new URL(publicUrl)
    try {
      const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
      return [
        right(
          messages.format('setup.found.address', { host: hostname, addresses: found.map(({ address }) => address).join(', ') }),
        ),
      ]
    } catch {
      return [wrong(messages.format('setup.found.no_address', { host: hostname }))]
    }
  },

  async tls({ tls, publicUrl }, { messages }) {
    if (tls.by === 'proxy') return [right(messages.format('setup.found.proxy'))]
    if (tls.by === 'acme') return [right(messages.format('setup.found.acme', { authority: new URL(tls.directory).host }))]
    const [chain, key] = await Promise.all([readFile(tls.certificateFile, 'utf8'), readFile(tls.keyFile, 'utf8')])
    const { notAfter } = readCertificate(new URL(publicUrl).hostname, chain, key)
    const until = notAfter.toISOString().slice(0, 10)
    return [
      notAfter > systemClock.now()
        ? right(messages.format('setup.found.certificate', { until }))
        : wrong(messages.format('setup.found.certificate_ended', { until })),
    ]
  },

  async database({ databaseUrl }, { messages }) {
    if (databaseUrl === undefined) return [right(messages.format('setup.found.embedded_database'))]
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
    try {
      await client.connect()
      const asked = systemClock.now().getTime()
      const { rows } = await client.query<{ version: number; name: string; makes: boolean; now: Date }>(
        `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
          has_database_privilege(current_database(), 'CREATE') as makes, clock_timestamp() as now`,
      )
      const [row] = rows
      if (row === undefined) return [wrong(messages.format('setup.found.no_database'))]
      const between = (asked + systemClock.now().getTime()) / 2
      const seconds = Math.round(Math.abs(row.now.getTime() - between) / 1000)
      return [
        row.version >= leastVersion
          ? right(messages.format('setup.found.database', { version: row.name }))
          : wrong(messages.format('setup.found.old_database', { version: row.name })),
        ...(row.makes ? [] : [wrong(messages.format('setup.found.database_closed'))]),
        ...(seconds * 1000 > mostDrift ? [wrong(messages.format('setup.found.database_clock', { seconds }))] : []),
      ]
    } finally {
      await client.end()
    }
  },

  async storage(config, { messages }) {
    await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
    await access(config.dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
    const store = createBlobStore(config).scope('setup')
    const bytes = randomBytes(1024)
    try {
      const { sha256 } = await store.putBytes(bytes)
      const back = await store.read(sha256, { maxBytes: bytes.length })
      if (!back.equals(bytes)) return [wrong(messages.format('setup.found.storage_differs'))]
      const room = await store.room()
      return [
        right(
          room === null
            ? messages.format('setup.found.storage')
            : messages.format('setup.found.storage_room', { gigabytes: Math.floor(room / 1e9) }),
        ),
      ]
    } finally {
      await store.clear().catch(() => undefined)
    }
  },

  async mail(config, { messages, askRecipient }) {
    if (config.mail.smtpUrl === undefined)
      return [right(messages.format('setup.found.mail_folder', { folder: config.mail.folder }))]
    const to = await askRecipient()
    if (to === '') return [right(messages.format('setup.found.mail_untried'))]
    const mailer = createMailer(config)
    try {
      await mailer.send(writeTrialMail(to, messages.locale, config.publicUrl))
      return [right(messages.format('setup.found.mail', { to }))]
    } finally {
      mailer.close()
    }
  },

  async time({ tsaUrls }, { messages }) {
    if (tsaUrls.length === 0) return [right(messages.format('setup.found.embedded_authority'))]
    const digest = createHash('sha256').update(randomBytes(32)).digest()
    const authorities = createOutsideTimestampers({ urls: tsaUrls, clock: systemClock, log: silentLog, timeoutMs })
    return await Promise.all(
      authorities.map(async (authority) => {
        try {
          const { genTime } = await authority.timestamp(digest, AbortSignal.timeout(timeoutMs))
          return right(messages.format('setup.found.authority', { name: authority.name, time: genTime.toISOString() }))
        } catch (error) {
          return wrong(`${authority.name}: ${reasonOf(error, messages)}`)
        }
      }),
    )
  },

  async anchors({ anchor, allowAddresses }, { messages }) {
    if (anchor.calendars.length === 0) return [right(messages.format('setup.found.no_calendar'))]
    return await Promise.all(
      anchor.calendars.map(async (calendar) => {
        const { host } = new URL(calendar)
        try {
          await submitDigest(calendar, randomBytes(32), { calendars: anchor.calendars, allowAddresses, timeoutMs })
          return right(messages.format('setup.found.calendar', { host }))
        } catch (error) {
          return wrong(`${host}: ${reasonOf(error, messages)}`)
        }
      }),
    )
  },

  async payments({ seller, payments, mangopay, publicUrl }, { messages }) {
    if (seller === null) return [right(messages.format('setup.found.billing_off'))]
    if (payments === 'transfer') return [right(messages.format('setup.found.transfer', { iban: seller.iban }))]
    if (mangopay === null)
      return isThisMachine(publicUrl)
        ? [right(messages.format('setup.found.test_payments'))]
        : [wrong(messages.format('setup.found.test_payments_public', { address: publicUrl }))]
    // The worker asks to be told of payments when it starts: it is not told yet.
    const { faults } = await examineAccount(mangopay, null)
    const { host } = new URL(mangopay.baseUrl)
    if (faults.length > 0)
      return faults.map((fault) => wrong(messages.format(`setup.found.${fault}`, { host, ...mangopay.seller })))
    return [
      right(messages.format('setup.found.provider', { host })),
      ...(movesMoney(mangopay.baseUrl) ? [] : [right(messages.format('setup.found.provider_test', { host }))]),
    ]
  },
}
