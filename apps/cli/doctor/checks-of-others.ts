/** Whom the installation asks, and how it is reached. */
import { randomBytes } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import { systemClock } from '../../../kernel/clock.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { examineAccount, hooksAt, movesMoney } from '../../../modules/billing/server/index.ts'
import { createOutsideTimestampers, type Timestamper } from '../../../modules/sealing/server/index.ts'
import type { Config } from '../../../platform/config/config.ts'
import { isThisMachine } from '../../../platform/config/settings/values.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { greetMailServer } from '../../../platform/mail/mailer.ts'
import { fine, forbids, mend, reasonOf, type Check, type Finding } from './finding.ts'

const clockSeconds = 1
const warnDays = 14

export function outsideChecks(config: Config): Check[] {
  return [
    { name: 'authorities', patienceMs: 30_000, run: async (signal) => await checkAuthorities(config, signal) },
    { name: 'mail', patienceMs: 45_000, run: async () => await checkMail(config) },
    { name: 'payments', patienceMs: 60_000, run: async () => await checkPayments(config) },
    { name: 'certificate', patienceMs: 20_000, run: async (signal) => await checkCertificate(config, signal) },
  ]
}

async function checkAuthorities({ tsaUrls }: Config, signal: AbortSignal): Promise<readonly Finding[]> {
  if (tsaUrls.length === 0) return [mend('authorities_none')]
  const authorities = createOutsideTimestampers({ urls: tsaUrls, clock: systemClock, log: silentLog })
  return await Promise.all(authorities.map(async (each) => await askAuthority(each, signal)))
}

/** Over octets that mean nothing. */
async function askAuthority(authority: Timestamper, signal: AbortSignal): Promise<Finding> {
  const { name } = authority
  try {
    const before = Date.now()
    const { genTime } = await authority.timestamp(randomBytes(32), signal)
    // It may tell whole seconds only, and the answer took its time.
    const low = genTime.getTime() - Date.now()
    const high = genTime.getTime() + 1_000 - before
    const seconds = low > 0 ? low / 1000 : high < 0 ? -high / 1000 : 0
    return seconds > clockSeconds
      ? forbids('authority_clock', { authority: name, seconds: Math.round(seconds * 10) / 10 })
      : fine('authority', { authority: name })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return mend('authority_fails', { authority: name, reason: error.code.replace(/^sealing\./, '') })
  }
}

async function checkMail({ mail, environment }: Config): Promise<Finding> {
  if (mail.smtpUrl === undefined)
    return environment === 'production' ? mend('mail_none') : fine('mail_folder', { folder: mail.folder })
  try {
    await greetMailServer(mail.smtpUrl)
    return fine('mail', { host: new URL(mail.smtpUrl).host })
  } catch (error) {
    return mend('mail_fails', { host: new URL(mail.smtpUrl).host, reason: reasonOf(error) })
  }
}

/** Nothing is charged: the provider is asked who we are, and whom it tells. */
async function checkPayments({ seller, payments, mangopay, publicUrl }: Config): Promise<Finding | readonly Finding[]> {
  if (seller === null) return fine('payments_off')
  if (payments === 'transfer') return fine('payments_transfer', { iban: seller.iban })
  const isPublic = !isThisMachine(publicUrl)
  if (mangopay === null) return isPublic ? mend('payments_simulated_public', { address: publicUrl }) : fine('payments_simulated')
  const { host } = new URL(mangopay.baseUrl)
  const { faults, unheard } = await examineAccount(mangopay, hooksAt(publicUrl))
  const { user, wallet } = mangopay.seller
  const found = [
    ...faults.map((fault) => mend(`payments_${fault}`, { host, user, wallet })),
    ...(unheard.length === 0 ? [] : [mend('payments_hooks', { address: hooksAt(publicUrl), events: unheard.join(', ') })]),
    // Whoever reaches this installation is told that he pays, and does not.
    ...(isPublic && !movesMoney(mangopay.baseUrl) ? [mend('payments_test', { host, address: publicUrl })] : []),
  ]
  return found.length === 0 ? fine('payments', { host }) : found
}

async function checkCertificate({ publicUrl }: Config, signal: AbortSignal): Promise<Finding> {
  const url = new URL(publicUrl)
  if (url.protocol !== 'https:') return fine('certificate_none')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  let socket: TLSSocket | undefined
  try {
    socket = connect({ host, port: url.port === '' ? 443 : Number(url.port), servername: host, rejectUnauthorized: false })
    await once(socket, 'secureConnect', { signal })
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - systemClock.now().getTime()) / 86_400_000)
    if (days < 0) return mend('certificate_expired', { days: -days })
    // The type says an Error; Node gives its code.
    if (!socket.authorized) return mend('certificate_refused', { reason: String(socket.authorizationError) })
    return days < warnDays ? mend('certificate_ends', { days }) : fine('certificate', { days })
  } catch (error) {
    return mend('certificate_unreachable', { address: url.origin, reason: reasonOf(error) })
  } finally {
    socket?.destroy()
  }
}
