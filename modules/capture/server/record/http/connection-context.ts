/** What the HTTP readers of one connection share. */
import type { Exchange, HeaderField, LossReason, TlsFacts } from '../exchange/exchange.ts'
import type { Side } from '../tls/decrypt-tls.ts'
import type { Spool } from '../exchange/spool-body.ts'

export type ConnectionContext = {
  readonly connection_id: string
  readonly host: string
  readonly port: number
  readonly remote_address: string
  readonly remote_port: number
  /** Null on a connection without TLS. */
  readonly tls: () => TlsFacts | null
  readonly spool: Spool
  readonly emit: (exchange: Exchange) => void
  readonly lose: (reason: LossReason, url: string | null, detail: string) => void
}

export type HttpReader = {
  push(from: Side, bytes: Buffer, at: number): void
  /** After the last byte. `loss`: why the bytes stop early; null when the connection ended by itself. */
  end(loss: LossReason | null, at: number): void
}

export function fieldOf(fields: readonly HeaderField[], name: string): string | null {
  const values = fieldsOf(fields, name)
  return values.length === 0 ? null : values.join(', ')
}

export function fieldsOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value)
}

/** Absolute URL without fragment. `authority` is the Host field or `:authority`; the tunnel's host when there is none. */
export function absoluteUrl(scheme: string, authority: string | null, context: ConnectionContext, target: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return target
  const host = context.host.includes(':') && !context.host.startsWith('[') ? `[${context.host}]` : context.host
  const usual = scheme === 'https' || scheme === 'wss' ? 443 : 80
  const place = authority !== null && authority !== '' ? authority : context.port === usual ? host : `${host}:${context.port}`
  const url = `${scheme}://${place}${target.startsWith('/') ? target : target === '*' ? '/*' : `/${target}`}`
  // The browser names the default port nowhere; the same address must compare equal.
  return URL.canParse(url) ? new URL(url).href : url
}
