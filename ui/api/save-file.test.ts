import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveFile } from './save-file.ts'

/** Links that were pressed, as the browser meets them. */
const pressed: { readonly href: string; readonly download: string }[] = []
const fetched: { readonly url: string; readonly credentials: RequestCredentials | undefined }[] = []
let answer: () => Promise<Response>

beforeEach(() => {
  pressed.length = 0
  fetched.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    body: { append: () => undefined },
    createElement: () => {
      const link = { href: '', download: '', rel: '', remove: () => undefined }
      return Object.assign(link, { click: () => pressed.push({ href: link.href, download: link.download }) })
    },
  })
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    fetched.push({ url, credentials: init?.credentials })
    return await answer()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const file = { url: '/files/one', name: 'deposit_7.pdf', bytes: 1000 }

test('C-73: a file is fetched as a blob, without what signs the visitor in, and saved under its name', async () => {
  answer = () => Promise.resolve(new Response('%PDF-'))
  const made: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${made.push(blob as Blob)}`)
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  await saveFile(file)
  expect(fetched).toEqual([{ url: '/files/one', credentials: 'omit' }])
  expect(pressed).toEqual([{ href: 'blob:1', download: 'deposit_7.pdf' }])
  expect(await made[0]?.text()).toBe('%PDF-')
  // What was kept in memory for it is let go, later than any browser begins to save.
  expect(revoked).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:1')
})

test.each([
  ['the network is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['it is refused', () => Promise.resolve(new Response('gone', { status: 410 }))],
] as const)('C-74: when %s, the browser opens the address itself', async (_, fails) => {
  answer = fails
  await saveFile(file)
  expect(fetched).toHaveLength(1)
  expect(pressed).toEqual([{ href: '/files/one', download: 'deposit_7.pdf' }])
})

test('C-74: what a telephone cannot hold in memory is never fetched', async () => {
  answer = () => Promise.reject(new Error('fetched'))
  await saveFile({ ...file, bytes: 2_000_000_000 })
  expect(fetched).toEqual([])
  expect(pressed).toEqual([{ href: '/files/one', download: 'deposit_7.pdf' }])
})
