/** Program: typesets the documents of a folder, `document-0.json` to `document-0.pdf` and so on. It reads nothing else; it is killed when it takes too much. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { codePointName } from '../hostile-text.ts'
import { fontFiles } from './font-files.ts'

const [folder = ''] = process.argv.slice(2)
const template = readFileSync(fileURLToPath(new URL('./template.typ', import.meta.url)), 'utf8')
const compiler = NodeCompiler.create({
  workspace: folder,
  fontArgs: [{ fontBlobs: fontFiles().map((file) => readFileSync(file)) }],
})

/** Characters that no font of this machine has, each named once; what is beyond is told as a failure. */
const mostMissing = 500

/** What the compiler says of a character that it cannot show: in Rust's notation, quoted once more. */
const missing = /the text `\\*"(?<text>.*?)\\*"` could not be displayed/su
const unescaped = (text: string): string =>
  text.replaceAll(/\\+u\{(?<hex>[0-9a-f]+)\}|\\+(?<other>.)/gu, (_all, hex: string | undefined, other: string | undefined) =>
    hex === undefined ? (other ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
  )

for (let number = 0; existsSync(join(folder, `document-${String(number)}.json`)); number += 1) set(String(number))

function set(number: string): void {
  const path = join(folder, `document-${number}.json`)
  let data = readFileSync(path, 'utf8')
  for (let tries = 0; ; tries += 1) {
    compiler.mapShadow(path, Buffer.from(data))
    const compiled = compiler.compile({ mainFileContent: template, inputs: { number } })
    const document = compiled.result
    if (document === null) {
      const error = compiled.takeError()
      throw new Error(
        `the document does not compile: ${JSON.stringify(error === null ? null : compiler.fetchDiagnostics(error))}`,
      )
    }
    try {
      writeFileSync(join(folder, `document-${number}.pdf`), compiler.pdf(document, { pdfStandard: 'a-3a', pdfTags: true }))
      return
    } catch (error) {
      const found = missing.exec(error instanceof Error ? error.message : String(error))?.groups?.['text']
      const named = found === undefined ? data : withNames(data, unescaped(found))
      if (named === data || tries >= mostMissing) throw error
      data = named
    }
  }
}

/** Each of these characters, in JSON, by its code; they are counted with those that were replaced before. */
function withNames(data: string, characters: string): string {
  let named = data
  let count = 0
  for (const character of new Set(characters)) {
    const parts = named.split(JSON.stringify(character).slice(1, -1))
    count += parts.length - 1
    named = parts.join(`⟨${codePointName(character)}⟩`)
  }
  if (count === 0) return data
  const document = JSON.parse(named) as { readonly shownByCode: number }
  return JSON.stringify({ ...document, shownByCode: document.shownByCode + count })
}
