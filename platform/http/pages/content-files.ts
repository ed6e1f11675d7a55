import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../../kernel/errors.ts'
import { isLocale, type Locale } from '../../../kernel/locale.ts'
import { readMarkdown } from './read-markdown.ts'
import { accepts } from './static-files.ts'

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

/** A text as it was read of the same words before: reading takes longer than all else of an answer. */
type Read = { readonly source: string; readonly json: string; readonly zipped: Buffer }

async function readOnce(read: Map<string, Read>, file: string, source: string): Promise<Read> {
  const before = read.get(file)
  if (before?.source === source) return before
  const json = JSON.stringify(readMarkdown(source))
  const made = { source, json, zipped: await promisify(gzip)(json) }
  read.set(file, made)
  return made
}

/**
 * `GET /_content/{locale}/{path}.md` (R-30, K-27, decision H-19): help, guide and legal texts as Markdown, read-only; `.json` in the place of
 * `.md`: the same as it was read (`MarkdownText`), for pages to draw.
 */
export function contentRoute(folders: {
  contentFolder: string
  contentOverride: string | undefined
  contentFacts?: (locale: Locale) => Readonly<Record<string, string>>
}) {
  // By file: no more than there are.
  const read = new Map<string, Read>()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { locale, '*': rest = '' } = request.params as { locale?: string; '*'?: string }
    const [, path, form] = /^((?:[a-z0-9][a-z0-9_-]{0,60}\/){0,4}[a-z0-9][a-z0-9_-]{0,60})\.(md|json)\/?$/.exec(rest) ?? []
    if (!isLocale(locale) || path === undefined) throw new DomainError('not_found', 'http.not_found')
    for (const folder of [folders.contentOverride, folders.contentFolder]) {
      const file = join(locale, `${path}.md`)
      const text = folder === undefined ? undefined : await readContent(folder, file)
      if (text === undefined) continue
      const source = withFacts(text, folders.contentFacts?.(locale) ?? {})
      reply.header('cache-control', 'no-cache')
      if (form === 'md') return await reply.type('text/markdown; charset=utf-8').send(source)
      const { json, zipped } = await readOnce(read, file, source)
      reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8')
      if (!accepts(request.headers['accept-encoding'] ?? '', 'gzip')) return await reply.send(json)
      return await reply.header('content-encoding', 'gzip').send(zipped)
    }
    throw new DomainError('not_found', 'http.not_found')
  }
}
