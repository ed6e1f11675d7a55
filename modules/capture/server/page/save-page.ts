import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CdpError, CdpTimeout, type CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import { readBrowserStream } from '../../../../platform/browser/read-browser-stream.ts'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** Most sheets of the printed page, and how long each form may take. */
type SaveBounds = { readonly sheets: number; readonly timeoutMs: number }

/** Least CSS pixels of a page that one sheet of A4 shows, at the scale that the browser prints at. */
const leastOnSheet = 900

/** Printed, a page is narrower and so longer; no page that is photographed whole grows by more than this. */
const printedLonger = 10

/**
 * Most sheets that are printed of a page: of one that is photographed whole all of them; of one that is cut, no more than its images
 * show. A page of thirty million pixels would otherwise print for longer than a capture lasts.
 */
export const mostSheets = (maxHeight: number, cut: boolean): number =>
  Math.ceil(maxHeight / leastOnSheet) * (cut ? 1 : printedLonger)

/** Prints the page as it stands, on A4, backgrounds included. */
export async function savePdf(session: CdpSession, folder: string, bounds: SaveBounds): Promise<CapturedFile> {
  const file = join(folder, 'page.pdf')
  const { stream } = await session.send(
    'Page.printToPDF',
    {
      printBackground: true,
      paperWidth: 8.27,
      paperHeight: 11.69,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
      pageRanges: `1-${bounds.sheets}`,
      transferMode: 'ReturnAsStream',
    },
    { timeoutMs: bounds.timeoutMs },
  )
  if (stream === undefined) throw new Error('the browser gave no PDF')
  await readBrowserStream(session, stream, file)
  return { path: 'capture/page.pdf', role: 'page_pdf', media_type: 'application/pdf', file }
}

/** The page and its parts in one file (RFC 2557). */
export async function saveMhtml(session: CdpSession, folder: string, { timeoutMs }: SaveBounds): Promise<CapturedFile> {
  const file = join(folder, 'page.mhtml')
  const { data } = await session.send('Page.captureSnapshot', { format: 'mhtml' }, { timeoutMs })
  await writeFile(file, data)
  return { path: 'capture/page.mhtml', role: 'mhtml', media_type: 'multipart/related', file }
}

/** Nodes in closed shadow trees beyond these are not asked about: trees that hold none of the first are left out of the document. */
const maxClosedNodes = 5_000

/** Closed shadow trees are hidden from every script, ours included: the browser itself says which nodes are in one. */
async function findClosedNodes(session: CdpSession, timeoutMs: number): Promise<readonly number[]> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] }, { timeoutMs })
  const [main] = documents
  const kinds = main?.nodes.shadowRootType
  if (main === undefined || kinds === undefined) return []
  return kinds.index
    .filter((_, i) => strings[kinds.value[i] ?? -1] === 'closed')
    .flatMap((node) => main.nodes.backendNodeId?.[node] ?? [])
    .slice(0, maxClosedNodes)
}

/** The document as scripts left it: doctype, elements, and shadow trees, open and closed, as declarative ones. */
export async function saveDom(session: CdpSession, folder: string, { timeoutMs }: SaveBounds): Promise<CapturedFile> {
  const file = join(folder, 'dom.html')
  const started = performance.now()
  // Without them the document is still worth writing.
  const closed = await findClosedNodes(session, timeoutMs / 2).catch((error: unknown) => {
    if (error instanceof CdpError || error instanceof CdpTimeout) return []
    throw error
  })
  const text = await evaluateApart<string>(
    session,
    `(...nodes) => {
      const closed = [...new Set(nodes.map((n) => n.getRootNode()))].filter((r) => r instanceof ShadowRoot && r.mode === 'closed')
      const roots = [...closed]
      const walk = (tree) => { for (const e of tree.querySelectorAll('*')) if (e.shadowRoot instanceof ShadowRoot) { roots.push(e.shadowRoot); walk(e.shadowRoot) } }
      walk(document)
      closed.forEach(walk)
      if (!document.documentElement) return ''
      // Read as UTF-8 whatever the document says of itself: a byte order mark comes first (HTML §13.2.3.2).
      const mark = document.characterSet === 'UTF-8' ? '' : '\\uFEFF'
      const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) + '\\n' : ''
      const root = document.documentElement
      const opening = root.cloneNode(false).outerHTML.replace(/<\\/[^<>]*>$/, '')
      return mark + type + opening + root.getHTML({ serializableShadowRoots: true, shadowRoots: roots }) + '</' + root.localName + '>\\n'
    }`,
    [],
    timeoutMs - (performance.now() - started),
    closed,
  )
  await writeFile(file, text)
  return { path: 'capture/dom.html', role: 'dom', media_type: 'text/html; charset=utf-8', file }
}
