/** Program: typesets the job in a folder, `document.json` to `document.pdf`. It reads nothing else; it is killed when it takes too much. */
import { readFileSync, writeFileSync } from 'node:fs'
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

let data = readFileSync(join(folder, 'document.json'), 'utf8')
for (let tries = 0; ; tries += 1) {
  compiler.mapShadow(join(folder, 'document.json'), Buffer.from(data))
  const compiled = compiler.compile({ mainFileContent: template })
  const document = compiled.result
  if (document === null) {
    const error = compiled.takeError()
    throw new Error(`the document does not compile: ${JSON.stringify(error === null ? null : compiler.fetchDiagnostics(error))}`)
  }
  try {
    writeFileSync(join(folder, 'document.pdf'), compiler.pdf(document, { pdfStandard: 'a-3a', pdfTags: true }))
    break
  } catch (error) {
    const found = missing.exec(error instanceof Error ? error.message : String(error))?.groups?.['text']
    if (found === undefined || tries >= mostMissing) throw error
    for (const character of new Set(unescaped(found)))
      data = data.replaceAll(JSON.stringify(character).slice(1, -1), `⟨${codePointName(character)}⟩`)
  }
}
