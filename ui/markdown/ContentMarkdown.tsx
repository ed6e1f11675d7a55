import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiAddress } from '../api/api-address.ts'
import { useLocale, useText } from '../intl/text.tsx'
import { Markdown } from './Markdown.tsx'

/** R-30, K-27: a text of `/_content/{locale}/{path}.md`. */
export function useContent(path: string): { source: string | null; failed: boolean; retry: () => void } {
  const locale = useLocale()
  const query = useQuery({
    queryKey: ['content', locale, path],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(apiAddress(`/_content/${locale}/${path}.md`), { signal, credentials: 'omit' })
      if (!response.ok) throw Object.assign(new Error(`content ${path}`), { status: response.status })
      return response.text()
    },
  })
  return { source: query.data ?? null, failed: query.isError, retry: () => void query.refetch() }
}

export function ContentMarkdown(props: { path: string }): ReactNode {
  const text = useText()
  const content = useContent(props.path)
  if (content.failed) {
    return (
      <p role="alert">
        {text('ui.error.network')}{' '}
        <button type="button" onClick={content.retry}>
          {text('ui.retry')}
        </button>
      </p>
    )
  }
  return content.source === null ? <p role="status">{text('ui.loading')}</p> : <Markdown source={content.source} />
}
