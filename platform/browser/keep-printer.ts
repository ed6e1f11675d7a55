import { BrowserGone } from './cdp-connection.ts'
import { openPrinter, type PrintJob, type PrintedPdf, type Printer, type PrinterOptions } from './print-pdf.ts'

export type KeptPrinter = {
  /** As {@link Printer}, in a browser that may have printed before. @throws what `openPrinter` and printing throw, or the signal's reason */
  readonly print: (job: PrintJob, signal: AbortSignal) => Promise<PrintedPdf>
  /** Ends the browser, and what it is printing. Nothing is printed after. Idempotent. */
  close(): Promise<void>
}

export type KeepPrinterOptions = Omit<PrinterOptions, 'signal'> & {
  /** How long it is kept without work; 10 s unless told. */
  readonly idleMs?: number
  /** How long it takes new work at most, whatever comes; 10 minutes unless told. */
  readonly longestMs?: number
  /** Documents that one browser prints; 200 unless told. */
  readonly mostDocuments?: number
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number
  readonly open?: (options: PrinterOptions) => Promise<Printer>
}

type Kept = {
  readonly opening: Promise<Printer>
  readonly controller: AbortController
  readonly since: number
  printed: number
  running: number
  /** Takes no more work, and ends with the last that it has. */
  retired: boolean
  idle: NodeJS.Timeout | null
}

/**
 * A browser that is kept for the documents that come next: starting it costs more than printing does (decision 0299). Started when first asked
 * for; ended when nothing was asked for a while, after so many documents, after so long, or when anything went wrong in it.
 */
export function keepPrinter(options: KeepPrinterOptions): KeptPrinter {
  const { idleMs = 10_000, longestMs = 600_000, mostDocuments = 200 } = options
  const { now = () => performance.now(), open = openPrinter, language, isolation, memoryBytes = 1024 * 1024 * 1024 } = options
  let current: Kept | null = null
  let isClosed = false
  const ending = new Set<Promise<void>>()

  function start(): Kept {
    const controller = new AbortController()
    const opening = open({ language, memoryBytes, signal: controller.signal, ...(isolation === undefined ? {} : { isolation }) })
    const kept: Kept = { opening, controller, since: now(), printed: 0, running: 0, retired: false, idle: null }
    // One that dies while nobody prints is not found dead by the next.
    opening.then(
      async ({ ended }) => {
        await ended
        retire(kept)
      },
      retire.bind(null, kept),
    )
    return kept
  }

  function retire(kept: Kept): void {
    kept.retired = true
    if (current === kept) current = null
    if (kept.running === 0) end(kept)
  }

  function end(kept: Kept): void {
    if (kept.idle !== null) clearTimeout(kept.idle)
    kept.idle = null
    const closing = kept.opening.then(
      async (printer) => await printer.close(),
      () => undefined,
    )
    kept.controller.abort()
    const ended: Promise<void> = closing.catch(() => undefined).then(() => void ending.delete(ended))
    ending.add(ended)
  }

  function take(): Kept {
    if (current !== null && (current.printed >= mostDocuments || now() - current.since >= longestMs)) retire(current)
    current ??= start()
    if (current.idle !== null) clearTimeout(current.idle)
    current.idle = null
    current.running += 1
    current.printed += 1
    return current
  }

  async function once(job: PrintJob, signal: AbortSignal): Promise<PrintedPdf | { readonly gone: unknown }> {
    const kept = take()
    const isUsed = kept.printed > 1
    try {
      const printer = await unlessAborted(kept.opening, signal)
      return await unlessAborted(printer.print(job), signal)
    } catch (error) {
      // What it is still doing, or what it has become, is nobody's.
      retire(kept)
      signal.throwIfAborted()
      if (isUsed && !isClosed && error instanceof BrowserGone) return { gone: error }
      throw error
    } finally {
      kept.running -= 1
      if (kept.running === 0 && kept.retired) end(kept)
      else if (kept.running === 0) {
        kept.idle = setTimeout(() => retire(kept), idleMs)
        kept.idle.unref()
      }
    }
  }

  return {
    async print(job, signal) {
      signal.throwIfAborted()
      if (isClosed) throw new Error('the printer is closed')
      const printed = await once(job, signal)
      if ('bytes' in printed) return printed
      // One that had printed before may have died of that: the document gets a browser of its own, once.
      const again = await once(job, signal)
      if ('bytes' in again) return again
      throw again.gone
    },
    async close() {
      isClosed = true
      if (current !== null) {
        const kept = current
        retire(kept)
        // Whoever is still printing is told so.
        if (kept.running > 0) end(kept)
      }
      while (ending.size > 0) await Promise.all(ending)
    },
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // What ends after it was given up is told to nobody.
  work.catch(() => undefined)
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
