/** Latin-1 text throughout. */
export type PdfText = {
  readonly text: string
  /** What stands between `obj` and `endobj`, of the newest object with each number. */
  readonly bodies: ReadonlyMap<number, string>
  /** Of the object in which these words stand. */
  numberOf(words: string): number
}

/** Of a PDF whose objects stand by themselves, as those of the typesetter and of signatures do. */
export function readText(pdf: Uint8Array): PdfText {
  const text = Buffer.from(pdf).toString('latin1')
  const bodies = new Map<number, string>()
  for (const [, number = '', body = ''] of text.matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj\n/g)) bodies.set(Number(number), body)
  const numberOf = (words: string): number => {
    const [found] = [...bodies].findLast(([, body]) => body.includes(words)) ?? []
    if (found === undefined) throw new Error(`no object says ${words}`)
    return found
  }
  return { text, bodies, numberOf }
}

/** As in the newest trailer, but for what is given. */
export type Trailer = { readonly id?: string; readonly more?: string; readonly xref?: string }

/**
 * An incremental update (ISO 32000-1 §7.5.6).
 * @param objects by number: what stands between `obj` and `endobj`, or the whole of it, from its number on
 */
export function writeUpdate({ text }: PdfText, objects: Readonly<Record<number, string>>, trailer: Trailer = {}): Uint8Array {
  const last = (pattern: RegExp): string => [...text.matchAll(pattern)].at(-1)?.[1] ?? ''
  const first = /\/ID \[(\S+)/.exec(text.slice(text.lastIndexOf('/ID ')))?.[1] ?? ''
  let written = ''
  let table = ''
  for (const [number, body] of Object.entries(objects)) {
    table += `${number} 1\n${String(text.length + written.length).padStart(10, '0')} 00000 n \n`
    written += body.startsWith(number) ? body : `${number} 0 obj\n${body}\nendobj\n`
  }
  const size = Math.max(Number(last(/\/Size (\d+)/g)), ...Object.keys(objects).map((each) => Number(each) + 1))
  const id = trailer.id ?? `/ID [${first} <${'5A'.repeat(16)}>]`
  const entries = `/Size ${size} /Root ${last(/\/Root (\d+ 0 R)/g)} /Prev ${last(/startxref\n(\d+)/g)} ${id} ${trailer.more ?? ''}`
  const start = text.length + written.length
  const whole = `${text}${written}${trailer.xref ?? 'xref\n'}${table}trailer\n<< ${entries} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(whole, 'latin1')
}

export const streamOf = (octets: string, entries = ''): string =>
  `<< ${entries} /Length ${octets.length} >>\nstream\n${octets}\nendstream`
