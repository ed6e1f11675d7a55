import type { Locale } from '../../../kernel/locale.ts'
import { callLater } from '../../../ui/shell/call-later.ts'

export const newsletterQuery = (language: Locale) => ({
  queryKey: ['newsletter', language] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    callLater(async () => (await import('../contract/newsletter.ts')).readNewsletter, { query: { language }, signal }),
})
