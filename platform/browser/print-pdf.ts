import { createWriteStream } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { BrowserGone, type CdpSession, type Protocol } from './cdp-connection.ts'
import { launchBrowser, type LaunchedBrowser } from './launch-browser.ts'
import { createSessionFolder } from './session-folder.ts'

export type PrintOptions = {
  /** The whole document, UTF-8. It may name `resources/<path>`: files under `resourcesDir`. Nothing else is reachable; scripts do not run. */
  readonly html: string
  readonly resourcesDir?: string
  /** Chromium's templates: `class="pageNumber"`, `totalPages`, `title`; styles inline, `font-size` must be set. */
  readonly headerHtml?: string
  readonly footerHtml?: string
  /** `en`, `fr`: the browser's language. */
  readonly language: string
  /** Written there; a file that exists is replaced. */
  readonly outFile: string
  /** Paper in millimetres; A4 unless told. Margins come from `@page` in the document. */
  readonly paper?: { readonly width: number; readonly height: number }
  readonly isolation?: 'required' | 'override'
  readonly memoryBytes?: number
  readonly signal: AbortSignal
}

export type PrintedPdf = {
  readonly bytes: number
  /** Requests of the document that were not answered: not in `resources/`, missing, or foreign. A good report has none. */
  readonly refused: readonly string[]
}

/** RFC 6761 §6.4: a name that never resolves. Every request to it is answered here, none reaches a network. */
const documentOrigin = 'http://report.invalid'
const millimetresPerInch = 25.4

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  woff: 'font/woff',
  css: 'text/css',
}

export type PrinterOptions = Pick<PrintOptions, 'language' | 'isolation' | 'memoryBytes' | 'signal'>
export type PrintJob = Pick<PrintOptions, 'html' | 'resourcesDir' | 'headerHtml' | 'footerHtml' | 'outFile' | 'paper'>

export type Printer = {
  /** Prints HTML of our own to a tagged PDF with bookmarks from its headings. Each document gets a page of its own. */
  print(job: PrintJob): Promise<PrintedPdf>
  /** Ends the browser; nothing is left of it. Idempotent. */
  close(): Promise<void>
  /** Settles when the browser has ended, for whatever reason. */
  readonly ended: Promise<unknown>
}

/**
 * A browser that prints, in a jail that has no way out at all: starting it costs more than a document does. `language` is the
 * browser's; a document says its own. Time is bounded by the caller's signal. @throws IsolationUnavailable, LaunchFailed, or the signal's reason.
 */
export async function openPrinter(options: PrinterOptions): Promise<Printer> {
  const folder = await createSessionFolder()
  try {
    const browser = await launchBrowser({
      folder,
      writeKeyLog: false,
      language: options.language,
      timeZone: 'UTC',
      window: { width: 1280, height: 1024 },
      memoryBytes: options.memoryBytes ?? 2 * 1024 * 1024 * 1024,
      isolation: options.isolation ?? 'required',
      signal: options.signal,
    })
    return {
      print: async (job) => {
        try {
          return await printDocument(browser, job)
        } catch (error) {
          options.signal.throwIfAborted()
          throw error
        }
      },
      close: async () => {
        await browser.kill()
        await folder.remove()
      },
      ended: browser.ended,
    }
  } catch (error) {
    await folder.remove()
    options.signal.throwIfAborted()
    throw error
  }
}

/** One document, one browser. @throws what `openPrinter` and printing throw. */
export async function printPdf(options: PrintOptions): Promise<PrintedPdf> {
  const printer = await openPrinter(options)
  try {
    return await printer.print(options)
  } finally {
    await printer.close()
  }
}

async function printDocument(browser: LaunchedBrowser, options: PrintJob): Promise<PrintedPdf> {
  const refused: string[] = []
  // A context of its own: nothing that one document loaded is there for the next.
  const { browserContextId } = await browser.cdp.browser.send('Target.createBrowserContext', {})
  try {
    const { targetId } = await browser.cdp.browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await browser.cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
    const page = browser.cdp.session(sessionId)
    await Promise.all([
      page.send('Page.enable'),
      page.send('Emulation.setScriptExecutionDisabled', { value: true }),
      page.send('Fetch.enable'),
    ])
    page.on('Fetch.requestPaused', (request) => void answer(page, request))
    const loaded = new Promise<void>((done) => void page.on('Page.loadEventFired', () => done()))
    await page.send('Page.navigate', { url: `${documentOrigin}/` }, { timeoutMs: 120_000 })
    await Promise.race([loaded, browser.ended])
    const bytes = await print(page)
    return { bytes, refused }
  } finally {
    // A browser that has ended took its pages along.
    await browser.cdp.browser.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
  }

  async function answer(page: CdpSession, { requestId, request }: Protocol.Fetch.requestPausedPayload): Promise<void> {
    const body = await find(request.url)
    // The browser asks for an icon by itself.
    if (body === null && request.url !== `${documentOrigin}/favicon.ico`) refused.push(request.url.slice(0, 300))
    const reply =
      body === null
        ? page.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
        : page.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: 200,
            responseHeaders: [{ name: 'content-type', value: body.type }],
            body: body.bytes.toString('base64'),
          })
    await reply.catch((error: unknown) => {
      if (!(error instanceof BrowserGone)) refused.push(request.url.slice(0, 300))
    })
  }

  async function find(url: string): Promise<{ type: string; bytes: Buffer } | null> {
    if (url === `${documentOrigin}/`) return { type: 'text/html; charset=utf-8', bytes: Buffer.from(options.html) }
    const prefix = `${documentOrigin}/resources/`
    if (!url.startsWith(prefix) || options.resourcesDir === undefined) return null
    try {
      const root = await realpath(options.resourcesDir)
      const file = await realpath(resolve(root, decodeURIComponent(url.slice(prefix.length).replace(/[?#].*$/, ''))))
      const inside = relative(root, file)
      const type = mediaTypes[file.slice(file.lastIndexOf('.') + 1).toLowerCase()]
      if (inside === '' || inside.startsWith('..') || isAbsolute(inside) || type === undefined) return null
      return { type, bytes: await readFile(file) }
    } catch {
      return null
    }
  }

  async function print(page: CdpSession): Promise<number> {
    const paper = options.paper ?? { width: 210, height: 297 }
    const { stream } = await page.send(
      'Page.printToPDF',
      {
        paperWidth: paper.width / millimetresPerInch,
        paperHeight: paper.height / millimetresPerInch,
        preferCSSPageSize: true,
        printBackground: true,
        displayHeaderFooter: options.headerHtml !== undefined || options.footerHtml !== undefined,
        headerTemplate: options.headerHtml ?? '<span></span>',
        footerTemplate: options.footerHtml ?? '<span></span>',
        generateTaggedPDF: true,
        generateDocumentOutline: true,
        transferMode: 'ReturnAsStream',
      },
      { timeoutMs: 300_000 },
    )
    if (stream === undefined) throw new Error('the browser gave no PDF')
    return readBrowserStream(page, stream, options.outFile)
  }
}

/** Copies a stream handle of the browser to a file, a piece at a time. Returns its length. */
export async function readBrowserStream(page: CdpSession, handle: string, file: string): Promise<number> {
  const out = createWriteStream(file)
  const written = finished(out)
  // A file that cannot be written is told when it is waited for, and not to nobody.
  written.catch(() => undefined)
  let bytes = 0
  try {
    for (;;) {
      const part = await page.send('IO.read', { handle, size: 1024 * 1024 }, { timeoutMs: 60_000 })
      const data = Buffer.from(part.data, part.base64Encoded === true ? 'base64' : 'utf8')
      bytes += data.length
      if (!out.write(data)) await Promise.race([once(out, 'drain'), written])
      if (part.eof) break
    }
  } finally {
    await page.send('IO.close', { handle }).catch(() => undefined)
    out.end()
  }
  await written
  return bytes
}
