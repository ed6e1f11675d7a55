/**
 * Streams a package of 2 GB beside yazl, which makes the same ZIP with data descriptors: seconds, CPU-seconds and peak
 * memory, each contender in a process of its own. Run: `node bench/package/stream-two-gigabytes.ts`
 */
import { spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { ZipFile } from 'yazl'
import { type PackageEntry, packageStream } from '../../modules/evidence/server/package/write-package.ts'

const entries = 8
const bytes = 256 * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'evidence')

function content(): Readable {
  let left = bytes
  return new Readable({
    read() {
      const part = chunk.subarray(0, Math.min(left, chunk.length))
      left -= part.length
      this.push(part.length === 0 ? null : part)
    },
  })
}

function ours(checksum: number | undefined): Readable {
  const list = Array.from({ length: entries }, (_, i): PackageEntry => ({
    path: `capture/${i}.bin`,
    bytes,
    open: async () => content(),
    ...(checksum === undefined ? {} : { crc32: checksum }),
  }))
  return packageStream(list).stream
}

function peer(): Readable {
  const zip = new ZipFile()
  for (let i = 0; i < entries; i += 1)
    zip.addReadStreamLazy(`capture/${i}.bin`, { compress: false, size: bytes, mtime: new Date(1980, 0, 1) }, (done) => {
      done(null, content())
    })
  zip.end()
  return Readable.from(zip.outputStream)
}

const contenders: Readonly<Record<string, () => Readable>> = {
  'ours, checksums known': () => {
    let checksum = 0
    for (let left = bytes; left > 0; left -= chunk.length) checksum = crc32(chunk, checksum)
    return ours(checksum)
  },
  'ours, checksums read first': () => ours(undefined),
  yazl: peer,
}

const [name] = process.argv.slice(2)
const start = name === undefined ? undefined : contenders[name]
if (start === undefined) {
  for (const one of Object.keys(contenders))
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), one], { stdio: 'inherit' })
} else {
  const stream = start()
  const began = performance.now()
  const before = process.cpuUsage()
  let total = 0
  for await (const part of stream as AsyncIterable<Buffer>) total += part.length
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1000
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  const figures = [
    `${total} bytes`,
    `${seconds.toFixed(2)} s`,
    `${((user + system) / 1e6).toFixed(2)} CPU-s`,
    `${memory} MB peak`,
  ]
  process.stdout.write(`${String(name)}: ${figures.join(', ')}\n`)
}
