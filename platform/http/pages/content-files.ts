import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../kernel/errors.ts'
import { isLocale, type Locale } from '../../../kernel/locale.ts'

/** Longer than any text we write; an operator's mistake must not fill memory. */
const longestContentBytes = 1024 * 1024

/**
 * One Markdown file of a folder, by a path of plain names. Links that lead out of the folder are not followed.
 * @returns undefined when the folder does not have it
 */
async function readContent(folder: string, path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>> | undefined
  try {
    const root = await realpath(folder)
    const target = await realpath(join(root, path))
    if (!target.startsWith(root + sep)) return undefined
    file = await open(target)
    const { size } = await file.stat()
    if (size > longestContentBytes) return undefined
    return await file.readFile('utf8')
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR')
    )
      return undefined
    throw error
  } finally {
    await file?.close()
  }
}

/** `{{name}}` is what is stated of the installation under that name, in the operator's own texts too; what is no such name stays as it is. */
function withFacts(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{([a-z_]{1,40})\}\}/g, (written, name: string) => facts[name] ?? written)
}

/** `GET /_content/{locale}/{path}.md` (R-30, K-27, decision H-19): help, guide and legal texts as Markdown, read-only. */
export function contentRoute(folders: {
  contentFolder: string
  contentOverride: string | undefined
  contentFacts?: (locale: Locale) => Readonly<Record<string, string>>
}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { locale, '*': rest = '' } = request.params as { locale?: string; '*'?: string }
    const path = rest.replace(/\/$/, '')
    const plain = isLocale(locale) && /^(?:[a-z0-9][a-z0-9_-]{0,60}\/){0,4}[a-z0-9][a-z0-9_-]{0,60}\.md$/.test(path)
    if (!plain) throw new DomainError('not_found', 'http.not_found')
    for (const folder of [folders.contentOverride, folders.contentFolder]) {
      const text = folder === undefined ? undefined : await readContent(folder, join(locale, path))
      if (text !== undefined && isLocale(locale)) {
        const filled = withFacts(text, folders.contentFacts?.(locale) ?? {})
        return await reply.header('cache-control', 'no-cache').type('text/markdown; charset=utf-8').send(filled)
      }
    }
    throw new DomainError('not_found', 'http.not_found')
  }
}
