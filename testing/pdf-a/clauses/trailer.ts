import { isList, isString, latin } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.1.3 with ISO 32000-1 §14.4: identifiers, nothing after the end. §6.1.4: the word `xref` and one line end. */
export async function trailer(archive: Archive): Promise<Finding[]> {
  const { text, view } = archive
  const found: Finding[] = []
  if (!/%%EOF(?:\r\n|\n|\r)?$/.test(text)) found.push(of('data follow the last end-of-file marker'))
  for (const { at, own } of view.sections) {
    const head = text.slice(at, at + 32).trimStart()
    if (own === undefined && !/^xref(?:\r\n|\n|\r)\d/.test(head))
      found.push({ clause: '6.1.4', object: `cross-reference at ${at}`, words: 'xref is not followed by one line end' })
  }
  return [...found, ...(await identifiers(archive))]
}

async function identifiers({ view }: Archive): Promise<Finding[]> {
  const all: (readonly [string, string] | undefined)[] = []
  for (const { trailer: entries } of view.sections) all.push(identifierOf(await view.resolve(entries.get('ID'))))
  const [last] = all
  if (last === undefined) return [of('the last trailer has no ID of two strings')]
  const found: Finding[] = []
  for (const [index, before] of all.slice(1).entries()) {
    const [newer, older] = [view.sections[index], view.sections[index + 1]]
    const after = all[index]
    // The parts of a linearized file are no updates of each other: there what comes later in the file is older.
    if (newer === undefined || older === undefined || newer.at < older.at || before === undefined) continue
    if (after === undefined) found.push(of('an update leaves out the ID'))
    else if (after[0] !== before[0]) found.push(of('an update changes the first part of the ID'))
    else if (after[1] === before[1]) found.push(of('an update leaves the second part of the ID as it was'))
  }
  return found
}

function identifierOf(value: PdfValue | undefined): readonly [string, string] | undefined {
  if (!isList(value)) return undefined
  const [first, second] = value
  if (value.length !== 2 || !isString(first) || !isString(second) || first.octets.length === 0 || second.octets.length === 0)
    return undefined
  return [latin(first.octets), latin(second.octets)]
}

const of = (words: string): Finding => ({ clause: '6.1.3', object: 'trailer', words })
