import { MalformedError } from '../../modules/verification/domain/encoding/der.ts'
import { clauseOf, openArchive } from './read/archive.ts'
import type { Archive, Finding } from './read/archive.ts'
import { actions } from './clauses/actions.ts'
import { alternates } from './clauses/alternates.ts'
import { annotations } from './clauses/annotations.ts'
import { contents } from './clauses/contents.ts'
import { embeddedFiles } from './clauses/embedded-files.ts'
import { graphics } from './clauses/graphics.ts'
import { header } from './clauses/header.ts'
import { interactiveForm } from './clauses/interactive-form.ts'
import { limits } from './clauses/limits.ts'
import { logicalStructure } from './clauses/logical-structure.ts'
import { metadata } from './clauses/metadata.ts'
import { names } from './clauses/names.ts'
import { objectSyntax } from './clauses/object-syntax.ts'
import { optionalContent } from './clauses/optional-content.ts'
import { permissions } from './clauses/permissions.ts'
import { signatures } from './clauses/signatures.ts'
import { streams } from './clauses/streams.ts'
import { strings } from './clauses/strings.ts'
import { trailer } from './clauses/trailer.ts'

export type { Finding } from './read/archive.ts'

const clauses: readonly ((archive: Archive) => readonly Finding[] | Promise<readonly Finding[]>)[] = [
  trailer,
  strings,
  streams,
  names,
  objectSyntax,
  permissions,
  limits,
  contents,
  graphics,
  annotations,
  interactiveForm,
  signatures,
  actions,
  metadata,
  logicalStructure,
  embeddedFiles,
  optionalContent,
  alternates,
]

/**
 * What of ISO 19005-3:2012 (PDF/A-3), level A, a file breaks, of the clauses that signing, extending or attaching can break. It is no
 * validator of what a compiler of documents makes: shapes of glyphs, profiles of colour and the types of metadata are not looked at.
 * Nothing found: none of these is broken.
 */
export async function checkArchival(pdf: Uint8Array): Promise<readonly Finding[]> {
  const found: Finding[] = header(pdf)
  try {
    const archive = await openArchive(pdf)
    found.push(...archive.unread.map(({ name, why }) => ({ clause: clauseOf(why), object: name, words: why })))
    for (const clause of clauses) found.push(...(await clause(archive)))
    return found
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return [...found, { clause: clauseOf(error.message), object: 'file', words: error.message }]
  }
}
