import type { Block, Inlines } from '../../../../../kernel/document/blocks.ts'
import { lineBreak, paragraph, strong } from '../../../../../platform/print/document/inlines.ts'
import type { Address, Party } from '../../../domain/document/invoice-document.ts'
import { spacedSiren } from '../../../domain/document/rules/identifiers.ts'
import type { DocumentPage } from './document-page.ts'

/** One under the other. */
export const stacked = (lines: readonly Inlines[]): Inlines =>
  lines.flatMap((line, at) => (at === 0 ? [line] : [lineBreak, line]))

/** The country in the reader's language; of what is no code, the code. */
function countryName(country: string, tag: string): string {
  return /^[A-Z]{2}$/.test(country) ? (new Intl.DisplayNames([tag], { type: 'region' }).of(country) ?? country) : country
}

export function addressLines(
  { text, tag }: Pick<DocumentPage, 'text' | 'tag'>,
  { lines, postcode, city, country }: Address,
): readonly Inlines[] {
  const [first = '', second = '', ...more] = lines
  const shown = [first, second, more.join(', ')].filter((line) => line !== '')
  return [...shown.map((line) => text(line, 120)), text(`${postcode} ${city}`.trim(), 120), countryName(country, tag)]
}

/** Under the name of its part: who, and where. */
export const partyBox = (
  page: Pick<DocumentPage, 'text' | 'tag'>,
  title: string,
  { name, address }: Pick<Party, 'name' | 'address'>,
): readonly Block[] => [paragraph(title, 'small'), paragraph(stacked([strong(page.text(name)), ...addressLines(page, address)]))]

function box(page: DocumentPage, title: string, party: Party): readonly Block[] {
  const { t, text, named } = page
  const { registration, vatId, electronic } = party
  const ids: (Inlines | null)[] = [
    registration === null
      ? null
      : named(
          t(`billing.document.registration.${registration.scheme ?? 'other'}`),
          text(registration.scheme === '0002' ? spacedSiren(registration.id) : registration.id, 60),
        ),
    vatId === null ? null : named(t('billing.document.vat_id'), text(vatId, 60)),
    electronic === null
      ? null
      : electronic.scheme === 'EM'
        ? named(t('billing.document.electronic.EM'), text(electronic.id, 125))
        : named(t('billing.document.electronic.0225'), [`${electronic.scheme}:`, text(electronic.id, 125)]),
  ]
  return [...partyBox(page, title, party), paragraph(stacked(ids.filter((line) => line !== null)), 'small')]
}

/** Who sells to whom. */
export function parties(page: DocumentPage): Block {
  const { t, document } = page
  const { seller, buyer } = document
  return {
    kind: 'boxes',
    boxes: [box(page, t('billing.document.seller'), seller), box(page, t('billing.document.buyer'), buyer)],
  }
}
