import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { localeOfPage } from '../request/locale-of.ts'

export type WellKnown = {
  /** Without trailing slash. */
  readonly publicUrl: string
  /** RFC 9116 §2.5.3; empty: no file. */
  readonly securityContacts: readonly string[]
  /** Where a password is changed, after the language prefix, with its slashes. */
  readonly passwordPage: string
  readonly clock: Clock
}

/** RFC 9116 §2.5.5 wants an end within a year: whoever keeps a copy asks again; what answers is what the operator has set now. */
const securityTextDays = 90

/** RFC 8615 names that strangers and programs ask for: whom to tell of a weakness, and where a password is changed. */
export function registerWellKnown(app: FastifyInstance, { publicUrl, securityContacts, passwordPage, clock }: WellKnown): void {
  const config = { access: ['page'] }
  // W3C "A Well-Known URL for Changing Passwords" §2.
  app.get('/.well-known/change-password', { config }, async (request, reply) => {
    reply.header('vary', 'accept-language, cookie').header('cache-control', 'no-store')
    return await reply.redirect(`/${localeOfPage(request)}${passwordPage}`, 302)
  })
  if (securityContacts.length === 0) return
  app.get('/.well-known/security.txt', { config }, async (_, reply) => {
    const expires = new Date(clock.now().getTime() + securityTextDays * 86_400_000)
    expires.setUTCHours(0, 0, 0, 0)
    const lines = [
      ...securityContacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
      'Preferred-Languages: en, fr',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return await reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`)
  })
}
