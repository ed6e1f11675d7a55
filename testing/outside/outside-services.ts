/**
 * Services of others on loopback, by their own protocols: Chatwoot's widget, Matomo's tracking API, envelopes of errors and recordings,
 * and a score of visitors as reCAPTCHA version 3 gives it. They keep what they were told.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Heard = {
  readonly path: string
  readonly search: URLSearchParams
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

/** Says that it is loaded, takes its settings, and shows what language it was given. */
const widget = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title><h1>Chat</h1><p id="said">waits</p><script>
parent.postMessage('chatwoot-widget:'+JSON.stringify({event:'loaded',config:{authToken:'visitor-1',channelConfig:{}}}),'*')
addEventListener('message',(e)=>{if(typeof e.data!=='string'||!e.data.startsWith('chatwoot-widget:'))return
const said=JSON.parse(e.data.slice(16));if(said.event==='config-set')document.getElementById('said').textContent='speaks '+said.locale})
</script></html>`

const script = (key: string) => `window.grecaptcha={ready:(then)=>then(),execute:async(key,{action})=>{
if(key!==${JSON.stringify(key)})throw new Error('unknown key');return 'token-for-'+action}}`

export type Verdict = Readonly<Record<string, unknown>>

export async function startOutsideServices() {
  const heard: Heard[] = []
  let verdict: Verdict = { success: false, 'error-codes': ['invalid-input-response'] }
  let answers = true
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://peer')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push({
        path: url.pathname,
        search: url.searchParams,
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
      })
      const send = (status: number, type: string, body: string) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
      if (url.pathname === '/widget') send(200, 'text/html', widget)
      else if (url.pathname === '/matomo.php') response.writeHead(204).end()
      else if (/^\/api\/\d+\/envelope\/$/.test(url.pathname)) send(200, 'application/json', '{}')
      else if (url.pathname === '/api.js') send(200, 'text/javascript', script(url.searchParams.get('render') ?? ''))
      else if (url.pathname === '/siteverify' && answers) send(200, 'application/json', JSON.stringify(verdict))
      else send(503, 'text/plain', 'no')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return {
    origin,
    heard,
    of: (path: string) => heard.filter((each) => each.path === path),
    /** What tokens are said to be worth from now on; null: nobody answers. */
    judge(given: Verdict | null): void {
      answers = given !== null
      verdict = given ?? {}
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type OutsideServices = Awaited<ReturnType<typeof startOutsideServices>>

/** The items of an envelope, each with its header and its payload as text. */
export function readEnvelope(body: string): { header: Record<string, unknown>; items: { type: string; payload: string }[] } {
  const bytes = Buffer.from(body)
  let at = 0
  const line = (): string => {
    const end = bytes.indexOf(10, at)
    const text = bytes.subarray(at, end === -1 ? undefined : end).toString()
    at = end === -1 ? bytes.length : end + 1
    return text
  }
  const header = JSON.parse(line()) as Record<string, unknown>
  const items: { type: string; payload: string }[] = []
  while (at < bytes.length) {
    const { type, length } = JSON.parse(line()) as { type: string; length: number }
    items.push({ type, payload: bytes.subarray(at, at + length).toString() })
    at += length + 1
  }
  return { header, items }
}
