import { expect, test } from 'vitest'
import { zipStream } from '../../../platform/zip/stream-zip.ts'
import { NotAnArchive, readArchive, readIndex } from './read-archive.ts'

const files = [
  { path: 'deposits.json', data: Buffer.from('{}') },
  { path: 'a_1/document.tsr', data: Buffer.alloc(300_000, 7) },
  { path: 'a_1/empty', data: Buffer.alloc(0) },
]
async function* listed() {
  for (const each of files) yield await Promise.resolve(each)
}
const whole = async () =>
  Buffer.concat(await Array.fromAsync<Uint8Array>(zipStream(listed(), { stalledMs: 60_000, longestMs: 60_000 })))
async function* inParts(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield await Promise.resolve(bytes.subarray(at, at + length))
}
const read = async (bytes: Uint8Array, length = 1000) => await Array.fromAsync(readArchive(inParts(bytes, length)))

test.each([1, 7, 65_536, 10_000_000])(
  'an archive is read from front to back, whatever comes at a time: %i octets',
  async (length) => {
    const found = await read(await whole(), length)
    expect(
      found.map(({ path, bytes }) => [path, bytes.equals(files.find((each) => each.path === path)?.data ?? Buffer.of(1))]),
    ).toEqual(files.map(({ path }) => [path, true]))
  },
)

test('what is cut off, is none or is of another form is refused before it takes memory', async () => {
  const archive = await whole()
  for (const end of [0, 3, 20, 40, 200_000, archive.indexOf('PK\u0001\u0002')])
    await expect(read(archive.subarray(0, end))).rejects.toThrow(NotAnArchive)
  await expect(read(Buffer.from('<!doctype html><title>Proxy</title>'))).rejects.toThrow('another kind')
  const [method, huge, differing] = [Buffer.from(archive), Buffer.from(archive), Buffer.from(archive)]
  method.writeUInt16LE(8, 8)
  huge.writeUInt32LE(0xffffff00, 18)
  huge.writeUInt32LE(0xffffff00, 22)
  differing.writeUInt32LE(5, 18)
  for (const each of [method, huge, differing]) await expect(read(each)).rejects.toThrow('another form')
})

test.each([
  '',
  '{',
  '[]',
  '{"format":"probant-deposits/2","deposits":[]}',
  '{"format":"probant-deposits/1","deposits":[{"id":"../x"}]}',
  '\u00ff',
])('an index that is none: %j', (text) => {
  expect(() => readIndex(Buffer.from(text, 'latin1'))).toThrow(NotAnArchive)
})
