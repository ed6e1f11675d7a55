import type { MarkdownText } from '../../kernel/markdown-text.ts'
import type { Hit } from '../markdown/search-text.ts'
import { loadChunk } from './chunk-failure.ts'

/** What searches a text is fetched when somebody is about to. */
export async function searchIn(content: MarkdownText): Promise<(query: string) => readonly Hit[]> {
  return (await loadChunk(() => import('../markdown/search-text.ts'))).makeSearch(content)
}
