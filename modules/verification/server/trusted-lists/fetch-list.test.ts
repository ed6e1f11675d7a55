import { afterAll, beforeAll, expect, test } from 'vitest'
import { startListServer } from '../../../../testing/trusted-lists.ts'
import type { ListServer } from '../../../../testing/trusted-lists.ts'
import { fetchList, FetchListError } from './fetch-list.ts'

let server: ListServer
beforeAll(async () => {
  server = await startListServer()
})
afterAll(async () => await server.close())

const deps = () => ({ allowAddresses: [server.address], timeoutMs: 60_000, maxBytes: 1 << 20 })

async function flawOf(url: string, more: Partial<ReturnType<typeof deps>> = {}): Promise<string> {
  return await fetchList({ ...deps(), ...more }, url).then(
    () => 'none',
    (error: unknown) => (error instanceof FetchListError ? error.flaw : String(error)),
  )
}

test('a list arrives byte for byte, after redirects that lead somewhere allowed', async () => {
  server.paths.set('/list.xml', '<a>é</a>')
  server.paths.set('/moved', (_request, response) => response.writeHead(302, { location: '/list.xml' }).end())
  expect(Buffer.from(await fetchList(deps(), `${server.origin}/moved`)).toString()).toBe('<a>é</a>')
})

test('nothing private is asked that the operator did not allow, neither at first nor by a redirect', async () => {
  const asked = server.asked.length
  expect(await flawOf(`${server.origin}/list.xml`, { allowAddresses: [] })).toBe('not_public')
  expect(await flawOf('http://localhost:1/list.xml')).toBe('not_public')
  expect(await flawOf('http://169.254.169.254/latest/meta-data')).toBe('not_public')
  expect(await flawOf('http://[::ffff:127.0.0.1]:1/')).toBe('not_public')
  expect(server.asked).toHaveLength(asked)
  server.paths.set('/inside', (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/list.xml' }).end())
  expect(await flawOf(`${server.origin}/inside`)).toBe('not_public')
})

test.each([
  ['file:///etc/passwd', 'bad_address'],
  ['ftp://lists.example/a.xml', 'bad_address'],
  ['http://user:secret@lists.example/a.xml', 'bad_address'],
  ['not an address', 'bad_address'],
])('%s is not fetched', async (url, flaw) => {
  expect(await flawOf(url)).toBe(flaw)
})

test('answers that are no list end as what they are', async () => {
  server.paths.set('/loop', (_request, response) => response.writeHead(302, { location: '/loop' }).end())
  expect(await flawOf(`${server.origin}/loop`)).toBe('redirect')
  expect(await flawOf(`${server.origin}/absent`)).toBe('http_status')
  server.paths.set('/cut', (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('<a>', () => response.destroy())
  })
  expect(await flawOf(`${server.origin}/cut`)).toBe('unreachable')
  server.paths.set('/reset', (request) => request.socket.destroy())
  expect(await flawOf(`${server.origin}/reset`)).toBe('unreachable')
  server.paths.set('/silent', () => undefined)
  expect(await flawOf(`${server.origin}/silent`, { timeoutMs: 50 })).toBe('timeout')
})

test('a body of 100 MB is left when it passes the limit', async () => {
  let written = 0
  server.paths.set('/huge', (_request, response) => {
    response.writeHead(200)
    const part = Buffer.alloc(1 << 16)
    const more = () => {
      while (written < 100 << 20 && !response.destroyed) {
        written += part.length
        if (!response.write(part)) {
          response.once('drain', more)
          return
        }
      }
      response.end()
    }
    more()
  })
  expect(await flawOf(`${server.origin}/huge`)).toBe('too_large')
  expect(written).toBeLessThan(50 << 20)
})
