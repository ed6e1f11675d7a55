/**
 * Peak memory and time of verifying a package whose one piece is a hole of 1 GB: `node bench/verify-memory.ts [MB]`.
 * Each entry is read once, in slices, whatever its length; the verdict must be a failure, for nothing in it is sealed.
 */
import { mkdtempSync, openSync, closeSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostSha256, openPackageSource, verifyPackage } from '../modules/verification/server/index.ts'

const megabytes = Number(process.argv[2] ?? 1024)
const size = megabytes * 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-verify-'))
const name = 'capture/archive.wacz'
try {
  const file = join(folder, 'sparse.zip')
  const header = Buffer.alloc(30 + name.length)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(0x21, 12)
  header.writeUInt32LE(size, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  header.write(name, 30, 'latin1')
  const handle = openSync(file, 'w')
  writeSync(handle, header)
  closeSync(handle)
  truncateSync(file, header.length + size)
  const before = process.resourceUsage().maxRSS
  const { source, close } = await openPackageSource(file)
  const start = performance.now()
  const report = await verifyPackage(source, { now: () => new Date(), sha256: hostSha256 })
  await close()
  process.stdout.write(
    `${JSON.stringify({
      megabytes,
      verdict: report.verdict,
      seconds: Math.round(performance.now() - start) / 1000,
      peak_megabytes_more: Math.round((process.resourceUsage().maxRSS - before) / 1024),
    })}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
