import { latin, createParser, nameOf, NeedsMore } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'

export type Operator = { readonly name: string; readonly operands: readonly PdfValue[] }

/** The operators of a content stream (ISO 32000-1 §7.8.2); an inline image is one, `BI`, with its keys and values. @throws MalformedError */
export function* operatorsOf(bytes: Uint8Array): Generator<Operator> {
  // A space ends the last word.
  const padded = new Uint8Array(bytes.length + 1).fill(32)
  padded.set(bytes)
  const parser = createParser(padded, 0, 0, true)
  let operands: PdfValue[] = []
  for (;;) {
    const value = next(parser)
    if (value === undefined) return
    if (value === null || typeof value !== 'object' || !('keyword' in value)) {
      operands.push(value)
      continue
    }
    const name = value.keyword
    if (name === 'BI') operands = []
    else if (name === 'ID') {
      yield { name: 'BI', operands }
      operands = []
      const from = parser.position() + 1
      const rest = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ])/.exec(latin(padded.subarray(from)))
      if (rest === null) return
      parser.seek(from + rest.index + rest[0].length)
    } else {
      yield { name, operands }
      operands = []
    }
  }
}

function next(parser: ReturnType<typeof createParser>): PdfValue | undefined {
  try {
    return parser.value()
  } catch (error) {
    if (error instanceof NeedsMore) return undefined
    throw error
  }
}

/** What an inline image says of one of two keys. */
export function inlineValue(operands: readonly PdfValue[], ...keys: readonly string[]): PdfValue | undefined {
  for (let i = 0; i + 1 < operands.length; i += 2) if (keys.includes(nameOf(operands[i]) ?? '')) return operands[i + 1]
  return undefined
}

export const isDefined = (name: string): boolean => defined.has(name)

/** ISO 32000-1, Annex A. */
const defined = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh
  T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s+/),
)
