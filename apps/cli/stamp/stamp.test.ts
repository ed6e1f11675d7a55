import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DomainError } from '../../../kernel/errors.ts'
import { compareCopy } from '../../../modules/document/server/copy/compare-copy.ts'
import { withDatabase } from '../../../testing/database.ts'
import { runTool } from '../../../testing/keyring.ts'
import { runVerifyCommand } from '../verify.ts'
import { runStampCommand } from './stamp.ts'
import { openStampServer } from './stamp-server.test-data.ts'

const database = withDatabase()
let server: Awaited<ReturnType<typeof openStampServer>>
let folder = ''
let person: Awaited<ReturnType<typeof server.person>>
beforeAll(async () => {
  server = await openStampServer(database.db)
})
beforeEach(async () => {
  server.calls.length = 0
  server.sealing(true)
  server.comparing(true)
  server.whenDone(() => undefined)
  folder = await mkdtemp(join(server.folder, 'case-'))
  person = await server.person()
})
afterAll(async () => await server.close())

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
type Line = {
  file: string
  sha256: string | null
  id: string | null
  state: string
  code: string | null
  duplicate_of: string | null
  copy: { state: string; code: string | null; kept_until: string | null } | null
  proofs: Record<string, string>
}

async function stamp(argv: readonly string[], env: Record<string, string | undefined> = {}) {
  let [out, said] = ['', '']
  const code = await runStampCommand([...argv, '--json'], {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env: { HOME: folder, PROBANT_API_URL: server.address, PROBANT_API_KEY: person.key, ...env },
    signal: new AbortController().signal,
  })
  const lines = out.split('\n').filter((line) => line !== '')
  return { code, said, lines: lines.map((line) => JSON.parse(line) as Line) }
}
const file = async (name: string, content: string | Uint8Array = randomUUID()) => {
  const path = join(folder, name)
  await writeFile(path, content)
  return { path, content }
}
/** Roots of whoever stamped, as the archive of the proofs of a deposit has them. */
async function roots(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${person.key}` }
  const read = await fetch(new URL(`documents/${id}/`, server.address), { headers })
  const { proofs_url: link } = (await read.json()) as { proofs_url: string }
  await writeFile(join(folder, '.proofs.zip'), Buffer.from(await (await fetch(new URL(link, server.address))).arrayBuffer()))
  const { output } = await runTool(folder, 'unzip', '-p', '.proofs.zip', '*document-ca.pem')
  const path = join(folder, '.ca.pem')
  await writeFile(path, output)
  return path
}
type Checked = { readonly checks: { id: string; status: string }[] }
async function verify(argv: readonly string[]): Promise<Checked> {
  let out = ''
  const io = { stdout: { write: (text: string) => void (out += text) }, stderr: { write: () => undefined }, env: {} }
  await runVerifyCommand([...argv, '--json'], { ...io, signal: new AbortController().signal })
  const { items } = JSON.parse(out) as { items: { result: { form: string; report?: Checked } }[] }
  return { checks: items.flatMap(({ result }) => (result.form === 'proof' ? (result.report?.checks ?? []) : [])) }
}
const countOf = (call: string) => server.calls.filter((each) => each === call).length
const oracle = join(import.meta.dirname, '../../../e2e/oracles/check_evidence_record.py')

test('a file is stamped where it is: openssl verifies the token over it, code that is not ours the evidence record', async () => {
  const { path, content } = await file('Plan « été ».pdf')
  const { code, lines, said } = await stamp([path, '--label', 'Chair'])
  expect([code, said]).toEqual([0, expect.stringContaining(sha256(content))])
  const [deposit] = await server.depositsOf(person.userId)
  expect(deposit).toMatchObject({ name: 'Plan « été ».pdf', label: 'Chair', api_key: 'Backup', status: 'final', store: false })
  expect(deposit?.sha512?.toString('hex')).toBe(createHash('sha512').update(content).digest('hex'))
  expect(lines).toEqual([
    {
      file: path,
      sha256: sha256(content),
      id: deposit?.id,
      state: 'written',
      code: null,
      duplicate_of: null,
      copy: null,
      proofs: { tsr: `${path}.tsr`, ers: `${path}.ers` },
    },
  ])
  const ca = await roots(deposit?.id ?? '')
  const verified = await runTool(folder, 'openssl', 'ts', '-verify', '-data', path, '-in', `${path}.tsr`, '-CAfile', ca)
  expect(verified.output).toContain('Verification: OK')
  const record = await runTool(folder, 'python3', oracle, `${path}.ers`, '--document', path, '--roots', ca)
  expect([record.code, record.output]).toEqual([0, expect.stringContaining('"problems": []')])
  // The key is in none of the files that it leaves, which are for nobody else to read.
  const states = join(folder, '.local/state/probant')
  const [journal = ''] = await readdir(states)
  expect(await readFile(join(states, journal), 'utf8')).not.toContain(person.key.slice(4, 40))
  expect(((await stat(join(states, journal))).mode & 0o777).toString(8)).toBe('600')
})

test('more than twenty are one batch under one token, each bound to it by its evidence record', async () => {
  const files = await Promise.all(Array.from({ length: 21 }, async (_, i) => await file(`${String(i)}.txt`)))
  const out = join(folder, 'proofs')
  const { code, lines } = await stamp([...files.map(({ path }) => path), '--out', out, '--hide-name'])
  expect([code, lines.length]).toEqual([0, 21])
  const deposits = await server.depositsOf(person.userId)
  expect([new Set(deposits.map((each) => each.batch_id)).size, new Set(deposits.map(({ name }) => name))]).toEqual([
    1,
    new Set([null]),
  ])
  const tokens = await Promise.all(lines.map(async ({ proofs }) => sha256(await readFile(proofs['tsr'] ?? ''))))
  expect(new Set(tokens).size).toBe(1)
  expect((await readdir(out)).length).toBe(42)
  // Their proofs came in one call.
  expect([countOf('POST /documents/proofs/'), countOf('GET /deposits/:id/:file/')]).toEqual([1, 0])
  const ca = await roots(deposits[0]?.id ?? '')
  for (const at of [0, 20]) {
    const [each, line] = [files[at], lines[at]]
    const record = await runTool(
      folder,
      'python3',
      oracle,
      line?.proofs['ers'] ?? '',
      '--document',
      each?.path ?? '',
      '--roots',
      ca,
    )
    expect([record.code, record.output]).toEqual([0, expect.stringContaining('"problems": []')])
  }
  const other = await runTool(folder, 'python3', oracle, lines[0]?.proofs['ers'] ?? '', '--document', files[1]?.path ?? '')
  expect(other.code).not.toBe(0)
})

test('the same content is deposited once, whatever it is called, and nothing that is there is overwritten', async () => {
  const { path, content } = await file('one.txt')
  const copy = await file('copy.txt', content)
  await writeFile(`${copy.path}.tsr`, 'somebody else’s')
  expect((await stamp([path])).code).toBe(0)
  const { code, lines } = await stamp([path, copy.path])
  expect(code).toBe(0)
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
  const stem = `${copy.path}.${sha256(content).slice(0, 8)}`
  expect(lines.map(({ proofs }) => proofs)).toEqual([
    { tsr: `${path}.tsr`, ers: `${path}.ers` },
    { tsr: `${stem}.tsr`, ers: `${stem}.ers` },
  ])
  expect(await readFile(`${copy.path}.tsr`, 'utf8')).toBe('somebody else’s')
  // Changed, it is another content; the proofs of what it was stay.
  const before = await readFile(`${path}.tsr`)
  await writeFile(path, 'changed')
  expect((await stamp([path])).lines[0]?.proofs['tsr']).toBe(`${path}.${sha256('changed').slice(0, 8)}.tsr`)
  expect((await readFile(`${path}.tsr`)).equals(before)).toBe(true)
})

test('what another computer deposited before is said, with its deposit', async () => {
  const { path } = await file('again.txt')
  await stamp([path])
  const [first] = await server.depositsOf(person.userId)
  const elsewhere = await mkdtemp(join(server.folder, 'elsewhere-'))
  const { code, lines, said } = await stamp([path, '--out', elsewhere], { HOME: elsewhere })
  expect([code, lines[0]?.duplicate_of, said]).toEqual([0, first?.id, expect.stringContaining(String(first?.id))])
})

test('a file that cannot be read, is none, or is empty is told; the others are stamped', async () => {
  const good = await file('good.txt')
  const empty = await file('empty', '')
  await mkdir(join(folder, 'folder'))
  await symlink(join(folder, 'nowhere'), join(folder, 'broken'))
  const { code, lines, said } = await stamp([
    join(folder, 'folder'),
    good.path,
    empty.path,
    join(folder, 'broken'),
    join(folder, 'absent'),
  ])
  expect(code).toBe(1)
  expect(lines.map(({ state, code: reason }) => reason ?? state).toSorted()).toEqual([
    'no_file',
    'unreadable',
    'unreadable',
    'written',
    'written',
  ])
  expect(said).toContain('is empty')
  expect(await server.depositsOf(person.userId)).toHaveLength(2)
})

test('a file far larger than what is allowed takes no memory', async () => {
  const path = join(folder, 'large')
  await writeFile(path, 'x')
  await truncate(path, 400 * 2 ** 20)
  const before = process.memoryUsage.rss()
  const { code } = await stamp([path, '--wait', '600'])
  expect([code, process.memoryUsage.rss() - before < 200 * 2 ** 20]).toEqual([0, true])
})

test('names of every kind reach the server as they are, or not at all', async () => {
  const names = ['line\nbreak', '\u202Etxt.exe', 'a'.repeat(200), ' spaces ', '😀', '-rf', '..hidden', '$(id)', 'quote\'"`']
  const made = await Promise.all(names.map(async (name) => (await file(name)).path))
  const { code, said } = await stamp(made)
  expect(code).toBe(0)
  expect(said).not.toContain('\u202E')
  const kept = (await server.depositsOf(person.userId)).map(({ name }) => name)
  const whole = names.slice(1).map((name) => name.trim())
  expect([kept.length, new Set(kept)]).toEqual([names.length, new Set([null, ...whole])])
})

test('without the server nothing is lost: kept here, and sent by --resume, once', async () => {
  const { path } = await file('offline.txt')
  await server.stop()
  const offline = await stamp([path])
  expect([offline.code, offline.said]).toEqual([2, expect.stringContaining('ECONNREFUSED')])
  expect(offline.said).toContain('1 fingerprint is kept')
  await server.start()
  const resumed = await stamp(['--resume'])
  expect([resumed.code, resumed.lines.map(({ file: of }) => of)]).toEqual([0, [path]])
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
  expect((await stamp(['--resume'])).code).toBe(0)
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
})

test('an answer that is lost on its way makes no second deposit', async () => {
  const { path } = await file('lost.txt')
  server.whenDone(({ call, input }) => {
    if (call === 'POST /documents/batches/') input.request.raw.socket.destroy()
  })
  expect((await stamp([path])).code).toBe(2)
  server.whenDone(() => undefined)
  expect((await stamp([path])).code).toBe(0)
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
})

test('what is not stamped yet is told, and its proofs are got later', async () => {
  const { path } = await file('later.txt')
  server.sealing(false)
  const early = await stamp([path, '--wait', '0'])
  expect([early.code, early.lines[0]?.state]).toEqual([5, 'pending'])
  server.sealing(true)
  const later = await stamp(['--resume', '--wait', '600'])
  expect([later.code, later.lines[0]?.proofs['tsr']]).toEqual([0, `${path}.tsr`])
})

test('the proofs of the anchor are got once there are any, and verify over the file with the block’s header', async () => {
  const files = await Promise.all(Array.from({ length: 21 }, async (_, i) => await file(`anchored-${String(i)}`)))
  const [{ path } = { path: '' }] = files
  const early = await stamp(files.map((each) => each.path))
  expect([early.code, early.said]).toEqual([0, expect.stringContaining('comes within hours')])
  expect((await stamp(['--resume'])).lines[0]?.proofs).toEqual({ tsr: `${path}.tsr`, ers: `${path}.ers` })
  const header = await server.anchor()
  const { code, lines } = await stamp(['--resume'])
  const all = { tsr: `${path}.tsr`, ers: `${path}.ers`, ots: `${path}.ots`, chainpoint: `${path}.chainpoint.json` }
  expect([code, lines.length, lines[0]?.proofs]).toEqual([0, 21, all])
  for (const proof of [all.ots, all.chainpoint]) {
    const { checks } = await verify([proof, path, '--header', `7:${header.toString('hex')}`])
    // All the way to the block; which has no work behind it but that of a test, and is refused for that alone.
    const failed = checks.filter(({ status }) => status === 'failed')
    expect(failed).toMatchObject([{ id: 'block_header', data: { reason: 'difficulty' } }])
    expect(checks.filter(({ status }) => status === 'passed').length).toBeGreaterThan(1)
  }
  expect((await stamp(['--resume'])).said).toContain('Nothing is left to do')
})

test('--replaces says what is replaced; a deposit that is not there is refused, and nothing deposited', async () => {
  const [first, second] = [await file('v1.txt'), await file('v2.txt')]
  await stamp([first.path])
  const [deposit] = await server.depositsOf(person.userId)
  const unknown = await stamp([second.path, '--replaces', randomUUID()])
  expect([unknown.code, unknown.lines[0]?.code, unknown.said]).toEqual([
    1,
    'document.replaces_unknown',
    expect.stringContaining('no such deposit to replace'),
  ])
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
  expect((await stamp([second.path, '--replaces', deposit?.id ?? ''])).code).toBe(0)
  const [, later] = await server.depositsOf(person.userId)
  expect(later?.replaces).toBe(deposit?.id)
  // What is sealed stays as it is.
  const late = await stamp([first.path, '--replaces', later?.id ?? ''])
  expect([late.code, late.said]).toEqual([1, expect.stringContaining('does not say that it replaces another')])
})

const piece = 8 * 2 ** 20
const partCall = 'POST /documents/:id/copy/parts/:part/'
const partOf = (input: { params: unknown }) => (input.params as { part: number }).part
async function copiesOf(userId: string) {
  return await database.db.selectFrom('document_copy').selectAll().where('owner_id', '=', userId).execute()
}

test('E-33 --store: killed in the midst of its upload, it goes on with the pieces that are missing, and the copy is that of the deposit', async () => {
  const content = Buffer.alloc(2 * piece + 70_000, randomUUID())
  const { path } = await file('large.bin', content)
  const program = spawn(process.execPath, [join(import.meta.dirname, '../probant.ts'), 'stamp', path, '--store'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, PROBANT_API_URL: server.address, PROBANT_API_KEY: person.key },
    stdio: 'ignore',
  })
  const ended = once(program, 'exit')
  const sent: number[] = []
  server.whenDone(async ({ call, input }) => {
    if (call !== partCall || sent.push(partOf(input)) !== 3) return
    // A first slice by which the line is measured, the first piece; the second is there, and the program does not hear of it.
    program.kill('SIGKILL')
    await ended
  })
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(sent).toEqual([0, 0, 1])
  const [state = ''] = await readdir(join(folder, '.local/state/probant'))
  const journal = await readFile(join(folder, '.local/state/probant', state), 'utf8')
  expect(journal.match(/"t":"piece"[^\n]*"part":\d/g)?.map((line) => Number(line.at(-1)))).toEqual([0])
  server.comparing(false)
  const early = await stamp(['--resume', '--wait', '0'])
  expect([early.code, early.said]).toEqual([5, expect.stringContaining('2 pieces of 3 came before')])
  expect(sent).toEqual([0, 0, 1, 2])
  expect(early.lines[0]).toMatchObject({ proofs: { tsr: `${path}.tsr` }, copy: { state: 'sent' } })
  const [copy] = await copiesOf(person.userId)
  await compareCopy(server.world, copy?.id ?? '', new AbortController().signal)
  const { code, lines, said } = await stamp(['--resume'])
  const [stored] = await copiesOf(person.userId)
  expect([code, stored?.state, said]).toEqual([0, 'stored', expect.stringContaining('is kept until')])
  expect(lines[0]?.copy).toEqual({ state: 'stored', code: null, kept_until: stored?.kept_until?.toISOString() })
  expect(await server.depositsOf(person.userId)).toMatchObject([{ store: true, status: 'final' }])
  expect((await stamp(['--resume'])).said).not.toContain('piece')
})

test('a copy that is not kept says why, and the deposit holds: too large, no room, asked for too late, changed meanwhile', async () => {
  const large = join(folder, 'too-large')
  await writeFile(large, randomUUID())
  await truncate(large, server.copyLimits.largestBytes + 1)
  const tooLarge = await stamp([large, '--store'])
  expect([tooLarge.code, tooLarge.lines[0]]).toEqual([
    1,
    expect.objectContaining({ state: 'written', copy: { state: 'refused', code: 'document.copy_too_large', kept_until: null } }),
  ])
  expect(tooLarge.said).toContain('Files of up to 20,971,520 bytes are kept here')
  const before = server.copyLimits.accountBytes
  server.copyLimits.accountBytes = 10
  const { path } = await file('no-room.txt')
  expect((await stamp([path, '--store', '--lang', 'fr'])).said).toContain('10')
  server.copyLimits.accountBytes = before
  // Wished again, it is tried again.
  const again = await stamp([path, '--store'])
  expect([again.code, again.lines[0]?.copy?.state]).toEqual([0, 'stored'])
  const plain = await file('plain.txt')
  await stamp([plain.path])
  const late = await stamp([plain.path, '--store'])
  expect([late.code, late.lines[0]?.copy, late.said]).toEqual([1, null, expect.stringContaining('before without a copy')])
  const changing = await file('changing.bin', Buffer.alloc(piece + 1, 1))
  server.whenDone(async ({ call }) => {
    if (call === partCall) await appendFile(changing.path, 'more')
  })
  const changed = await stamp([changing.path, '--store'])
  expect([changed.code, changed.lines[0]?.copy?.code, changed.lines[0]?.state]).toEqual([1, 'changed', 'written'])
  expect((await copiesOf(person.userId)).map(({ state }) => state).toSorted()).toEqual(['receiving', 'stored'])
})

test('a key that opens nothing, or not this, is told apart from a server that is away', async () => {
  const { path } = await file('refused.txt')
  const reading = await server.person(['documents:read'])
  const scopeless = await stamp([path], { PROBANT_API_KEY: reading.key })
  expect([scopeless.code, scopeless.said]).toEqual([4, expect.stringContaining('lacks the scope documents:create')])
  await person.revoke()
  const revoked = await stamp([path, '--lang', 'fr'])
  expect([revoked.code, revoked.said]).toEqual([4, expect.stringContaining('http.key_refused')])
  expect(revoked.said).toContain('Cette clé d’API n’ouvre rien')
})

test.each([
  [{ PROBANT_API_URL: undefined }, 'PROBANT_API_URL'],
  [{ PROBANT_API_KEY: undefined }, 'PROBANT_API_KEY'],
  [{ PROBANT_API_KEY: 'pbt_mistyped' }, 'missing or wrong'],
  [{ PROBANT_API_URL: 'http://probant.example/' }, 'in the clear'],
  [{ PROBANT_API_URL: 'ftp://probant.example/' }, 'not the address'],
  [{ PROBANT_API_URL: 'nonsense' }, 'not the address'],
])('settings that do not suffice are told: %j', async (env, words) => {
  const { path } = await file('unsent.txt')
  const { code, said } = await stamp([path], env)
  expect([code, said]).toEqual([78, expect.stringContaining(words)])
})

test('address and key stand in a file that is its owner’s alone', async () => {
  const { path } = await file('settings.txt')
  const settings = join(folder, '.config/probant')
  await mkdir(join(folder, '.config'))
  await writeFile(settings, `# where\nPROBANT_API_URL = ${server.address}\nPROBANT_API_KEY=${person.key}\n`, { mode: 0o644 })
  const none = { PROBANT_API_URL: undefined, PROBANT_API_KEY: undefined }
  const open = await stamp([path], none)
  expect([open.code, open.said]).toEqual([78, expect.stringContaining(`chmod 600 ${settings}`)])
  await chmod(settings, 0o600)
  expect((await stamp([path], none)).code).toBe(0)
})

test.each([
  [[]],
  [['--watch', 'a', 'b']],
  [['--resume', 'a']],
  [['--unknown', 'a']],
  [['a', '--wait', '-1']],
  [['a', '--wait', 'soon']],
  [['--watch', 'a', '--every', '0']],
  [['a', '--lang', 'de']],
  [['a', '--label', 'two\nlines']],
  [['--resume', '--store']],
  [['a', 'b', '--replaces', randomUUID()]],
  [['a', '--replaces', 'the other']],
  [['a', '--no-replaces']],
  [['--watch', '/nowhere/at/all']],
])('wrong use is told: %j', async (argv) => {
  const { code, said } = await stamp(argv)
  expect([code, said.length > 20]).toEqual([3, true])
})

test('a server that answers something else is not believed', async () => {
  const { path } = await file('doubtful.txt')
  const other = await file('other.txt')
  await stamp([other.path])
  const token = await readFile(`${other.path}.tsr`)
  const original = globalThis.fetch
  try {
    // Somebody gives the token of another file.
    globalThis.fetch = async (...[input, init]: Parameters<typeof fetch>) => {
      const address = String(input instanceof Request ? input.url : input)
      return /\/tsr\//.test(address) ? new Response(token) : await original(input, init)
    }
    const { code, lines, said } = await stamp([path])
    expect([code, lines[0]?.code, said]).toEqual([1, 'proof_wrong', expect.stringContaining('not a proof of this file')])
  } finally {
    globalThis.fetch = original
  }
  expect((await readdir(folder)).filter((name) => name.startsWith('doubtful'))).toEqual(['doubtful.txt'])
  expect((await stamp([path])).code).toBe(0)
})

test('an archive that breaks off leaves what came whole; one with proofs of other files is not believed', async () => {
  const files = await Promise.all(Array.from({ length: 24 }, async (_, i) => await file(`many-${String(i)}`)))
  const paths = files.map(({ path }) => path)
  const original = globalThis.fetch
  const answering = (change: (archive: Buffer) => Buffer) => {
    globalThis.fetch = async (...[input, init]: Parameters<typeof fetch>) => {
      const answer = await original(input, init)
      if (!answer.url.endsWith('/proofs/') || !answer.ok) return answer
      return new Response(new Uint8Array(change(Buffer.from(await answer.arrayBuffer()))))
    }
  }
  const written = async () => (await readdir(folder)).filter((name) => name.endsWith('.ers')).length
  try {
    answering((archive) => archive.subarray(0, archive.length * 0.8))
    const broken = await stamp(paths)
    expect([broken.code, broken.said]).toEqual([2, expect.stringContaining('it broke off')])
    const came = await written()
    expect([came > 0, came < 24]).toEqual([true, true])
    // Each folder is said to be the next one’s.
    answering((archive) => {
      // A checksum before it may have one brace among its bytes, one time in sixty.
      const [at, end] = [archive.indexOf('{\n "'), archive.indexOf('PK\u0003\u0004', 10)]
      const index = JSON.parse(archive.toString('utf8', at, end)) as { deposits: { folder: string; root: string }[] }
      const folders = index.deposits.map((each) => each.folder)
      const shifted = index.deposits.map((each, i) => ({ ...each, folder: folders[(i + 1) % folders.length] }))
      const text = Buffer.from(`${JSON.stringify({ ...index, deposits: shifted }, null, 1)}\n`)
      expect(text.length).toBe(end - at)
      return Buffer.concat([archive.subarray(0, at), text, archive.subarray(end)])
    })
    const wrong = await stamp(['--resume'])
    expect([wrong.code, new Set(wrong.lines.map(({ code }) => code)).has('proof_wrong'), await written()]).toEqual([
      1,
      true,
      came,
    ])
  } finally {
    globalThis.fetch = original
  }
  const { code, lines } = await stamp(paths)
  expect([code, lines.length, await written()]).toEqual([0, 24, 24])
})

test('a key that is used too often waits as long as the server says', async () => {
  const { path } = await file('often.txt')
  let refused = 0
  server.whenDone(({ call }) => {
    if (call !== 'POST /documents/batches/' || refused > 0) return
    refused += 1
    throw new DomainError('limited', 'http.rate_limited', { seconds: 1 })
  })
  const { code, said } = await stamp([path])
  expect([code, refused, said]).toEqual([0, 1, expect.stringContaining('asks to wait 1 second')])
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
})
