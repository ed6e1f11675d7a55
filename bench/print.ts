/**
 * A document by the typesetter, beside the same words printed by a browser: `node bench/print.ts [rounds]` (root). Processor time of
 * everything that each starts, and the most memory; one page, and a table of two thousand rows.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Block } from '../kernel/document/blocks.ts'
import type { PrintedDocument } from '../platform/print/document/printed-document.ts'
import { encodeDocument } from '../platform/print/typeset/encode.ts'
import { measure, median, type Measured } from './measure.ts'

const [first = '5'] = process.argv.slice(2)
await compare(Number(first))

/** As whoever prints a page by a browser starts it; the sandbox does not work as root. */
const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer']

async function compare(rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'probant-bench-print-'))
  const program = fileURLToPath(new URL('../platform/print/typeset/typesetter.ts', import.meta.url))
  try {
    for (const [name, count] of [
      ['one page', 20],
      ['a table of two thousand rows', 2_000],
    ] as const) {
      const rows = Array.from({ length: count }, (_, i) => [
        String(i),
        `https://example.com/a/rather/long/address/of/resource/${String(i)}`,
        '200',
      ])
      const job = join(folder, String(count))
      await mkdir(job)
      await writeFile(join(job, 'document-0.json'), JSON.stringify(encodeDocument(documentOf(rows))))
      const html = `<!doctype html><html lang="en"><title>x</title><style>table{width:100%;border-collapse:collapse}td{border-bottom:1px solid #ccc}thead{display:table-header-group}</style><h1>Resources</h1><table><thead><tr><th>n<th>Address<th>Status</thead>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join('')}`).join('')}</table>`
      await writeFile(join(job, 'page.html'), html)
      const [ours, browser]: [Measured[], Measured[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await measure(process.execPath, [program, job]))
        browser.push(await measure('chromium', [...flags, `--print-to-pdf=${join(folder, 'page.pdf')}`, join(job, 'page.html')]))
      }
      tell(name, ours, browser)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tell(name: string, ours: readonly Measured[], browser: readonly Measured[]): void {
  const cpu = (all: readonly Measured[]) => median(all.map(({ cpuSeconds }) => cpuSeconds))
  const spread = (all: readonly Measured[]) =>
    `${Math.min(...all.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} to ${Math.max(...all.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)}`
  const peak = (all: readonly Measured[]) => (median(all.map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0)
  console.log(
    `${name}: ${cpu(ours).toFixed(2)} s of processor (${spread(ours)}), ${peak(ours)} MB; by a browser ${cpu(browser).toFixed(2)} s (${spread(browser)}), ${peak(browser)} MB: ×${(cpu(ours) / cpu(browser)).toFixed(2)}`,
  )
}

function documentOf(rows: readonly (readonly string[])[]): PrintedDocument {
  const table: Block = {
    kind: 'table',
    columns: [{ head: 'n', share: 10 }, { head: 'Address' }, { head: 'Status', share: 15 }],
    rows,
  }
  return {
    language: 'en',
    title: 'Resources',
    subject: '',
    date: new Date('2026-11-20T00:00:00Z'),
    look: 'report',
    running: { head: null, foot: '', pageOf: '{page} / {pages}', onPage: '{page}', byCode: '{count}', cover: false },
    mark: null,
    blocks: [{ kind: 'heading', level: 1, text: 'Resources' }, table],
    attachments: [],
    files: [],
  }
}
