import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { PNG } from 'pngjs'
import { afterAll, expect, test } from 'vitest'
import { loadBrands } from './load-brands.ts'

const examples = fileURLToPath(new URL('../../../testing/brands', import.meta.url))
const all = mkdtempSync(join(tmpdir(), 'probant-brands-'))
afterAll(() => rmSync(all, { recursive: true }))

type Change = Readonly<Record<string, unknown>>
const good = JSON.parse(readFileSync(join(examples, 'orme/brand.json'), 'utf8')) as Change

/** A folder of one brand that differs from the example in what is given; text replaces the whole file. */
function folderWith(change: Change | string, name = 'orme'): string {
  const folder = mkdtempSync(join(all, 'b-'))
  cpSync(join(examples, 'orme'), join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'brand.json'), typeof change === 'string' ? change : JSON.stringify({ ...good, ...change }))
  return folder
}

test('H-07: the examples are brands: names in both languages, hosts in A-labels, colours in both schemes, logos', async () => {
  const { brands, refused } = await loadBrands(examples)
  expect(refused).toEqual([])
  expect(brands.map(({ id, hosts, door }) => ({ id, hosts, door }))).toEqual([
    { id: 'etude-vauquelin', hosts: ['preuves.xn--tude-vauquelin-9jb.example', 'preuves.localhost'], door: true },
    { id: 'orme', hosts: ['orme.localhost'], door: false },
  ])
  expect(brands[0]?.theme.css).toContain('--accent:#772151')
  expect(brands[0]?.terms?.fr).toBe('https://etude-vauquelin.example/fr/conditions')
  expect(brands[1]?.name).toEqual({ en: 'Cabinet Orme', fr: 'Cabinet Orme' })
  expect(brands[1]?.logo.light.type).toBe('image/png')
  expect(brands[1]?.logo.dark).toBe(brands[1]?.logo.light)
})

test('without the setting there is none; a folder that is not there is told', async () => {
  expect(await loadBrands(undefined)).toEqual({ brands: [], refused: [] })
  expect((await loadBrands(join(all, 'nowhere'))).refused).toEqual([
    `the folder of brands ${join(all, 'nowhere')} cannot be read: ENOENT`,
  ])
})

test.each<[string, Change | string, RegExp]>([
  ['no JSON', '{', /brand\.json: is no JSON/],
  ['no object', '[]', /brand\.json: the file: /],
  ['a field that is none', { colour: 1 }, /brand\.json: the file: .*colour/],
  ['no name', { name: '' }, /brand\.json: name/],
  ['a name of two lines', { name: 'a\r\nBcc: x@example.org' }, /brand\.json: name/],
  ['a name that turns what follows', { name: 'a\u202Eb' }, /brand\.json: name/],
  ['a sender with a header', { sender: 'a\nX: y' }, /brand\.json: sender/],
  ['a name in one language', { name: { en: 'x' } }, /brand\.json: name/],
  ['a host with a port', { hosts: ['a.example:8080'] }, /brand\.json: hosts: "a\.example:8080" is no host name/],
  ['a host that is an address of a page', { hosts: ['https://a.example/'] }, /hosts: .* is no host name/],
  [
    'a faint accent',
    { colours: { light: { accent: '#cccccc' }, dark: { accent: '#9cc2ff' } } },
    /colours\.light\.accent: accent #cccccc on paper .* at least 4\.5/,
  ],
  [
    'a faint accent in the dark',
    { colours: { light: { accent: '#1f4e8c' }, dark: { accent: '#1f4e8c' } } },
    /colours\.dark\.accent: accent #1f4e8c/,
  ],
  [
    'a colour that is none',
    { colours: { light: { accent: 'teal' }, dark: { accent: '#9cc2ff' } } },
    /colours\.light\.accent: "teal" is neither/,
  ],
  [
    'a colour that has no place',
    { colours: { light: { accent: '#1f4e8c', bad: '#000' }, dark: { accent: '#9cc2ff' } } },
    /colours\.light: .*bad/,
  ],
  ['one scheme alone', { colours: { light: { accent: '#1f4e8c' } } }, /colours\.dark/],
  ['a logo elsewhere', { logo: '../../secret.svg' }, /logo/],
  ['a logo that is not there', { logo: 'none.svg' }, /logo: none\.svg: cannot be read: ENOENT/],
  ['a logo of another kind', { logo: 'logo.gif' }, /logo/],
  ['help that is no address', { support: 'a?bcc=b@example.org' }, /support/],
  ['terms that run', { terms: 'javascript:alert(1)' }, /terms/],
  ['terms with a login', { terms: 'https://a:b@example.org/' }, /terms/],
])('%s is refused with file and field', async (_, change, words) => {
  const { brands, refused } = await loadBrands(folderWith(change))
  expect(brands).toEqual([])
  expect(refused.join('\n')).toMatch(words)
  expect(refused.join('\n')).toContain('orme/brand.json: ')
})

test.each(['probant', 'Orme', 'o_rme', 'a'.repeat(41)])('no brand is named %s', async (name) => {
  expect((await loadBrands(folderWith({}, name))).refused[0]).toContain('its folder is named')
})

test('one that is wrong keeps no other from being shown; what is taken is not taken again', async () => {
  const folder = folderWith({ hosts: ['one.example', 'ONE.example.'], door: true })
  for (const [name, change] of Object.entries({ broken: { name: '' }, second: { hosts: ['one.example'], door: true } })) {
    cpSync(join(examples, 'orme'), join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'brand.json'), JSON.stringify({ ...good, ...change }))
  }
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, 'README.md'), 'not a brand')
  const { brands, refused } = await loadBrands(folder)
  expect(brands.map(({ id }) => id)).toEqual(['orme'])
  expect(refused.map((line) => line.replace(`${folder}/`, ''))).toEqual([
    expect.stringMatching(/^broken\/brand\.json: name/),
    'second/brand.json: hosts: one.example is that of orme',
    'second/brand.json: door: the older entry is that of orme',
  ])
})

function chunk(type: string, data: string): Buffer {
  const body = Buffer.from(type + data)
  const bytes = Buffer.alloc(body.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  body.copy(bytes, 4)
  bytes.writeUInt32BE(crc32(body), body.length + 4)
  return bytes
}

test('a PNG is made anew of its pixels: what else was in the file is not served; what claims to be huge is not decoded', async () => {
  const folder = folderWith({})
  const file = join(folder, 'orme/logo.png')
  const original = readFileSync(file)
  // After the 33 bytes of signature and header, a chunk of text (RFC 2083 §4.2.3).
  writeFileSync(
    file,
    Buffer.concat([original.subarray(0, 33), chunk('tEXt', '<script>alert(1)</script>'), original.subarray(33)]),
  )
  const { brands } = await loadBrands(folder)
  const served = brands[0]?.logo.light.bytes ?? Buffer.alloc(0)
  expect(served.includes('script')).toBe(false)
  expect(PNG.sync.read(served).data.equals(PNG.sync.read(original).data)).toBe(true)
  const bomb = Buffer.from(original)
  bomb.writeUInt32BE(100_000, 16)
  writeFileSync(file, bomb)
  expect((await loadBrands(folder)).refused[0]).toContain('logo.png: is 100000 by 72 pixels')
  writeFileSync(file, Buffer.concat([original, Buffer.from('<script>alert(1)</script>')]))
  expect((await loadBrands(folder)).refused[0]).toContain('is a damaged PNG')
  writeFileSync(file, original.subarray(0, 200))
  expect((await loadBrands(folder)).refused[0]).toContain('is a damaged PNG')
  writeFileSync(file, '<svg onload="alert(1)"/>')
  expect((await loadBrands(folder)).refused[0]).toContain('is no PNG')
  writeFileSync(file, Buffer.alloc(200_000))
  expect((await loadBrands(folder)).refused[0]).toContain('is longer than 131072 bytes')
})

test('what docs/BRANDS.md shows is taken, and refused, as it says', async () => {
  const document = readFileSync(fileURLToPath(new URL('../../../docs/BRANDS.md', import.meta.url)), 'utf8')
  const folder = mkdtempSync(join(all, 'b-'))
  cpSync(join(examples, 'etude-vauquelin'), join(folder, 'etude-vauquelin'), { recursive: true })
  const shown = /```json\n([^`]*)```/.exec(document)?.[1] ?? ''
  const file = join(folder, 'etude-vauquelin/brand.json')
  writeFileSync(file, shown)
  expect((await loadBrands(folder)).refused).toEqual([])
  writeFileSync(file, shown.replace('oklch(0.40 0.13 350)', '#7fcbca').replace(/, "paper": "[^}]*"/, ''))
  const { refused } = await loadBrands(folder)
  expect(document).toContain((refused[0] ?? '').replace(`${file}: `, ''))
})
