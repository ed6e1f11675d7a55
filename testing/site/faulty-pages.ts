import { gzipSync } from 'node:zlib'
import { answerWith, text, waiting, working } from './stream-pages.ts'
import type { WireHandler } from './wire-site.ts'

/** Bytes on the socket, then its end: in order, or by a reset. */
const raw = (head: string, body: string | Buffer, end: 'ends' | 'reset' | 'stays' = 'ends'): WireHandler => {
  return (_asked, request) => {
    const bytes = Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${head}\r\n`, 'latin1'),
      Buffer.from(body),
    ])
    if (end === 'ends') request.socket.end(bytes)
    else request.socket.write(bytes, () => end === 'reset' && setTimeout(() => request.socket.resetAndDestroy(), 50))
  }
}
const packed = gzipSync('squeezed words, '.repeat(500))

/** Each way in which an answer can fail to be whole; `faults` names them in the order in which the page asks. */
export const faultyPages: Readonly<Record<string, WireHandler>> = {
  ...waiting,
  '/faults/': working(
    'Faults',
    `const ask = (path, init) => fetch(path, init).then((r) => r.arrayBuffer()).then((b) => show(path + ' ' + b.byteLength), () => show(path + ' failed'))
for (const path of ['/shorter-than-said', '/chunks-without-end', '/reset-midway', '/no-answer', '/not-gzip', '/longer-than-said', '/whole'])
  work.push(ask(path))
work.push(new Promise((done) => { const stop = new AbortController(); fetch('/given-up', { signal: stop.signal }).then((r) => { const reader = r.body.getReader(); reader.read().then(() => { stop.abort(); done() }) }) }))
navigator.sendBeacon('/beacon-without-answer', 'words')
work.push(ask('http://10.0.0.1/refused'))`,
  ),
  '/whole': text('whole'),
  '/shorter-than-said': raw('Content-Length: 1000\r\nConnection: close\r\n', 'only this'),
  '/chunks-without-end': raw('Transfer-Encoding: chunked\r\nConnection: close\r\n', '9\r\nonly this\r\n'),
  '/reset-midway': raw('Content-Length: 1000\r\n', 'only this', 'reset'),
  '/longer-than-said': raw('Content-Length: 4\r\n', 'thisand more'),
  '/not-gzip': raw('Content-Encoding: gzip\r\nContent-Length: 8\r\nConnection: close\r\n', 'no gzip!'),
  '/given-up': raw('Content-Length: 1000\r\n', 'some of it', 'stays'),
  '/no-answer': (_asked, request) => void request.socket.destroy(),
  '/beacon-without-answer': () => new Promise<void>(() => {}),
  '/unanswered/': working('Unanswered', `fetch('/never')`),
  '/never': () => new Promise<void>(() => {}),
  '/stream-faults/': working(
    'Faults of streams',
    `const ask = (path) => fetch(path).then((r) => r.arrayBuffer()).then((b) => show(path + ' ' + b.byteLength), () => show(path + ' failed'))
for (const path of ['/stream-reset', '/stream-half-gzip', '/whole']) work.push(ask(path))`,
  ),
  '/stream-reset': (_asked, _request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('only this', () => (response as unknown as { stream: { close(code: number): void } }).stream.close(2))
  },
  '/stream-half-gzip': answerWith({
    headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
    body: packed.subarray(0, packed.length - 12),
  }),
}
