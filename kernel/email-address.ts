/** RFC 5321 §4.5.3.1.3 bounds a path at 256 octets with its angle brackets. */
export const longestEmailAddress = 254

export type EmailAddress = {
  /** As typed, without blanks around it; the domain in ASCII, lower case. */
  readonly address: string
  /** Under which it is found: two spellings of one mailbox have one key. */
  readonly key: string
  readonly domain: string
}

/** Dot-atom of RFC 5322 §3.2.3: what a mail can be sent to without quoting. Letters beyond ASCII are refused: no mail server here speaks RFC 6531, and look-alikes of other scripts have no other use. */
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** IDNA as the URL standard does it, in Node and in browsers alike. */
function domainToAscii(domain: string): string | null {
  const address = `http://${domain}/`
  return /[\s/\\?#@:[\]%]/.test(domain) || !URL.canParse(address) ? null : new URL(address).hostname
}

/** @returns null for what is no address that mail can be sent to */
export function parseEmailAddress(typed: string): EmailAddress | null {
  const text = typed.trim()
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > longestEmailAddress) return null
  const name = text.slice(0, at)
  if (name.length > 64 || !local.test(name)) return null
  const domain = domainToAscii(text.slice(at + 1)) ?? ''
  const labels = domain.split('.')
  if (labels.length < 2 || domain.length > 253 || !labels.every((each) => label.test(each))) return null
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null
  const address = `${name}@${domain}`
  return address.length > longestEmailAddress ? null : { address, key: address.toLowerCase(), domain }
}
