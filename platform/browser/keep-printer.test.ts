import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepPrinter, type KeepPrinterOptions, type KeptPrinter } from './keep-printer.ts'
import { openPrinter, type Printer } from './print-pdf.ts'

const never = new AbortController().signal
let folder = ''
let opened: Printer[] = []
let kept: KeptPrinter
let elapsed = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-printer-'))
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  opened = []
  elapsed = 0
})
afterEach(async () => await kept.close())

function keep(options: Partial<KeepPrinterOptions> = {}): KeptPrinter {
  kept = keepPrinter({
    language: 'en',
    idleMs: 3_600_000,
    now: () => elapsed,
    open: async (asked) => {
      const printer = await openPrinter(asked)
      opened.push(printer)
      return printer
    },
    ...options,
  })
  return kept
}

async function print(name: string, signal = never): Promise<string> {
  const outFile = join(folder, `${name}.pdf`)
  await kept.print({ html: `<!doctype html><title>t</title><p>${name}`, outFile }, signal)
  return (await readFile(outFile)).subarray(0, 5).toString('latin1')
}

test(
  'one browser prints what comes, at once too, until it has printed enough or is old; the next is another',
  { timeout: 180_000 },
  async () => {
    keep({ mostDocuments: 3, longestMs: 1000 })
    expect(await print('a')).toBe('%PDF-')
    expect(await Promise.all([print('b'), print('c')])).toEqual(['%PDF-', '%PDF-'])
    expect(opened).toHaveLength(1)
    expect(await print('d')).toBe('%PDF-')
    expect(opened).toHaveLength(2)
    await opened[0]?.ended
    elapsed = 1001
    expect(await print('e')).toBe('%PDF-')
    expect(opened).toHaveLength(3)
    await opened[1]?.ended
    await kept.close()
    await opened[2]?.ended
    await expect(print('f')).rejects.toThrow('closed')
  },
)

test(
  'one that died is followed by another, also in the midst of a document; one that nobody needs ends',
  { timeout: 180_000 },
  async () => {
    keep({ idleMs: 1 })
    await print('a')
    await opened[0]?.ended
    await kept.close()

    keep()
    await print('b')
    // As a crash between two documents, and one while it prints.
    await opened[1]?.close()
    expect(await print('c')).toBe('%PDF-')
    const printing = print('d')
    await opened[2]?.close()
    expect(await printing).toBe('%PDF-')
    expect(opened).toHaveLength(4)
  },
)

test('who gives up is told at once and leaves nothing running; others are not disturbed', { timeout: 180_000 }, async () => {
  keep()
  await print('a')
  const stop = new AbortController()
  const [given, other] = [print('b', stop.signal), print('c')]
  stop.abort(new Error('no time left'))
  await expect(given).rejects.toThrow('no time left')
  expect(await other).toBe('%PDF-')
  await opened[0]?.ended
  expect(await print('d')).toBe('%PDF-')
  expect(opened).toHaveLength(2)
})
