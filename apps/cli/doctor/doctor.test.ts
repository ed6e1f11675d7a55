import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../kernel/clock.ts'
import { closedPort, ntpReply, startUdpPeer } from '../../../modules/capture/server/conditions/peers.fixture.ts'
import { openKeyring, openPublicLog } from '../../../modules/sealing/server/index.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { defineJob, enqueue } from '../../../platform/jobs/jobs.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { catalogues } from '../../../platform/messages/catalogue.ts'
import { hooksAt } from '../../../modules/billing/server/index.ts'
import { openShop, wire } from '../../../modules/billing/server/provider/mangopay/shop.test-data.ts'
import { readSettingsFile } from '../../../platform/config/settings-file.ts'
import { simulatedClient } from '../../../testing/mangopay/run-mangopay.ts'
import { selling } from '../../../testing/selling.ts'
import { commandsOf } from '../../../tools/release/document-commands.ts'
import { haveServer } from '../../../testing/capture-server.ts'
import { createTestDatabase, withDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startOutsideTsa } from '../../../testing/tsa.ts'
import { checkBrowserAge, machineChecks } from './checks-of-machine.ts'
import { outsideChecks } from './checks-of-others.ts'
import { storageChecks } from './checks-of-storage.ts'
import { runCheck, runDoctorCommand } from './doctor.ts'
import { fine, type CheckName, type Finding } from './finding.ts'

const database = withDatabase()
const all = mkdtempSync(join(tmpdir(), 'probant-doctor-'))
afterAll(() => rmSync(all, { recursive: true, force: true }))
const newFolder = () => mkdtempSync(join(all, 'd-'))

/** One check of an installation that is set up so. */
async function look(
  name: CheckName,
  { env = {}, data = newFolder(), url = database.url }: { env?: Record<string, string>; data?: string; url?: string | null } = {},
): Promise<readonly Finding[]> {
  const config = loadConfig({ PROBANT_DATA: data, ...env })
  const checks = [...storageChecks(config, url), ...machineChecks(config), ...outsideChecks(config)]
  const check = checks.find((each) => each.name === name)
  if (check === undefined) throw new Error(`no check ${name}`)
  return (await runCheck(check, new AbortController().signal)).findings
}

const codes = (findings: readonly Finding[]) => findings.map(({ grade, code }) => `${grade} ${code}`)

async function command(env: Record<string, string>, ...argv: string[]): Promise<{ code: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const io = { stdout: { write: (text: string) => (out += text) }, stderr: { write: (text: string) => (said += text) } }
  const code = await runDoctorCommand(argv, { ...io, env, signal: new AbortController().signal })
  return { code, out, said }
}

/** A program of this name that answers so, found before the machine's own. */
function pretend(program: string, answer: string): void {
  const folder = newFolder()
  writeFileSync(join(folder, program), `#!/bin/sh\ncat <<'end'\n${answer}\nend\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
  onTestFinished(() => void vi.unstubAllEnvs())
}

async function scratch(): Promise<TestDatabase> {
  const own = await createTestDatabase()
  onTestFinished(async () => await own.drop())
  return own
}

describe('what is kept', () => {
  test('a database that answers, none, one that does not, one that is behind, ahead or edited, and a clock that differs', async () => {
    expect(codes(await look('database'))).toEqual(['fine database'])
    expect(codes(await look('database', { url: null }))).toEqual(['forbids database_not_running'])
    const { host, port } = await closedPort()
    const [unreachable] = await look('database', { url: `postgresql://probant:Secret-1@${host}:${String(port)}/probant` })
    expect(unreachable).toMatchObject({ grade: 'forbids', code: 'database_unreachable' })
    expect(JSON.stringify(unreachable)).not.toContain('Secret-1')
    const own = await scratch()
    const name = new URL(own.url.replace('@/', '@localhost/')).pathname.slice(1)
    await sql`create function public.clock_timestamp() returns timestamptz language sql as $$ select now() + interval '10 seconds' $$`.execute(
      own.db,
    )
    await sql.raw(`alter database ${name} set search_path = public, pg_catalog`).execute(own.db)
    const [, clock] = await look('database', { url: own.url })
    expect(clock).toMatchObject({ grade: 'mend', code: 'database_clock' })
    expect(Math.abs(Number(clock?.data?.['seconds']) - 10)).toBeLessThan(2)
    await sql.raw(`alter database ${name} reset search_path`).execute(own.db)
    await sql`delete from platform_migration where name = (select max(name) from platform_migration)`.execute(own.db)
    expect(await look('database', { url: own.url })).toEqual([{ grade: 'forbids', code: 'database_behind', data: { count: 1 } }])
    await sql`insert into platform_migration (name, sha256, needs) values ('9999_of_tomorrow.sql', 'x', '9998_of_today.sql')`.execute(
      own.db,
    )
    expect(codes(await look('database', { url: own.url }))).toEqual(['forbids database_diverges'])
  })

  test('a data folder that is not there, or is not ours: then nothing is written into it', async () => {
    const data = newFolder()
    expect(codes(await look('data_folder', { data }))).toEqual(['fine data_folder'])
    expect(codes(await look('data_folder', { data: join(data, 'absent') }))).toEqual(['mend data_folder_absent'])
    const others = process.getuid?.() === 0 ? data : '/etc'
    if (others === data) chownSync(data, 12_345, 12_345)
    expect(codes(await look('data_folder', { data: others }))).toEqual(['mend data_folder_others'])
    expect(codes(await look('blobs', { data: others }))).toEqual(['mend not_examined'])
    expect(existsSync(join(others, 'blobs'))).toBe(false)
  })

  test('blobs are really written, read and removed', async () => {
    const data = newFolder()
    const [found] = await look('blobs', { data })
    expect(['blobs_room', 'blobs_short', 'blobs_no_room']).toContain(found?.code)
    expect(readdirSync(join(data, 'blobs'), { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name)))).toEqual([])
    rmSync(join(data, 'blobs'), { recursive: true })
    writeFileSync(join(data, 'blobs'), 'a file where a folder should be')
    expect(codes(await look('blobs', { data }))).toEqual(['forbids blobs_fail'])
  })

  test('keys that are absent, damaged, or that others may read', async () => {
    const data = newFolder()
    expect(codes(await look('keys', { data }))).toEqual(['mend keys_absent'])
    await openKeyring({ dir: join(data, 'keys'), clock: systemClock, log: silentLog })
    expect(codes(await look('keys', { data }))).toEqual(['fine keys'])
    const file = join(data, 'keys', 'time-signing.1.pem')
    chmodSync(file, 0o644)
    expect(await look('keys', { data })).toEqual([{ grade: 'forbids', code: 'keys_rights', data: { path: file } }])
    chmodSync(file, 0o600)
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    expect(await look('keys', { data })).toMatchObject([{ grade: 'forbids', code: 'keys_damaged', data: { path: file } }])
    writeFileSync(file, whole)
    chmodSync(join(data, 'keys'), 0o755)
    expect(codes(await look('keys', { data }))).toEqual(['forbids keys_rights'])
  })

  test('a master key that is absent, damaged, or that others may read', async () => {
    const data = newFolder()
    const path = join(data, 'master-key')
    expect(codes(await look('master_key', { data }))).toEqual(['mend master_key_absent'])
    expect(existsSync(path)).toBe(false)
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    expect(codes(await look('master_key', { data }))).toEqual(['fine master_key'])
    chmodSync(path, 0o640)
    expect(codes(await look('master_key', { data }))).toEqual(['mend master_key_rights'])
    chmodSync(path, 0o600)
    writeFileSync(path, 'short')
    expect(codes(await look('master_key', { data }))).toEqual(['forbids master_key_damaged'])
  })

  test('a log whose entries went missing, and one that went back behind what was given out', async () => {
    const own = await scratch()
    const data = newFolder()
    expect(codes(await look('log', { data, url: own.url }))).toEqual(['fine log_empty'])
    const keyring = await openKeyring({ dir: join(data, 'keys'), clock: systemClock, log: silentLog })
    const folder = join(data, 'log')
    const log = await openPublicLog({ db: own.db, keyring, clock: systemClock, origin: 'proofs.example/log', folder })
    for (let i = 0; i < 3; i += 1) await log.include(new Uint8Array(randomBytes(32)))
    expect(await look('log', { data, url: own.url })).toEqual([{ grade: 'fine', code: 'log', data: { entries: 3 } }])
    // Another installation's: this one never gave that out.
    expect(await look('log', { data })).toEqual([{ grade: 'forbids', code: 'log_went_back', data: { size: 3 } }])
    await sql`alter table log_leaf disable trigger user`.execute(own.db)
    await sql`alter table log_root disable trigger user`.execute(own.db)
    await sql`delete from log_root where index = 1`.execute(own.db)
    await sql`delete from log_leaf where index = 1`.execute(own.db)
    expect(codes(await look('log', { data, url: own.url }))).toEqual(['forbids log_damaged'])
    expect(codes(await look('log', { data, url: null }))).toEqual(['mend not_examined'])
  })

  test('a queue that stands, and jobs that were given up', async () => {
    const { db, url } = await scratch()
    expect(await look('queue', { url })).toEqual([{ grade: 'fine', code: 'queue', data: { count: 0 } }])
    const job = defineJob('test.seal', z.object({}))
    await enqueue(db, job, {}, { runAt: new Date(Date.now() - 3_600_000) })
    expect(await look('queue', { url })).toEqual([
      { grade: 'forbids', code: 'queue_stands', data: { job: 'test.seal', minutes: 60 } },
    ])
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db)
    expect(codes(await look('queue', { url }))).toEqual(['mend queue_given_up'])
  })

  test('capture servers: none, one set aside, one that looks at itself, one ready', async () => {
    const { db, url } = await scratch()
    expect(codes(await look('servers', { url }))).toEqual(['forbids servers_none'])
    await haveServer(db, 'lyon', { status: 'set_aside' })
    expect(codes(await look('servers', { url }))).toEqual(['forbids servers_none', 'mend server_set_aside'])
    await haveServer(db, 'nantes', { status: 'starting' })
    expect(codes(await look('servers', { url }))).toEqual(['mend servers_starting', 'mend server_set_aside'])
    await haveServer(db, 'paris')
    expect(codes(await look('servers', { url }))).toEqual(['fine servers', 'mend server_set_aside'])
  })
})

describe('what captures are made with', () => {
  test('the clock, by time servers that answer, that say otherwise, or that are silent', async () => {
    const ask = async (ahead: number) => {
      const peer = await startUdpPeer((request) => [ntpReply(request, ahead)])
      onTestFinished(async () => await peer.close())
      return codes(await look('clock', { env: { PROBANT_NTP_SERVERS: `${peer.host}:${String(peer.port)}` } }))
    }
    expect(await ask(0)).toEqual(['fine clock'])
    expect(await ask(30_000)).toEqual(['forbids clock_wrong'])
    const { host, port } = await closedPort()
    const silent = { PROBANT_NTP_SERVERS: `${host}:${String(port)}` }
    expect(codes(await look('clock', { env: silent }))).toEqual(['mend clock_unknown'])
    expect(codes(await look('clock', { env: { PROBANT_NTP_SERVERS: 'none' } }))).toEqual(['mend clock_unasked'])
  })

  test('the browser really starts in its jail, and not where there is none', async () => {
    expect(await look('browser')).toMatchObject([
      { grade: 'fine', code: 'browser', data: { product: expect.stringMatching(/^Chromium \d/) } },
    ])
    const folder = newFolder()
    writeFileSync(
      join(folder, 'bwrap'),
      '#!/bin/sh\n[ "$1" = --version ] || { echo "No permissions to create new namespace" >&2; exit 1; }\n',
      {
        mode: 0o755,
      },
    )
    chmodSync(all, 0o755)
    chmodSync(folder, 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await look('browser')).toMatchObject([{ grade: 'forbids', code: 'browser_no_jail' }])
  })

  test('a browser that is older than what is offered, and one that tells no version', async () => {
    const program = join(newFolder(), 'chromium')
    expect(codes([await checkBrowserAge(program)])).toEqual(['mend browser_absent'])
    writeFileSync(program, '#!/bin/sh\necho Chromium 1.2.3.4\n', { mode: 0o755 })
    const found = await checkBrowserAge(program)
    expect(found.grade).toBe('mend')
    // Where the package manager offers none at all, that is what is told.
    expect(['browser_old', 'browser_age_unknown']).toContain(found.code)
    expect(found.data?.['version']).toBe('1.2.3.4')
  })

  test('fonts and encoders that are missing', async () => {
    expect(codes(await look('fonts'))).toEqual(['fine fonts'])
    expect(codes(await look('sessions'))).toEqual(['fine sessions'])
    expect(codes(await look('sessions', { env: { PROBANT_INTERACTIVE_SESSIONS: '0' } }))).toEqual(['fine sessions_off'])
    pretend('fc-list', 'Liberation Sans\nNoto Sans,Noto Sans Display\nNoto Color Emoji')
    expect(await look('fonts')).toEqual([{ grade: 'mend', code: 'fonts_missing', data: { families: 'Noto Sans CJK JP' } }])
    pretend('ffmpeg', ' A....D libopus   libopus Opus')
    expect(await look('sessions')).toEqual([{ grade: 'mend', code: 'sessions_encoders', data: { encoders: 'libx264' } }])
  })
})

describe('whom it asks', () => {
  test('payments: off, by transfer, by the simulator, there and at a public address', async () => {
    const at = (address: string) => ({ ...selling, PROBANT_PUBLIC_URL: address })
    expect(codes(await look('payments'))).toEqual(['fine payments_off'])
    expect(codes(await look('payments', { env: at('http://localhost:8080') }))).toEqual(['fine payments_simulated'])
    expect(codes(await look('payments', { env: at('http://evidence.example') }))).toEqual(['mend payments_simulated_public'])
    expect(await look('payments', { env: { ...at('http://evidence.example'), PROBANT_PAYMENTS: 'transfer' } })).toEqual([
      { grade: 'fine', code: 'payments_transfer', data: { iban: selling.PROBANT_SELLER_IBAN } },
    ])
    // As operators are told to write it.
    const written = commandsOf(join(import.meta.dirname, '../../../docs/operating/configure.md')).find((block) =>
      block.includes('PROBANT_BILLING'),
    )
    const file = join(newFolder(), 'probant.env')
    writeFileSync(file, /<<'END'\n(.*)^END$/ms.exec(written ?? '')?.[1] ?? '', { mode: 0o600 })
    const env = readSettingsFile(file) as Record<string, string>
    expect(codes(await look('payments', { env }))).toEqual(['fine payments_transfer'])
    for (const [iban, fault] of [
      ['', 'PROBANT_SELLER_IBAN is required with PROBANT_BILLING=on'],
      ['FR7630006000011234567890188', 'PROBANT_SELLER_IBAN must be an IBAN without spaces, with its right check digits'],
    ] as const) {
      const { code, out } = await command({ ...env, PROBANT_SELLER_IBAN: iban })
      expect(code).toBe(2)
      expect(out).toContain(fault)
    }
  })

  test('payments by a provider: keys refused, nobody there, a user and a wallet that are not its own, and what it does not tell', async () => {
    const shop = await openShop()
    onTestFinished(async () => await shop.mangopay.stop())
    const { user, wallet } = shop.seller
    const address = 'http://localhost:8080'
    const given = {
      ...selling,
      PROBANT_PUBLIC_URL: address,
      PROBANT_MANGOPAY_CLIENT_ID: simulatedClient.clientId,
      PROBANT_MANGOPAY_API_KEY: simulatedClient.apiKey,
      PROBANT_MANGOPAY_URL: shop.mangopay.origin,
      PROBANT_MANGOPAY_USER: user,
      PROBANT_MANGOPAY_WALLET: wallet,
    }
    const found = async (env: Record<string, string> = {}) => codes(await look('payments', { env: { ...given, ...env } }))
    const [unheard] = await look('payments', { env: given })
    expect(unheard).toMatchObject({ grade: 'mend', code: 'payments_hooks', data: { address: `${address}/payments/hooks/` } })
    expect(unheard?.data?.['events']).toContain('PAYIN_NORMAL_SUCCEEDED, ')
    // As the worker does when it starts.
    expect(await shop.provider.notices?.subscribe(hooksAt(address))).toBe(true)
    expect(await found()).toEqual(['fine payments'])
    expect(await found({ PROBANT_PUBLIC_URL: 'http://127.0.0.1:9' })).toEqual(['mend payments_hooks'])
    expect(await found({ PROBANT_PUBLIC_URL: 'http://evidence.example' })).toEqual(['mend payments_hooks', 'mend payments_test'])

    const refused = { ...given, PROBANT_MANGOPAY_API_KEY: 'Of-another-contract-1' }
    expect(codes(await look('payments', { env: refused }))).toEqual(['mend payments_keys_refused'])
    const told = await command({ ...refused, PROBANT_DATA: newFolder(), PROBANT_NTP_SERVERS: 'none' }, '--lang', 'fr')
    expect(told.out).toContain(`Paiements\u202f: ${new URL(shop.mangopay.origin).host} refuse les clés.`)
    expect(told.out).not.toContain('Of-another-contract-1')

    expect(await found({ PROBANT_MANGOPAY_USER: 'nobody' })).toEqual([
      'mend payments_user_unknown',
      'mend payments_wallet_of_another',
    ])
    expect(await found({ PROBANT_MANGOPAY_WALLET: 'none' })).toEqual(['mend payments_wallet_unknown'])
    const open = async (owner: string, Currency: string) =>
      await wire<{ Id: string }>(shop.mangopay, 'POST wallets', { Owners: [owner], Currency, Description: 'Sales' })
    expect(await found({ PROBANT_MANGOPAY_WALLET: (await open(user, 'GBP')).Id })).toEqual(['mend payments_wallet_currency'])

    await shop.mangopay.control('POST faults', { kind: 'error-before', path: 'wallets', times: 9 })
    expect(await found()).toEqual(['mend payments_unreachable'])
    await shop.mangopay.control('DELETE faults')
    await shop.mangopay.control('POST faults', { kind: 'down' })
    expect(await found()).toEqual(['mend payments_unreachable'])
    const { host, port } = await closedPort()
    expect(await found({ PROBANT_MANGOPAY_URL: `http://${host}:${String(port)}` })).toEqual(['mend payments_unreachable'])
  })

  test('each authority really stamps; one that does not, and one whose time is not ours', async () => {
    const tsa = await startOutsideTsa({ key: 'ec' })
    onTestFinished(async () => await tsa.close())
    const { host, port } = await closedPort()
    const env = { TSA_URLS: `${tsa.url},http://${host}:${String(port)}/` }
    expect(codes(await look('authorities', { env }))).toEqual(['fine authority', 'mend authority_fails'])
    tsa.behave('altered_signature')
    expect(codes(await look('authorities', { env: { TSA_URLS: tsa.url } }))).toEqual(['mend authority_fails'])
    tsa.behave('honest')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000, shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const [ahead] = await look('authorities', { env: { TSA_URLS: tsa.url } })
    expect(ahead).toMatchObject({ grade: 'forbids', code: 'authority_clock' })
    expect(codes(await look('authorities'))).toEqual(['mend authorities_none'])
  })

  test('a mail server that greets, that refuses the password, and none', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'p' }) : done(new Error('5.7.8 no such user or password')),
    })
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    onTestFinished(async () => await new Promise<void>((resolve) => server.close(resolve)))
    const { port } = listening.address() as AddressInfo
    const mail = async (password: string) =>
      await look('mail', { env: { SMTP_URL: `smtp://p:${password}@127.0.0.1:${String(port)}` } })
    expect(codes(await mail('right'))).toEqual(['fine mail'])
    const wrong = await mail('Wrong-2')
    expect(codes(wrong)).toEqual(['mend mail_fails'])
    expect(JSON.stringify(wrong)).not.toContain('Wrong-2')
    expect(codes(await look('mail'))).toEqual(['fine mail_folder'])
    const production = { PROBANT_ENV: 'production', PROBANT_PUBLIC_URL: 'https://proofs.example' }
    expect(codes(await look('mail', { env: production }))).toEqual(['mend mail_none'])
  })

  test('the certificate of the public address: unknown to browsers, about to end, good, and not there', async () => {
    const folder = newFolder()
    const make = (days: number) => {
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', String(days)]
      const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject, ...files],
        {
          stdio: 'ignore',
        },
      )
      return { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') }
    }
    const before = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(before))
    const serve = async (days: number, known: boolean) => {
      const { key, cert } = make(days)
      setDefaultCACertificates(known ? [...before, cert] : before)
      const server = createServer({ key, cert })
      server.listen(0, 'localhost')
      await once(server, 'listening')
      try {
        const { port } = server.address() as AddressInfo
        return codes(await look('certificate', { env: { PROBANT_PUBLIC_URL: `https://localhost:${String(port)}` } }))
      } finally {
        server.close()
      }
    }
    expect(await serve(90, false)).toEqual(['mend certificate_refused'])
    expect(await serve(90, true)).toEqual(['fine certificate'])
    expect(await serve(7, true)).toEqual(['mend certificate_ends'])
    const { host, port } = await closedPort()
    const away = { PROBANT_PUBLIC_URL: `https://${host}:${String(port)}` }
    expect(codes(await look('certificate', { env: away }))).toEqual(['mend certificate_unreachable'])
    expect(codes(await look('certificate'))).toEqual(['fine certificate_none'])
  })
})

describe('the command', () => {
  const [en, fr] = [catalogues.en, catalogues.fr]

  test('a wrong setting is named, and nothing else is claimed', async () => {
    const { code, out } = await command({ PROBANT_DATA: newFolder(), PORT: 'eighty' })
    expect(code).toBe(2)
    expect(out).toContain('PORT must be a whole number from 0 to 65535')
    expect(out).not.toContain(en['doctor.check.database'])
    const french = await command({ PORT: 'eighty' }, '--lang', 'fr')
    expect(french.out).toContain(fr['doctor.end.forbids'])
  })

  test('all checks are told, in words or as JSON, and the worst decides', async () => {
    const data = newFolder()
    mkdirSync(join(data, 'keys'), { mode: 0o700 })
    const env = { PROBANT_DATA: data, DATABASE_URL: database.url, PROBANT_NTP_SERVERS: 'none' }
    const { code, out } = await command(env, '--json', '--lang', 'fr')
    const told = JSON.parse(out) as { grade: string; exit_code: number; findings: Record<string, string | null>[] }
    expect(code).toBe(2)
    expect(told).toMatchObject({ grade: 'forbids', exit_code: 2 })
    const checks = Object.keys(en).filter((id) => id.startsWith('doctor.check.'))
    expect(new Set(told.findings.map(({ check }) => `doctor.check.${String(check)}`))).toEqual(new Set(checks))
    for (const { grade, said, advice } of told.findings) {
      expect(said).not.toBe('')
      expect(advice === null).toBe(grade === 'fine')
    }
    expect(told.findings.find(({ check }) => check === 'servers')).toMatchObject({ grade: 'forbids', code: 'servers_none' })
    expect(told.findings.find(({ check }) => check === 'clock')?.['said']).toBe(fr['doctor.said.clock_unasked'])
  })

  test('each that is not fine says what to do, in both languages; wrong use is told', async () => {
    for (const words of [en, fr])
      for (const id of Object.keys(words).filter((each) => each.startsWith('doctor.do.')))
        expect(words[id.replace('.do.', '.said.')], id).toBeDefined()
    for (const argv of [['--fast'], ['--lang', 'de'], ['more']]) {
      const { code, said, out } = await command({}, ...argv)
      expect([code, out]).toEqual([3, ''])
      expect(said).toContain('Usage: probant doctor')
    }
  })

  test('a check that hangs or breaks stops no other', async () => {
    const stop = new AbortController().signal
    let ended = false
    const hangs = await runCheck(
      {
        name: 'mail',
        patienceMs: 10,
        run: async (signal) => {
          await once(signal, 'abort')
          ended = true
          return fine('mail_folder')
        },
      },
      stop,
    )
    expect(codes(hangs.findings)).toEqual(['mend late'])
    expect(ended).toBe(true)
    const breaks = await runCheck(
      { name: 'mail', patienceMs: 1_000, run: async () => await Promise.reject(new Error('a\u001b[31m\nb')) },
      stop,
    )
    expect(breaks.findings).toEqual([{ grade: 'mend', code: 'failed', data: { reason: 'a [31m' } }])
  })
})
