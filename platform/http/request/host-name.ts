import { domainToASCII } from 'node:url'

/**
 * Name of a host as it is compared: lower case, A-labels (RFC 5891), no port and no dot at its end; null for what is no name or address.
 * @param host of a header, or of a brand's file
 */
export function hostName(host: string): string | null {
  const found = /^([^\s:@/\\?#[\]<>"'`{}|^%]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.exec(host)
  const name = (found?.[1] ?? '').replace(/\.$/, '')
  if (name === '') return null
  if (name.startsWith('[')) return name.toLowerCase()
  const ascii = domainToASCII(name)
  return ascii === '' || ascii.length > 253 ? null : ascii
}
