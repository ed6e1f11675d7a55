import { createHmac, timingSafeEqual } from 'node:crypto'

type Purpose = 'confirm' | 'leave'

const macOf = (secret: string, purpose: Purpose, id: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['probant-newsletter/1', purpose, id]))
    .digest('base64url')

/** What a link of a mail carries: made from the row whenever it is needed, so that nothing of it is kept. */
export function newsletterKey(secret: string, purpose: Purpose, id: string): string {
  return `${id}.${macOf(secret, purpose, id)}`
}

/** @returns the id of the row, or null when it was not made here, or for another purpose */
export function readNewsletterKey(secret: string, purpose: Purpose, key: string): string | null {
  const [id = '', mac = '', more] = key.split('.')
  if (more !== undefined || !/^[0-9a-f-]{36}$/.test(id)) return null
  const expected = Buffer.from(macOf(secret, purpose, id))
  const given = Buffer.from(mac)
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
}
