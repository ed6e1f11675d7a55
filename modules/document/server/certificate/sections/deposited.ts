import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { code, facts as rows, heading, lineBreak, paragraph, soft } from '../../../../../platform/print/document/inlines.ts'
import type { CertificatePage } from '../page/certificate-page.ts'
import { depositor } from './depositor.ts'

/** As many versions are printed; those before stand in deposit.json. */
const mostVersions = 3
/** A description may have 2,000 characters and as many lines. */
const longestDescription = 700
const mostLines = 8

/** What came in, what its depositor says of it, and who that is. */
export function deposited(page: CertificatePage): readonly Block[] {
  const { t, facts } = page
  const { stored } = facts
  const lead =
    stored === null
      ? t('certificate.what_lead')
      : t('certificate.what_stored', { bytes: page.bytes(stored.bytes), at: page.instant(stored.comparedAt).utc })
  const gone = stored?.deletedAt ?? null
  return [
    heading(2, t('certificate.what')),
    paragraph([lead, gone === null ? [] : [' ', t('certificate.what_stored_deleted', { at: page.instant(gone).utc })]]),
    rows(
      [t('certificate.sha256'), code(facts.sha256, 'bad')],
      facts.sha512 === null ? null : [t('certificate.sha512'), [code(facts.sha512), ' ', soft(t('certificate.sha512_note'))]],
      facts.description === '' ? null : [t('certificate.description'), description(page)],
      facts.replaces.length === 0 ? null : [t('certificate.replaces'), { blocks: versions(page) }],
      [t('certificate.whom'), depositor(page)],
    ),
  ]
}

/** Lines of the depositor stay lines, as far as there is room; then they are joined by what a line break is. */
function description({ facts, text }: CertificatePage): Inlines {
  const lines = facts.description.replaceAll('\r\n', '\n').split('\n')
  const whole = lines.slice(0, mostLines - 1)
  const rest = lines.slice(mostLines - 1).join('\n')
  let left = longestDescription
  const printed: Inlines[] = []
  for (const line of [...whole, ...(rest === '' ? [] : [rest])]) {
    if (left <= 0) break
    const last = line === rest || line.length >= left
    printed.push(last ? text(remainder(lines, printed.length), left) : text(line, left))
    if (last) break
    left -= line.length + 1
  }
  return printed.map((line, index) => (index === 0 ? line : [lineBreak, line]))
}

const remainder = (lines: readonly string[], from: number): string => lines.slice(from).join('\n')

function versions(page: CertificatePage): readonly Block[] {
  const { t, facts } = page
  const shown = facts.replaces.slice(0, mostVersions)
  const more = facts.replaces.length - shown.length
  const items = shown.map(({ id, name, sealedAt }) => {
    const called = name === null ? t('certificate.nameless') : page.text(name, 120)
    const deposit = code(id)
    return [
      paragraph(
        sealedAt === null
          ? page.sentence('certificate.replaces_unsealed', { name: called, id: deposit })
          : page.sentence('certificate.replaces_one', { name: called, id: deposit, at: page.instant(sealedAt).utc }),
      ),
    ]
  })
  return [
    { kind: 'list', ordered: true, items },
    ...(more > 0 ? [paragraph(t('certificate.replaces_more', { count: more }))] : []),
  ]
}
