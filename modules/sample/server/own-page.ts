import type { Locale } from '../../../kernel/locale.ts'

/**
 * The page that the sample is of, and what of this machine the capture may reach for it: while developing, the page is here, where no capture else may
 * go; an installation that others reach is captured as they see it.
 * @returns null: there is no page that a capture could reach
 */
export function ownPage(
  { publicUrl, environment }: { readonly publicUrl: string; readonly environment: 'development' | 'production' },
  locale: Locale,
): { readonly url: string; readonly allowAddresses: readonly string[] } | null {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (hostname !== 'localhost' && !/^127\.|^\[/.test(hostname)) return { url: `${publicUrl}/${locale}/`, allowAddresses: [] }
  if (environment !== 'development' || protocol !== 'http:') return null
  const host = `127.0.0.1:${port === '' ? '80' : port}`
  return { url: `http://${host}/${locale}/`, allowAddresses: [host] }
}
