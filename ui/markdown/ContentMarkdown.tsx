import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MarkdownText } from '../../kernel/markdown-text.ts'
import { useLocale, useText } from '../intl/text.tsx'
import { contentQuery } from './content-query.ts'
import { Markdown } from './Markdown.tsx'

/** A text of the content, which whoever leads to its page may have asked for before. */
export function useContent(path: string): { content: MarkdownText | null; failed: boolean; retry: () => void } {
  const query = useQuery(contentQuery(useLocale(), path))
  return { content: query.data ?? null, failed: query.isError, retry: () => void query.refetch() }
}

export function ContentMarkdown(props: { path: string }): ReactNode {
  const text = useText()
  const { content, failed, retry } = useContent(props.path)
  if (failed) {
    return (
      <p role="alert">
        {text('ui.error.network')}{' '}
        <button type="button" onClick={retry}>
          {text('ui.retry')}
        </button>
      </p>
    )
  }
  if (content !== null) return <Markdown content={content} />
  return <p role="status">{text('ui.loading')}</p>
}
