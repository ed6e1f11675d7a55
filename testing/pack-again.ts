import { crc32, deflateRawSync } from 'node:zlib'

/** How a tool writes a ZIP file (APPNOTE 6.3), where tools differ. */
export type Shape = {
  readonly deflate?: boolean
  /** Said in place of how it is packed. */
  readonly method?: number
  /** Around everything. */
  readonly folder?: string
  /** An entry of its own for each folder. */
  readonly folders?: boolean
  /** As older .NET writes names. */
  readonly backslashes?: boolean
  /** Sizes behind the bytes, with the mark that most write, without it, or in eight octets. */
  readonly described?: 'marked' | 'bare' | 'wide'
  readonly flags?: number
  readonly madeBy?: number
  readonly attributes?: number
  readonly localExtra?: (name: Buffer) => Buffer
  readonly centralExtra?: (name: Buffer) => Buffer
  /** ZIP64 fields and records where none are needed. */
  readonly long?: boolean
  readonly comment?: string
  /** Of each entry. */
  readonly remark?: string
}

export type Packed = { readonly path: string; readonly bytes: Uint8Array }

export function extra(id: number, data: Uint8Array | string): Buffer {
  const bytes = Buffer.from(data as string, typeof data === 'string' ? 'hex' : undefined)
  return Buffer.concat([words(id, bytes.length), bytes])
}

const words = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((value) => [value & 255, value >> 8]))
const long = (...values: readonly number[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      return bytes
    }),
  )
const double = (...values: readonly number[]): Buffer => Buffer.concat(values.map((value) => long(value).subarray(0, 4)))

/** The same files, packed as a tool of that shape packs them. */
export function packAgain(files: readonly Packed[], shape: Shape): Uint8Array {
  const folders = new Set<string>()
  const chunks: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  const add = (path: string, bytes: Uint8Array): void => {
    const name = Buffer.from(shape.backslashes === true ? path.replaceAll('/', '\\') : path)
    const method = shape.deflate === true && bytes.length > 0 ? 8 : 0
    const data = method === 8 ? deflateRawSync(bytes) : Buffer.from(bytes)
    const isDescribed = shape.described !== undefined && bytes.length > 0
    const flags = (shape.flags ?? 0) | (isDescribed ? 8 : 0)
    const [crc, packed, size] = [crc32(bytes), data.length, bytes.length]
    const wide = shape.long === true && !isDescribed
    const common = Buffer.concat([words(20, flags, shape.method ?? method, 0x6b52, 0x5b76)])
    const sizes = wide ? double(crc, 0xffffffff, 0xffffffff) : double(crc, packed, size)
    const own = Buffer.concat([
      wide ? extra(1, long(size, packed)) : Buffer.alloc(0),
      shape.localExtra?.(name) ?? Buffer.alloc(0),
    ])
    const there = Buffer.concat([
      wide ? extra(1, long(size, packed)) : Buffer.alloc(0),
      shape.centralExtra?.(name) ?? Buffer.alloc(0),
    ])
    const later = { marked: [0x08074b50, crc, packed, size], bare: [crc, packed, size], wide: [0x08074b50, crc] }
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'), common, isDescribed ? Buffer.alloc(12) : sizes, words(name.length, own.length), name, own, data,
      isDescribed ? double(...later[shape.described ?? 'marked']) : Buffer.alloc(0),
      isDescribed && shape.described === 'wide' ? long(packed, size) : Buffer.alloc(0),
    ]) // prettier-ignore
    const remark = Buffer.from(shape.remark ?? '')
    central.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'), words(shape.madeBy ?? 0x14), common, sizes,
        words(name.length, there.length, remark.length, 0, 0), double(shape.attributes ?? 0x20, at), name, there, remark,
      ]),
    ) // prettier-ignore
    chunks.push(local)
    at += local.length
  }
  for (const { path, bytes } of files) {
    const whole = `${shape.folder ?? ''}${path}`
    for (let i = whole.indexOf('/'); i >= 0 && shape.folders === true; i = whole.indexOf('/', i + 1)) {
      const folder = whole.slice(0, i + 1)
      if (!folders.has(folder)) add(folder, Buffer.alloc(0))
      folders.add(folder)
    }
    add(whole, bytes)
  }
  const directory = Buffer.concat(central)
  const [count, length] = [central.length, directory.length]
  const zip64 = Buffer.concat([
    double(0x06064b50), long(44), words(45, 45), double(0, 0), long(count, count, length, at),
    double(0x07064b50, 0), long(at + length), double(1),
  ]) // prettier-ignore
  const comment = Buffer.from(shape.comment ?? '')
  const end = Buffer.concat([double(0x06054b50), words(0, 0, count, count), double(length, at), words(comment.length), comment])
  return new Uint8Array(Buffer.concat([...chunks, directory, ...(shape.long === true ? [zip64] : []), end]))
}

const stamp = Buffer.from('0f5a6921', 'hex')
const unix = (id: string): Buffer => Buffer.concat([extra(0x5455, `03${stamp.toString('hex').repeat(2)}`), extra(0x7875, id)])

/** What common tools make of a folder, as far as they differ in form. */
export const shapes: Readonly<Record<string, Shape>> = {
  'Info-ZIP on Unix': {
    deflate: true, folders: true, madeBy: 0x031e, attributes: 0x81a40000,
    localExtra: () => unix('0104e803000004e8030000'), centralExtra: () => Buffer.concat([extra(0x5455, '030f5a6921'), extra(0x7875, '0104e803000004e8030000')]),
  },
  'Windows Explorer': { deflate: true, folder: 'evidence/' },
  '7-Zip with times of NTFS': {
    deflate: true, folder: 'evidence/', folders: true, madeBy: 0x3f,
    centralExtra: () => extra(0x000a, `0000000001001800${'00'.repeat(24)}`),
  },
  'older .NET': { deflate: true, backslashes: true, folder: 'evidence/', flags: 0x800 },
  'macOS Archive Utility': {
    deflate: true, folder: 'evidence/', folders: true, described: 'marked', madeBy: 0x0315, attributes: 0x81a44000,
    localExtra: () => extra(0x5855, '0f5a69210f5a6921f5011400'), centralExtra: () => extra(0x5855, '0f5a69210f5a6921'),
  },
  'Java': { deflate: true, described: 'marked', flags: 0x800, localExtra: () => extra(0xcafe, '') },
  'a stream with bare descriptors': { described: 'bare', deflate: true },
  'a stream with wide descriptors': { described: 'wide', deflate: true },
  'ZIP64 throughout': { long: true },
  'names twice, alike': {
    localExtra: (name) => extra(0x7075, Buffer.concat([Buffer.from([1]), double(crc32(name)), name])),
    centralExtra: (name) => extra(0x7075, Buffer.concat([Buffer.from([1]), double(crc32(name)), name])),
  },
} // prettier-ignore
