import { isLocale } from '../../../kernel/locale.ts'

/** Where a visitor is sent after signing in: a page of this site, whatever the address bar was made to say. */
export function returnPath(asked: unknown, origin: string): string | null {
  if (typeof asked !== 'string' || !URL.canParse(asked, origin)) return null
  const url = new URL(asked, origin)
  if (url.origin !== origin || !isLocale(url.pathname.split('/')[1] ?? '')) return null
  return url.pathname + url.search + url.hash
}
