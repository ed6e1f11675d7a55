import { queryOptions } from '@tanstack/react-query'
import type { Locale } from '../../kernel/locale.ts'
import type { MarkdownText } from '../../kernel/markdown-text.ts'
import { apiAddress } from '../api/api-address.ts'

/** R-30, K-27: the text of `/_content/{locale}/{path}.md`, as the server read it. */
export const contentQuery = (locale: Locale, path: string) =>
  queryOptions({
    queryKey: ['content', locale, path],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(apiAddress(`/_content/${locale}/${path}.json`), { signal, credentials: 'omit' })
      if (!response.ok) throw Object.assign(new Error(`content ${path}`), { status: response.status })
      return (await response.json()) as MarkdownText
    },
  })
