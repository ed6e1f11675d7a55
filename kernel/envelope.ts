/** Envelopes, in which services of the kind of Sentry, GlitchTip or Bugsink take errors and recordings (develop.sentry.dev/sdk/foundations/envelopes). */

/** @param dsn `https://KEY@host/PROJECT`, perhaps with folders before the project @returns where envelopes are posted to; null: it is no DSN */
export function envelopeAddress(dsn: string): string | null {
  if (!URL.canParse(dsn)) return null
  const url = new URL(dsn)
  const [, folders = '', project] = /^((?:\/[\w.-]+)*)\/(\d{1,20})$/.exec(url.pathname) ?? []
  if (project === undefined || !/^[0-9a-zA-Z]{8,64}$/.test(url.username) || url.password !== '') return null
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') return null
  return `${url.origin}${folders}/api/${project}/envelope/?sentry_key=${url.username}&sentry_version=7`
}

export type EnvelopeItem = { readonly type: string; readonly payload: string }

/** @param id 32 hexadecimal digits */
export function writeEnvelope(id: string, sentAt: Date, items: readonly EnvelopeItem[]): string {
  const lines = [JSON.stringify({ event_id: id, sent_at: sentAt.toISOString() })]
  for (const { type, payload } of items)
    lines.push(JSON.stringify({ type, length: new TextEncoder().encode(payload).length }), payload)
  return `${lines.join('\n')}\n`
}
