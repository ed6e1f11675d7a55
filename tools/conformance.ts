/**
 * Which test proves which line of docs/inventory.md. `npm run documents` writes docs/conformance.md from the titles of the tests;
 * a test of the same name holds that each line is proved, or has its reason in `docs/conformance-open.json`.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type Argument, type CallExpression, type Expression } from 'oxc-parser'

const root = fileURLToPath(new URL('..', import.meta.url))
export const conformanceDocument = `${root}docs/conformance.md`

export type Line = { readonly id: string; readonly text: string }
export type Proof = { readonly file: string; readonly title: string }
/** Id of a line to why no test proves it. */
export type Reasons = Readonly<Record<string, string>>

export const readInventory = (): Line[] => linesOf(readFileSync(`${root}docs/inventory.md`, 'utf8'))
export const readReasons = (): Reasons => JSON.parse(readFileSync(`${root}docs/conformance-open.json`, 'utf8')) as Reasons

export const linesOf = (inventory: string): Line[] =>
  [...inventory.matchAll(/^- ([A-Z]-\d{2}) (.+)$/gm)].map(([, id = '', text = '']) => ({ id, text }))

/** Ids that a title names; `C-19…C-22` names four. */
export function idsOf(title: string): string[] {
  const named = title.matchAll(/(?<![\w-])([A-Z])-(\d{2})(?:\s?(?:…|–| to )\s?\1-(\d{2}))?(?!\w)/g)
  return [...named].flatMap(([, letter = '', from = '', to = from]) =>
    Array.from(
      { length: Math.max(0, Number(to) - Number(from)) + 1 },
      (_, at) => `${letter}-${String(Number(from) + at).padStart(2, '0')}`,
    ),
  )
}

/** `test`, `test.each(…)`, `describe.serial`: what is called at the root of it. */
function calledBy(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') return calledBy(callee.object)
  if (callee.type === 'CallExpression') return calledBy(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return calledBy(callee.tag)
  return ''
}

/** What is written of a title; a part that is computed names no line. */
function writtenIn(node: Argument | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('#')
  return null
}

/** Of a title that is computed from rows, the ids that stand in them as texts of their own. */
function idsOfRows(callee: Expression, source: string): string {
  if (callee.type !== 'CallExpression') return ''
  const rows = source.slice(callee.start, callee.end)
  const ids = [...rows.matchAll(/(['"])([A-Z]-\d{2})\1/g)].map(([, , id = '']) => id)
  return ids.length === 0 ? '' : ` (${[...new Set(ids)].join(' ')})`
}

const declaring = new Set(['test', 'it', 'describe'])
/** Hooks and settings have no title; a test that is skipped whatever happens proves nothing. */
const isDeclared = ({ callee }: CallExpression): boolean =>
  declaring.has(calledBy(callee)) &&
  !(
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    ['skip', 'todo', 'step', 'use', 'info', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'configure'].includes(
      callee.property.name,
    )
  )

/** Titles of the tests of a file, each with those of the groups in which it stands. */
export function titlesOf(file: string, source: string): string[] {
  const calls: { readonly title: string; readonly start: number; readonly end: number; readonly isGroup: boolean }[] = []
  const { program, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  new Visitor({
    CallExpression(node) {
      if (!isDeclared(node)) return
      const title = writtenIn(node.arguments[0])
      if (title === null) return
      const rows = /[%$]/.test(title) ? idsOfRows(node.callee, source) : ''
      calls.push({ title: title + rows, start: node.start, end: node.end, isGroup: isGroup(node) })
    },
  }).visit(program)
  const groups = calls.filter(({ isGroup: one }) => one)
  return calls
    .filter(({ isGroup: one }) => !one)
    .map(({ title, start, end }) =>
      [...groups.filter((group) => group.start < start && end <= group.end).map((group) => group.title), title].join(' › '),
    )
}

const isGroup = ({ callee }: CallExpression): boolean =>
  calledBy(callee) === 'describe' || (callee.type === 'MemberExpression' && /^test\.describe\b/.test(spelled(callee)))

function spelled(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super' && callee.property.type === 'Identifier')
    return `${spelled(callee.object)}.${callee.property.name}`
  return callee.type === 'CallExpression' ? spelled(callee.callee) : ''
}

/** What proves each line, in the order of files. */
export function readProofs(): Map<string, Proof[]> {
  const proofs = new Map<string, Proof[]>()
  const files = globSync('{kernel,platform,ui,modules,apps,testing,tools,e2e}/**/*.{test.ts,test.tsx,spec.ts}', { cwd: root })
  for (const file of files.toSorted())
    for (const title of titlesOf(file, readFileSync(`${root}${file}`, 'utf8')))
      for (const id of new Set(idsOf(title))) proofs.set(id, [...(proofs.get(id) ?? []), { file, title }])
  return proofs
}

/** Lines that neither a test nor a reason stands for; and reasons that are none any more. */
export function findGaps(lines: readonly Line[], proofs: ReadonlyMap<string, readonly Proof[]>, reasons: Reasons) {
  const isProved = (id: string) => (proofs.get(id)?.length ?? 0) > 0
  return {
    unproved: lines.filter(({ id }) => !isProved(id) && reasons[id] === undefined).map(({ id }) => id),
    stale: Object.keys(reasons).filter((id) => isProved(id) || !lines.some((line) => line.id === id)),
  }
}

export function writeConformance(): string {
  const [lines, proofs, reasons] = [readInventory(), readProofs(), readReasons()]
  const proved = lines.filter(({ id }) => proofs.has(id))
  const open = lines.filter(({ id }) => !proofs.has(id))
  const shown = ({ file, title }: Proof) => `\`${file}\` ${title.replaceAll('|', '\\|').replaceAll('`', '')}`
  return [
    '# Conformance',
    '',
    `Written by \`npm run documents\` from [inventory.md](inventory.md) and the titles of the tests: ${proved.length} of ${lines.length} lines are proved by a test.`,
    '',
    ...(open.length === 0
      ? []
      : [
          '## Not proved by a test',
          '',
          '| Line | What | Why |',
          '|---|---|---|',
          ...open.map(({ id, text }) => `| ${id} | ${text} | ${reasons[id] ?? 'no reason'} |`),
          '',
        ]),
    '## Proved',
    '',
    '| Line | What | By |',
    '|---|---|---|',
    ...proved.map(({ id, text }) => `| ${id} | ${text} | ${(proofs.get(id) ?? []).map(shown).join('<br>')} |`),
    '',
  ].join('\n')
}
