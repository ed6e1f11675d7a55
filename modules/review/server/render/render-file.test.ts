import { deflateSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { readFileFacts } from '../../domain/file-facts.ts'
import { renderFile, type Rendered } from './render-file.ts'
import { JailFailed, runJailed } from './run-jailed.ts'
import {
  animatedWebp,
  apng,
  bitPng,
  coloursOf,
  hugeWebp,
  jpeg,
  pdf,
  png,
  quarters,
  webp,
  withExif,
} from './sample-files.test-data.ts'

const pagesOf = (rendered: Rendered) => {
  if ('fault' in rendered) throw new Error(`refused: ${rendered.fault}`)
  return rendered.pages
}
/** What the first page shows. */
function shown(rendered: Rendered) {
  const [page] = pagesOf(rendered)
  return coloursOf(page?.bytes ?? new Uint8Array(), page?.width ?? 0)
}
const faultOf = (rendered: Rendered) => ('fault' in rendered ? rendered.fault : 'none')
const describeOf = (rendered: Rendered) =>
  'fault' in rendered
    ? rendered.fault
    : `${rendered.mediaType} ${rendered.pages.map(({ width, height }) => `${width}x${height}`).join(' ')}`
const text = (body: string) => Buffer.from(body, 'latin1')

describe('a file becomes pictures of its pages', () => {
  test.each([
    ['JPEG', jpeg(), 'image/jpeg 320x200'],
    ['PNG', png(), 'image/png 320x200'],
    ['PNG of 16 bits', png('testsrc=size=40x20,format=rgba64be'), 'image/png 40x20'],
    ['WebP', webp(), 'image/webp 320x200'],
    ['a picture larger than pages are', png('color=red:size=6000x600'), 'image/png 4000x400'],
    ['PDF', pdf({ pages: 2 }), 'application/pdf 1696x2400 1696x2400'],
  ])('%s', async (_, file, wanted) => {
    const rendered = await renderFile(file)
    expect(describeOf(rendered)).toBe(wanted)
    // The picture is of that size, and not only said to be.
    for (const page of pagesOf(rendered))
      expect(readFileFacts(page.bytes)).toMatchObject({ width: page.width, height: page.height })
  })

  test('pages of a PDF show what they show', async () => {
    expect(shown(await renderFile(pdf())).quarters).toBe('rrww')
  })

  test('many at once are each rendered whole', async () => {
    const file = jpeg('testsrc=size=1600x1200')
    const all = await Promise.all(Array.from({ length: 8 }, async () => await renderFile(file)))
    expect(all.map(describeOf)).toEqual(all.map(() => 'image/jpeg 1600x1200'))
  })

  test('what is transparent is white', async () => {
    expect(shown(await renderFile(png('color=black@0:size=40x20,format=rgba'))).quarters).toBe('wwww')
  })

  // Exif 2.32 §4.6.5.1.6, as a camera turned each way writes it.
  test.each([
    [1, 'rgbw'],
    [2, 'grwb'],
    [3, 'wbgr'],
    [4, 'bwrg'],
    [5, 'rbgw'],
    [6, 'brwg'],
    [7, 'wgbr'],
    [8, 'gwrb'],
  ])('orientation %i is applied, and nothing else of the camera stays', async (orientation, wanted) => {
    const rendered = await renderFile(withExif(quarters(), orientation))
    expect(shown(rendered)).toEqual({ height: orientation > 4 ? 48 : 32, quarters: wanted })
    const bytes = pagesOf(rendered)[0]?.bytes ?? Buffer.alloc(0)
    expect(bytes.includes('48.8584')).toBe(false)
    expect(bytes.includes('Exif')).toBe(false)
  })
})

describe('hostile files', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG with a script', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a GIF that is a script', text('GIF89a/*\x01\0\x01\0*/=1;alert(1)')],
    ['HTML', text('<!doctype html><script>alert(1)</script>')],
    ['a program', text('\x7fELF\x02\x01\x01')],
    ['an archive', text('PK\x03\x04')],
    ['a PDF behind something else', Buffer.concat([text('#!/bin/sh\n'), pdf()])],
  ])('%s is none of the types', async (_, file) => {
    expect(faultOf(await renderFile(file))).toBe('type')
  })

  test('a picture that is a PDF, or a script, as well is a picture: no octet of it passes', async () => {
    const behind = Buffer.concat([jpeg(), pdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' })])
    const script = text('/*<script>alert(1)</script>*/')
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script])
    const plain = jpeg()
    const inside = Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)])
    for (const file of [behind, inside]) {
      const [page] = pagesOf(await renderFile(file))
      expect(page?.bytes.includes('%PDF')).toBe(false)
      expect(page?.bytes.includes('script')).toBe(false)
    }
  })

  test('scripts, programs to launch and attached files of a PDF are left where they are', async () => {
    const catalog =
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >> /Names << /EmbeddedFiles << /Names [(x.exe) << /Type /Filespec /F (x.exe) >>] >> >>'
    const page = '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /A << /S /URI /URI (http://127.0.0.1:9/) >> >>]'
    expect(shown(await renderFile(pdf({ catalog, page }))).quarters).toBe('rrww')
  })

  test('a PDF under a password is said to be', async () => {
    const random = '<28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a>'
    const encrypted = pdf({
      trailer: `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${random} /U ${random} >>`,
    })
    expect(faultOf(await renderFile(encrypted))).toBe('encrypted')
  })

  test.each([
    ['a PNG of 20,000 pixels a side', bitPng(20_000, 20_000, 1), 'dimensions'],
    ['a PNG of 20,000 by one', bitPng(20_000, 1), 'dimensions'],
    ['a WebP of 16,384 pixels a side', hugeWebp(), 'dimensions'],
    ['a PDF of 21 pages', pdf({ pages: 21 }), 'pages'],
    ['a WebP that moves', animatedWebp(), 'animated'],
    ['a PNG that moves', apng(), 'animated'],
    ['half a JPEG', half(jpeg()), 'unreadable'],
    ['half a PNG', half(png()), 'unreadable'],
    ['half a WebP', half(webp()), 'unreadable'],
    ['half a PDF', half(pdf({ pages: 3 })), 'unreadable'],
    ['a PNG with fewer rows than it says', bitPng(400, 400, 10), 'unreadable'],
    ['a PDF without pages', pdf({ pages: 0 }), 'unreadable'],
    ['a JPEG that ends with its head', text('\xff\xd8\xff\xe0\0\x04\0\0'), 'unreadable'],
  ])('%s is refused for what it is', async (_, file, wanted) => {
    expect(faultOf(await renderFile(file))).toBe(wanted)
  })

  test('a PNG whose data unpack to far more than it has room for gives what it has room for', async () => {
    expect(describeOf(await renderFile(bitPng(64, 64, 4_000_000)))).toMatch(/^(?:image\/png 64x64|unreadable)$/)
  })

  test('a PDF that would be drawn for hours is given up', async () => {
    const packed = deflateSync(Buffer.from('0 0 m 500 500 l S\n'.repeat(2_000_000)), { level: 1 })
    expect(faultOf(await renderFile(pdf({ packed }), { cpuSeconds: 1 }))).toBe('unreadable')
  })

  test('whatever octet is another, there is a page or a fault, and never anything else', async () => {
    for (const [index, file] of [jpeg(), png(), webp(), pdf()].entries())
      for (const part of [0.02, 0.5]) {
        const changed = Buffer.from(file)
        const at = Math.floor(changed.length * part) + index
        changed[at] = (changed[at] ?? 0) ^ 0x55
        const rendered = await renderFile(changed)
        if ('fault' in rendered) expect(['type', 'unreadable', 'animated', 'dimensions', 'pages']).toContain(rendered.fault)
        else for (const page of rendered.pages) expect(readFileFacts(page.bytes)).toMatchObject({ width: page.width })
      }
  })
})

function half(file: Buffer): Buffer {
  return file.subarray(0, Math.floor(file.length / 2))
}

describe('the jail', () => {
  async function run(...command: string[]) {
    const jailed = runJailed(command)
    jailed.stdin.end()
    const chunks: Buffer[] = []
    for await (const chunk of jailed.stdout as AsyncIterable<Buffer>) chunks.push(chunk)
    return { out: Buffer.concat(chunks).toString(), ...(await jailed.ended) }
  }

  test('shows programs and nothing else of the machine, and no network', async () => {
    expect((await run('/usr/bin/ls', '/')).out.split('\n').toSorted()).toEqual(
      ['', 'dev', 'etc', 'lib', 'lib64', 'proc', 'tmp', 'usr', 'var'].toSorted(),
    )
    expect((await run('/usr/bin/cat', '/etc/passwd')).ok).toBe(false)
    expect((await run('/usr/bin/cat', '/proc/net/dev')).out.match(/^ *\w+:/gm)).toEqual(['    lo:'])
    expect((await run('/usr/bin/touch', '/usr/x')).ok).toBe(false)
  })

  test('a program that is not there is no fault of the file', async () => {
    await expect(run('/usr/bin/none')).rejects.toBeInstanceOf(JailFailed)
    const file = bitPng(8, 8)
    vi.stubEnv('PATH', '/nowhere')
    try {
      await expect(renderFile(file)).rejects.toBeInstanceOf(JailFailed)
      await expect(renderFile(pdf())).rejects.toBeInstanceOf(JailFailed)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
