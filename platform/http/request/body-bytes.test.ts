import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { loadConfig } from '../../config/config.ts'
import { silentLog } from '../../log/log.ts'
import { boundReceiving } from './body-bytes.ts'
import { route, sentFile } from '../route.ts'
import { createHttpServer, type HttpServer } from '../server.ts'

const largest = 1000
const upload = endpoint({
  method: 'POST',
  path: '/uploads/',
  summary: 'Send a file',
  access: ['open'],
  bytes: { largest },
  response: z.object({ bytes: z.int() }),
  status: 201,
})
const refuse = endpoint({
  method: 'POST',
  path: '/refused/',
  summary: 'Send a file that nobody reads',
  access: ['open'],
  bytes: { largest },
  response: z.object({}),
})

let server: HttpServer
let port: number
const failures: unknown[] = []

beforeAll(async () => {
  server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    health: {},
    routes: [
      route(upload, async ({ bytes }) => {
        let length = 0
        try {
          for await (const chunk of sentFile(bytes) as AsyncIterable<Buffer>) length += chunk.length
        } catch (error) {
          failures.push(error)
          throw error
        }
        return { bytes: length }
      }),
      route(refuse, async () => await Promise.reject(new DomainError('conflict', 'http.conflict'))),
    ],
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  port = (server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await server.close()
})

const head = (path: string, ...lines: readonly string[]) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n${lines.join('\r\n')}\r\n\r\n`
const chunked = (...chunks: readonly string[]) => chunks.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')

/** Reads answers until as many as are wanted came whole, or the connection ended. */
async function read(socket: Socket, answers = 1): Promise<string> {
  let text = ''
  const whole = () => {
    const parts = text.split(/(?=HTTP\/1\.1 \d{3})/)
    return parts.filter((part) => {
      const length = Number(/content-length: (\d+)/i.exec(part)?.[1] ?? Number.NaN)
      return part.length - part.indexOf('\r\n\r\n') - 4 >= length
    }).length
  }
  while (whole() < answers) {
    const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])])) as [Buffer | null]
    if (chunk === null) break
    text += chunk.toString('latin1')
  }
  return text
}

describe('a call that takes a file', () => {
  const socketTo = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    return socket
  }

  test('reads it as it flows, its length told or not', async () => {
    const socket = await socketTo()
    socket.write(head('/uploads/', 'Content-Length: 5') + 'abcde')
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 [^]*\{"bytes":5\}$/)
    socket.write(head('/uploads/', 'Transfer-Encoding: chunked') + chunked('abc', 'defg') + '0\r\n\r\n')
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 [^]*\{"bytes":7\}$/)
    socket.destroy()
  })

  test('a length over the limit is refused before a byte of it is sent, and the limit named', async () => {
    const socket = await socketTo()
    socket.write(head('/uploads/', 'Content-Length: 1001'))
    const answer = await read(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"http.upload_too_large","message":"The file is larger than 1,000 bytes."')
    socket.destroy()
  })

  test('what turns out to be over it is refused while it flows, and the connection carries the next call', async () => {
    const socket = await socketTo()
    const body = chunked('a'.repeat(900), 'b'.repeat(200))
    socket.write(head('/uploads/', 'Transfer-Encoding: chunked') + body)
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 413 /)
    socket.write(chunked('c'.repeat(500)) + '0\r\n\r\n' + head('/uploads/', 'Content-Length: 1') + 'x')
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 201 /)
    socket.destroy()
  })

  test('who goes on sending what was refused is cut off', async () => {
    for (const path of ['/uploads/', '/refused/']) {
      const socket = await socketTo()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(head(path, 'Content-Length: 100000000'))
      await read(socket)
      const block = Buffer.alloc(64 * 1024)
      const send = () => {
        while (!socket.destroyed && socket.write(block));
      }
      socket.on('drain', send)
      send()
      await closed
    }
  })

  test('an upload that breaks off fails in the handler, not in the server', async () => {
    const before = failures.length
    const socket = await socketTo()
    await new Promise((resolve) => socket.write(head('/uploads/', 'Content-Length: 500') + 'abc', resolve))
    socket.destroy()
    while (failures.length === before) await new Promise((resolve) => setImmediate(resolve))
    expect(failures.at(-1)).toMatchObject({ code: 'http.upload_interrupted' })
  })

  test('takes files, not forms or JSON', async () => {
    const post = async (type: string | undefined) =>
      (
        await server.inject({
          method: 'POST',
          url: '/uploads/',
          payload: Buffer.from('x'),
          headers: type === undefined ? {} : { 'content-type': type },
        })
      ).statusCode
    expect(await post('image/png')).toBe(201)
    expect(await post('image/svg+xml; charset=utf-8')).toBe(201)
    expect(await post('application/pdf')).toBe(201)
    expect(await post('application/json')).toBe(415)
    expect(await post('multipart/form-data; boundary=x')).toBe(415)
    expect(await post('text/html')).toBe(415)
    expect(await post(undefined)).toBe(415)
  })

  test('is published as one', () => {
    const { paths = {} } = server.swagger() as { paths?: Record<string, { post?: { requestBody?: { content?: object } } }> }
    const { content = {} } = paths['/uploads/']?.post?.requestBody ?? {}
    expect(content).toMatchObject({ 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } })
  })
})

describe('how long a request may take to arrive', () => {
  test('whoever sends too slowly is told so, and cut off', async () => {
    const slow = createServer((request, response) => boundReceiving(request, response, 20))
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1')
    const closed = once(socket, 'close')
    socket.write(head('/', 'Content-Length: 10') + 'abc')
    expect(await read(socket)).toMatch(/^HTTP\/1\.1 408 /)
    await closed
    slow.close()
  })
})
