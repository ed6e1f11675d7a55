/** Minutes of a verification as a file: PDF/A-3a by the typesetter, or a page of HTML. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Block } from '../../kernel/document/blocks.ts'
import type { Locale } from '../../kernel/locale.ts'
import { type Dossier, type MinutesBlock, minutesHtml, minutesOf, type Words } from '../../modules/verification/server/index.ts'
import { packageVersion } from '../../platform/config/software.ts'
import { code, facts, heading, paragraph } from '../../platform/print/document/inlines.ts'
import type { PrintedDocument } from '../../platform/print/document/printed-document.ts'
import { typeset } from '../../platform/print/typeset/typeset.ts'

const tags: Readonly<Record<Locale, string>> = { en: 'en-GB', fr: 'fr-FR' }

/** What strangers wrote was made visible where the words were put together. */
function blockOf(block: MinutesBlock): Block {
  switch (block.tag) {
    case 'h1':
      return heading(1, block.text)
    case 'h2':
      return heading(2, block.text)
    case 'h3':
      return heading(3, block.text)
    case 'strong':
      return paragraph(block.text, 'lead')
    case 'code':
      return paragraph(code(block.text))
    case 'p':
      return paragraph(block.text)
    case 'ul':
      return { kind: 'list', ordered: false, size: 'small', items: block.lines.map((line) => [paragraph(line)]) }
    default:
      return facts(...block.rows)
  }
}

function documentOf(blocks: readonly MinutesBlock[], at: Date, locale: Locale, words: Words): PrintedDocument {
  const [first] = blocks
  const title = first?.tag === 'h1' ? first.text : ''
  return {
    look: 'certificate',
    language: tags[locale],
    title,
    subject: title,
    date: at,
    mark: null,
    running: {
      head: null,
      foot: `${title} – Probant`,
      pageOf: '{page} / {pages}',
      onPage: '{page}',
      byCode: words.format('verification.minutes.by_code', { count: '{count}' }),
      cover: false,
    },
    blocks: [{ kind: 'brand' }, ...blocks.map(blockOf)],
    attachments: [],
    files: [],
  }
}

/**
 * A file that exists is replaced by a whole one or not at all.
 * @param file ends in `.html` for a page; anything else is PDF
 * @throws what writing and setting throw
 */
export async function writeMinutes(
  dossier: Dossier,
  words: Words,
  { file, locale, signal }: { readonly file: string; readonly locale: Locale; readonly signal: AbortSignal },
): Promise<void> {
  const blocks = minutesOf(dossier, words, packageVersion)
  const folder = await mkdtemp(join(tmpdir(), 'probant-minutes-'))
  const partial = `${file}.${String(process.pid)}.partial`
  try {
    const bytes = file.toLowerCase().endsWith('.html')
      ? minutesHtml(blocks, locale)
      : await typeset(documentOf(blocks, new Date(dossier.verified_at), locale, words), { folder: join(folder, 'set'), signal })
    await writeFile(partial, bytes, { flag: 'wx' })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
