import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive } from '../read/archive.ts'
import type { Said, Step } from '../read/drawn.ts'

type TextState = { readonly font: PdfValue | undefined; readonly mode: number }

/** §6.1.13: how deep states are saved. §6.2.11.4.1: fonts are embedded, but those with which nothing is seen (rendering mode 3). */
export class TextStates {
  readonly #saved: TextState[] = []
  readonly #shown = new Set<PdfValue>()
  #now: TextState = { font: undefined, mode: 0 }

  follow({ name, operands, used }: Step): Said[] {
    if (name === 'q') this.#saved.push(this.#now)
    else if (name === 'Q') this.#now = this.#saved.pop() ?? this.#now
    else if (name === 'Tr') this.#now = { ...this.#now, mode: Number(operands[0]) }
    else if (name === 'Tf') this.#now = { ...this.#now, font: used }
    else if (['Tj', 'TJ', "'", '"'].includes(name) && this.#now.mode !== 3 && this.#now.font !== undefined)
      this.#shown.add(this.#now.font)
    return this.#saved.length > 28 ? [['6.1.13', 'q is nested deeper than 28']] : []
  }

  async unembedded(archive: Archive): Promise<Said[]> {
    const said: Said[] = []
    for (const font of this.#shown)
      if (!(await isEmbedded(archive, font))) said.push(['6.2.11.4.1', 'a font that is shown is not embedded'])
    return said
  }
}

async function isEmbedded(archive: Archive, font: PdfValue): Promise<boolean> {
  const kind = await archive.nameAt(font, 'Subtype')
  if (kind === 'Type3') return true
  const [descendant] = kind === 'Type0' ? await archive.list(font, 'DescendantFonts') : [font]
  const descriptor = await archive.dictionary(descendant, 'FontDescriptor')
  for (const key of ['FontFile', 'FontFile2', 'FontFile3'])
    if ((await archive.dictionary(descriptor, key))?.stream !== undefined) return true
  return false
}
