/**
 * What docs/operating/install.md tells its reader to type, typed by root into a Debian on which nothing was installed, in order and nothing else, from the
 * package that `build:release -- --pack` makes to the first verified package of evidence: timed. Then a capture by the units, and what the other documents
 * say: at the end all of it is destroyed, and comes back from its backup.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bootBareSystem, makeBareRoot, type BareSystem, type Ended, type Typing } from './drills/bare-system.ts'
import { commandsOf } from './release/document-commands.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = join(root, 'docs/operating')
/** Nobody answers at the addresses of the documents: the installation's own page is captured instead, which it has to be allowed. */
const page = 'http://127.0.0.1:8080/en/'
const patience = 30 * 60
const work = mkdtempSync('/var/tmp/probant-install-')
const say = (text: string) => void process.stdout.write(`${text}\n`)
function hold(what: string, isSo: boolean): void {
  say(`${isSo ? 'ok ' : 'NOT SO'}  ${what}`)
  if (!isSo) process.exitCode = 1
}

function makePackage(): string {
  const release = join(work, 'release/probant')
  execFileSync(process.execPath, [join(root, 'tools/build-release.ts'), release, '--pack'], { cwd: root, stdio: 'ignore' })
  const name = readdirSync(join(work, 'release')).find((each) => each.endsWith('.deb')) ?? ''
  return join(work, 'release', name)
}

/** The last of what a terminal showed: apt draws its progress over and over. */
const lastLines = (said: string, count: number) =>
  said
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => `    | ${line}`)
    .join('\n')

async function typed(system: BareSystem, commands: string, right: readonly number[], typing: Typing = []): Promise<Ended> {
  const ended = await system.type(commands, typing)
  const last = commands.trim().split('\n').at(-1) ?? ''
  // A program that broke says which Node it broke on, and its exit code may be one that means something else.
  const isSo = right.includes(ended.status) && !/^Node\.js v/m.test(ended.said)
  hold(`${ended.seconds.toFixed(1)} s, exit code ${String(ended.status)}: ${last}`, isSo)
  if (!isSo) say(lastLines(ended.said, 60))
  return ended
}

/** What a proxy passes on with each request, once configure.md has put one before it. */
const proxy: string[] = []
const read = (system: BareSystem, path: string, ...more: string[]): string => {
  const how = ['--silent', '--show-error', '--fail-with-body', ...proxy, ...more]
  return system.beside('curl', ...how, `http://127.0.0.1:8080${path}`)
}

type Held = { readonly id: string; readonly token: string }
const statusOf = (system: BareSystem, { id, token }: Held) =>
  (JSON.parse(read(system, `/evidences/${id}/`, '--header', `x-evidence-token: ${token}`)) as { status: string }).status

/** A capture as a page of the product asks for it, made by the units. */
async function captureByUnits(system: BareSystem): Promise<Held> {
  const body = JSON.stringify({ url: page, action: 'static', locale: 'en' })
  const began = performance.now()
  const asked: unknown = JSON.parse(read(system, '/evidences/', '--header', 'content-type: application/json', '--data', body))
  const { evidence, evidence_token: token } = asked as { evidence: { id: string }; evidence_token: string }
  const held = { id: evidence.id, token }
  const ends = ['to_validate', 'failed', 'cancelled']
  while (!ends.includes(statusOf(system, held)) && performance.now() - began < 300_000) await wait(500)
  const status = statusOf(system, held)
  hold(
    `the units captured and sealed a page in ${((performance.now() - began) / 1000).toFixed(1)} s: ${status}`,
    status === 'to_validate',
  )
  return held
}

/** As install.md says: of a new installation something may be to be mended, and nobody vouches for its authority. */
function rightCodes(block: string): readonly number[] {
  if (block.includes('probant doctor')) return [0, 1]
  return block.includes('probant verify') ? [2] : [0]
}

async function followInstall(system: BareSystem): Promise<void> {
  const blocks = commandsOf(join(documents, 'install.md')).map((block) => block.replaceAll('https://evidence.example/', page))
  const began = performance.now()
  const password = 'A drill of 7 words, and more'
  for (const [i, block] of blocks.entries()) {
    const typing: Typing = [
      ['Password', password],
      ['Again', password],
    ]
    const ended = await typed(system, block, rightCodes(block), typing)
    if (/probant (?:doctor|verify)/.test(block)) say(lastLines(ended.said, 25))
    if (i === 0) await system.type(`echo PROBANT_ALLOW_ADDRESSES=127.0.0.1:8080 >> /etc/probant/probant.env\n`)
  }
  const seconds = (performance.now() - began) / 1000
  hold(
    `from a bare system to the first verified package in ${(seconds / 60).toFixed(1)} minutes; load ${loadavg()[0]?.toFixed(1) ?? ''}`,
    seconds < patience,
  )
}

const services = 'probant-database probant-web probant-worker probant-capture'
const areActive = async (system: BareSystem) => await typed(system, `systemctl is-active ${services}\n`, [0])

/** Every command of a document, in order. @param part of its blocks, as `slice` takes it */
async function follow(system: BareSystem, name: string, ...part: readonly [from?: number, to?: number]): Promise<void> {
  say(`${name}.md`)
  for (const block of commandsOf(join(documents, `${name}.md`)).slice(...part)) await typed(system, block, rightCodes(block))
}

async function until(isSo: () => Promise<boolean>, patienceSeconds: number): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < patienceSeconds * 1000; await wait(2_000))
    if (await isSo().catch(() => false)) return true
  return false
}

/** A minute of the day that is about to come, UTC. */
const soon = () => new Date(Date.now() + 150_000).toISOString().slice(11, 16)

/** The night comes at once; then all is destroyed, and comes back by what lies in /srv/backup and what was kept apart. */
async function backFromTheDead(system: BareSystem, held: Held): Promise<void> {
  // The identity is made by the first block of the document; what is told of it is its public half.
  let recipient = ''
  const change = (block: string) =>
    block.replaceAll('age1RECIPIENT', recipient).replace('PROBANT_BACKUP_AT=02:30', `PROBANT_BACKUP_AT=${soon()}`)
  say('back-up.md')
  for (const block of commandsOf(join(documents, 'back-up.md'))) {
    const { said } = await typed(system, change(block), [0])
    recipient = /\bage1[a-z0-9]{58}\b/.exec(said)?.[0] ?? recipient
  }
  // Of those of one day the newest stays.
  const newest = async () =>
    /"id":"([^"]+)"/.exec((await system.type('runuser -u probant -- probant backup list --to /srv/backup\n')).said)?.[1] ?? ''
  const before = await newest()
  hold('the night took a backup by itself', await until(async () => (await newest()) > before, 360))
  writeFileSync(join(system.folder, 'root/checkpoint.txt'), read(system, '/log/checkpoint'))
  await follow(system, 'remove')
  await typed(system, 'test ! -e /var/lib/probant && test ! -e /etc/probant && test ! -e /usr/lib/probant\n', [0])
  const began = performance.now()
  // Installed anew, and not started.
  await typed(system, commandsOf(join(documents, 'install.md'))[0] ?? '', [0])
  await follow(system, 'restore')
  // Who comes too early is not answered.
  const isBack = await until(async () => await Promise.resolve().then(() => statusOf(system, held) === 'to_validate'), 60)
  hold(
    `back after ${((performance.now() - began) / 60_000).toFixed(1)} minutes: the page that the units captured is there`,
    isBack,
  )
  await captureByUnits(system)
}

async function followOthers(system: BareSystem): Promise<void> {
  const held = await captureByUnits(system)
  // Who made the release is looked at before it is installed (pack.test.ts).
  await follow(system, 'secure', 1)
  await follow(system, 'configure')
  proxy.push('--header', 'x-forwarded-proto: https', '--header', 'host: evidence.example')
  await areActive(system)
  await follow(system, 'watch', 0, -1)
  // The last is typed half a minute later, as is said there: until then Prometheus may not answer yet.
  const asked = commandsOf(join(documents, 'watch.md')).at(-1) ?? ''
  const lines = async () => (await system.type(asked)).said
  hold(
    'Prometheus reads each process',
    await until(async () => new Set((await lines()).match(/role="(?:web|worker|capture)"/g)).size === 3, 90),
  )
  await follow(system, 'traces')
  await follow(system, 'upgrade')
  await areActive(system)
  await backFromTheDead(system, held)
  await areActive(system)
}

try {
  const given = process.argv[2]
  const file = given ?? makePackage()
  say(`${basename(file)}: ${(statSync(file).size / 1e6).toFixed(0)} MB`)
  const lintian = spawnSync(
    'lintian',
    ['--no-cfg', '--allow-root', '--tag-display-limit', '0', '--fail-on', 'error,warning', file],
    {
      encoding: 'utf8',
    },
  )
  say(lintian.stdout.trim())
  hold('lintian finds no error and no warning', lintian.status === 0)
  const began = performance.now()
  makeBareRoot(join(work, 'root'))
  say(
    `a bare Debian ${readFileSync(join(work, 'root/etc/debian_version'), 'utf8').trim()}: ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  copyFileSync(file, join(work, 'root/root', basename(file)))
  const system = await bootBareSystem(join(work, 'root'))
  try {
    await followInstall(system)
    await followOthers(system)
  } finally {
    await system.close()
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
