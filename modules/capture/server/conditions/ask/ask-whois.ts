import { connect } from 'node:net'
import type { RegistryAnswer } from './ask-rdap.ts'
import { parentsOf } from './ask-rdap.ts'
import { formatHostPort, parseHostPort, type HostPort } from '../../../../../kernel/host-port.ts'
import { ProbeError } from './probe-error.ts'
import { vetServer, type Vetting } from './vet-server.ts'

const maxBytes = 64 * 1024
const maxReferrals = 3

/** One question, one answer, the end (RFC 3912). Cut at the bound. @throws ProbeError */
function askOnce(address: string, port: number, query: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const parts: Buffer[] = []
    let bytes = 0
    const finish = (): void => {
      signal.removeEventListener('abort', cancel)
      socket.destroy()
      resolve(Buffer.concat(parts).subarray(0, maxBytes).toString('utf8'))
    }
    const cancel = (): void => {
      socket.destroy()
      reject(new ProbeError('timeout'))
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
    socket.on('connect', () => socket.write(`${query}\r\n`))
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes >= maxBytes) finish()
    })
    socket.on('end', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', cancel)
      reject(new ProbeError(error.code ?? 'failed'))
    })
  })
}

/** First value of a field, whatever its case; comments apart. There is no standard of these answers: only common names count. */
function field(text: string, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = new RegExp(`^[ \\t]*${name}:[ \\t]*(\\S[^\\r\\n]*)$`, 'im').exec(text)?.[1]
    if (value !== undefined) return value.trim().slice(0, 300)
  }
  return null
}

function instant(value: string | null): string | null {
  const time = Date.parse(value ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/**
 * Follows the referrals from a first server (IANA's) to who registers the subject. Servers that an answer names are vetted as a page's
 * would be. @throws ProbeError
 */
export async function askWhois(
  deps: { readonly vetting: Vetting; readonly signal: AbortSignal },
  first: HostPort,
  subject: { readonly kind: 'address' | 'domain'; readonly value: string },
): Promise<RegistryAnswer> {
  // The last two labels: what a referral of IANA leads to knows registered names, not those below them.
  const value = subject.kind === 'address' ? subject.value : (parentsOf(subject.value).at(-1) ?? subject.value)
  const asked: string[] = []
  let server: HostPort = first
  let answer = ''
  for (;;) {
    asked.push(formatHostPort(server))
    const [address] = await vetServer(deps.vetting, server.host, server.port, deps.signal)
    const text = await askOnce(address ?? '', server.port, value, deps.signal)
    if (text.trim() !== '') answer = text
    const referral = field(text, 'refer', 'ReferralServer', 'whois', 'Registrar WHOIS Server')?.replace(/^r?whois:\/\//i, '')
    const next = referral === undefined ? null : parseHostPort(referral.replace(/\/$/, ''), 43)
    if (next === null || asked.includes(formatHostPort(next)) || asked.length > maxReferrals) break
    server = next
  }
  const name =
    subject.kind === 'domain'
      ? field(answer, 'Registrar', 'Sponsoring Registrar')
      : field(answer, 'OrgName', 'org-name', 'descr', 'owner', 'netname')
  if (name === null) throw new ProbeError('not_registered')
  const range = /^(\S+)\s*-\s*(\S+)$/.exec(field(answer, 'NetRange', 'inetnum', 'inet6num') ?? '')
  return {
    subject: value,
    name,
    handle: field(answer, 'NetHandle', 'netname', 'Registry Domain ID'),
    country: subject.kind === 'address' ? field(answer, 'country') : null,
    range: range === null ? null : [range[1] ?? '', range[2] ?? ''],
    registered_at: instant(field(answer, 'Creation Date', 'created', 'RegDate')),
    changed_at: instant(field(answer, 'Updated Date', 'last-update', 'last-modified', 'changed')),
    expires_at: instant(field(answer, 'Registry Expiry Date', 'Expiry Date', 'expires')),
    asked,
    raw: answer,
  }
}
