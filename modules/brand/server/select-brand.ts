import type { Locale } from '../../../kernel/locale.ts'
import { isDoor, ownBrand, type PageBrand } from '../../../kernel/page-brand.ts'
import type { MailBrand } from '../../../platform/mail/mail-brand.ts'
import { hostName } from '../../../platform/http/request/host-name.ts'
import type { Brand } from './load-brands.ts'

function brandOfHost(brands: readonly Brand[], host: string): Brand | undefined {
  const name = hostName(host)
  return name === null ? undefined : brands.find(({ hosts }) => hosts.includes(name))
}

/**
 * Whose sign a page stands under (H-07): that of the host name it was asked for by, else, on pages of the older entry, the door's.
 * @param page host as the request has it, and path after the language prefix
 */
export function selectBrand(
  brands: readonly Brand[],
  page: { readonly host: string; readonly path: string },
): { readonly brand: Brand; readonly by: PageBrand['by'] } | null {
  const ofHost = brandOfHost(brands, page.host)
  if (ofHost !== undefined) return { brand: ofHost, by: 'host' }
  const door = isDoor(page.path) ? brands.find((brand) => brand.door) : undefined
  return door === undefined ? null : { brand: door, by: 'door' }
}

/**
 * Under which sign an account is made: the host's, else that of the door that the visitor says he came by. Saying another changes
 * nothing: whoever is nobody's partner cannot become one by a call.
 */
export function brandOfRegistration(brands: readonly Brand[], host: string, said: string | undefined): string {
  const ofHost = brandOfHost(brands, host)
  if (ofHost !== undefined) return ofHost.id
  return brands.find(({ door, id }) => door && id === said)?.id ?? ownBrand
}

export function pageBrand({ brand, by }: { readonly brand: Brand; readonly by: PageBrand['by'] }, locale: Locale): PageBrand {
  return { id: brand.id, name: brand.name[locale], by, support: brand.support, terms: brand.terms?.[locale] ?? null }
}

/** @returns what a mail to an account of that brand is written with; null: the product's own, or one that is no longer there */
export function mailBrand(brands: readonly Brand[], publicUrl: string, id: string): MailBrand | null {
  const brand = brands.find((each) => each.id === id)
  if (brand === undefined) return null
  const url = new URL(publicUrl)
  const [host] = brand.hosts
  if (host !== undefined) url.hostname = host
  return {
    name: brand.name,
    sender: brand.sender,
    support: brand.support,
    publicUrl: url.href.replace(/\/+$/, ''),
    entry: host === undefined && brand.door ? 'old-authentication' : 'authentication',
  }
}
