/** The list of docs/decisions/README.md, which `npm run documents` writes. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../docs/decisions/', import.meta.url)
export const decisionsDocument = fileURLToPath(new URL('README.md', folder))

/** In the order of the document: from the house to its doors. */
const subjects = [
  'The house',
  'The witness',
  'The record of the network',
  'Conditions and the checklist',
  'Capture servers and the queue',
  'Live sessions',
  'Sealing',
  'The public log and its anchors',
  'The verifier',
  'Reports and packages',
  'The life of an evidence',
  'Documents',
  'Billing',
  'Accounts, identity and review',
  'The web',
  'Programs and the command line',
  'The door',
  'Operation',
  'Tests',
]

type DecisionRecord = {
  readonly name: string
  readonly number: string
  readonly title: string
  readonly subject: string
  /** Records that only together with this one said one thing: their numbers are met in code, documents and history. */
  readonly takesIn: readonly string[]
  /** What of it no longer holds, and which record says so instead. */
  readonly superseded: string | null
}

/** @throws Error for a record whose title does not begin with the number of its file, whose subject is none of the list, or that takes in what is no number */
export function readDecision(name: string, text: string): DecisionRecord {
  const [first = '', , third = ''] = text.split('\n', 3)
  const [, number, title] = /^# (\d{4}) (\S.*)$/.exec(first) ?? []
  if (number === undefined || title === undefined || !name.startsWith(`${number}-`))
    throw new Error(`docs/decisions/${name}: its first line is not “# ${name.slice(0, 4)} Title”`)
  const subject = /^Subject: (.+)$/.exec(third)?.[1] ?? ''
  if (!subjects.includes(subject))
    throw new Error(`docs/decisions/${name}: its third line is not “Subject: …” with one of: ${subjects.join('; ')}`)
  const takesIn = /^Takes in: (.+)$/m.exec(text)?.[1]?.split(', ') ?? []
  if (takesIn.some((each) => !/^\d{4}$/.test(each) || each === number))
    throw new Error(`docs/decisions/${name}: it takes in other numbers than its own, “Takes in: 0001, 0002”`)
  const status = /^Status: (.*\bsuperseded\b.*)$/im.exec(text)?.[1] ?? null
  // Of several sentences, the one that tells it.
  const superseded = status?.split(/(?<=\.) /).find((sentence) => /\bsuperseded\b/i.test(sentence)) ?? null
  return { name, number, title, subject, takesIn, superseded }
}

/** @throws Error for a record that is not of this form, or whose number another one has or takes in */
function readDecisions(): DecisionRecord[] {
  const records = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .toSorted()
    .map((name) => readDecision(name, readFileSync(new URL(name, folder), 'utf8')))
  const twice = records.find(({ number }, i) => records[i + 1]?.number === number)
  if (twice !== undefined) throw new Error(`two decisions have the number ${twice.number}`)
  const taken = new Set(records.flatMap(({ takesIn }) => takesIn))
  const both = records.find(({ number }) => taken.has(number))
  if (both !== undefined) throw new Error(`decision ${both.number} is taken in by another and is still there`)
  return records
}

/** Every number under which something is found: of a record, or taken in by one. */
export const decisionNumbers = (): ReadonlySet<string> =>
  new Set(readDecisions().flatMap(({ number, takesIn }) => [number, ...takesIn]))

export function listDecisions(): string {
  const records = readDecisions()
  const line = ({ name, number, title, takesIn, superseded }: DecisionRecord) =>
    `- [${number}](${name}) ${title}${superseded === null ? '' : `. *${superseded.replace(/\.$/, '')}.*`}${
      takesIn.length === 0 ? '' : `\n  - ${takesIn.join(', ')} → ${number}`
    }`
  const sections = subjects.map((subject) => {
    const own = records.filter((record) => record.subject === subject)
    return `## ${subject}\n\n${own.map(line).join('\n')}\n`
  })
  return `# Decision records

One page each: what was decided, why, what was given up. Records that only together say one thing are merged into one, which says what holds
today; under it stand the numbers that went there (“0274 → 0254”), so that a number met anywhere is found here. What no longer holds of
another is superseded by name, and its line here says so. This list is written by \`npm run documents\`; a record’s third line
names its subject.

${sections.join('\n')}`
}
