// Makes a fresh machine able to run Probant. Plain JavaScript without dependencies: it must run on whatever Node the machine
// carries, before `npm ci` has brought the pinned one. It installs from the npm registry and from the system's packages only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { unpackOtherBrowser } from './offered-browser.mjs'
import { unpackServers } from './unpack-servers.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const pinnedNode = join(root, 'node_modules', '.bin', 'node')

/**
 * Environment in which Node keeps types stripped and code compiled, in the installation's own folder: a program then starts in half the
 * time, and each role is one. Node goes by the content of each file; where the folder cannot be written, it is done each time.
 */
export const keepCompiled = { NODE_COMPILE_CACHE: join(root, 'dist', 'compile-cache') }

/** What the product runs on: [file that shows it is there, Debian package]. */
const runtime = [
  // Node's own library; a small Debian has none.
  [`/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/libatomic.so.1`, 'libatomic1'],
  ['/usr/lib/chromium/chromium', 'chromium'],
  // The browser's own words: dialogs, date fields, what a form asks for. A French page is shown with French ones.
  ['/usr/lib/chromium/locales/fr.pak', 'chromium-l10n'],
  ['/usr/bin/bwrap', 'bubblewrap'],
  ['/usr/bin/ffmpeg', 'ffmpeg'],
  // Pictures of the pages of PDF files that people send.
  ['/usr/bin/pdftoppm', 'poppler-utils'],
  ['/usr/bin/socat', 'socat'],
  ['/usr/bin/Xvfb', 'xvfb'],
  ['/usr/bin/xdotool', 'xdotool'],
  ['/usr/bin/xclip', 'xclip'],
  ['/usr/bin/pulseaudio', 'pulseaudio'],
  ['/usr/bin/setpriv', 'util-linux'],
  ['/usr/bin/traceroute.db', 'traceroute'],
  ['/usr/share/fonts/truetype/liberation', 'fonts-liberation'],
  ['/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf', 'fonts-noto-core'],
  ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 'fonts-noto-cjk'],
  ['/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf', 'fonts-noto-color-emoji'],
]

/** The same as packages, for the release. */
export const systemPackages = [...new Set(runtime.map(([, name]) => name))]

/** What the tests check our output with: tools that are not ours. */
const oracles = [
  ['/usr/lib/firefox-esr/firefox-esr', 'firefox-esr'],
  ['/usr/bin/openssl', 'openssl'],
  ['/usr/sbin/nft', 'nftables'],
  ['/usr/sbin/ip', 'iproute2'],
  ['/usr/bin/pdfsig', 'poppler-utils'],
  ['/usr/bin/qpdf', 'qpdf'],
  ['/usr/bin/xmllint', 'libxml2-utils'],
  ['/usr/bin/bsdtar', 'libarchive-tools'],
  ['/usr/bin/tshark', 'tshark'],
  ['/usr/bin/unzip', 'unzip'],
  ['/usr/bin/python3', 'python3'],
  ['/usr/bin/systemd-analyze', 'systemd'],
  ['/usr/bin/systemd-notify', 'systemd'],
  ['/usr/lib/python3/dist-packages/opentimestamps', 'python3-opentimestamps'],
  ['/usr/bin/softhsm2-util', 'softhsm2'],
  ['/usr/bin/pkcs11-tool', 'opensc'],
  ['/usr/bin/age', 'age'],
  ['/usr/bin/kubectl', 'kubernetes-client'],
  ['/usr/lib/python3/dist-packages/jsonschema', 'python3-jsonschema'],
  ['/usr/lib/python3/dist-packages/kubernetes', 'python3-kubernetes'],
]

/** Where progress goes: the command line keeps stdout for its results. */
export const output = { fd: 1 }

export function say(text) {
  writeSync(output.fd, `${text}\n`)
}

function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function run(command, args, environment = {}, cwd = root) {
  const done = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', output.fd, 'inherit'],
    env: { ...process.env, ...environment },
  })
  if (done.error) stop(`${command} could not be started: ${done.error.message}`)
  return done.status ?? 1
}

const packagedNode = (modules) => join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
const noNode = `No Node 26 binary is packaged for ${process.platform}-${process.arch}; Linux on x64 or arm64 is needed.`

/** Whether npm, on that version of Node, installs all of our packages: those that carry programs ask for 20.19, or 22.12. */
export function installsAll(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
}

/** @param {string[]} npm its command @param {string} folder with a lock file */
function runNpm([command, ...first], args, folder) {
  const all = [...first, 'ci', '--include=optional', ...args, '--no-audit', '--no-fund', '--loglevel=error']
  // What packages run when they are installed runs on the same Node.
  const path = first.length === 0 ? {} : { PATH: `${dirname(command)}:${process.env.PATH}` }
  if (run(command, all, path, folder) === 0) return
  // npm ci begins by emptying the folder.
  const modules = join(folder, 'node_modules')
  const left = existsSync(modules) ? '' : ` What was in ${modules} is gone: nothing starts from here until npm ci succeeds.`
  stop(`npm ci failed; its message is above.${left} Run this again once its cause is mended.`)
}

/**
 * The command of an npm that installs all packages. On an older Node, as Debian 12 has it, npm leaves those that ask for a newer one out,
 * without a word: there the pinned Node, and an npm on it, are brought first.
 * @returns {string[]}
 */
function bringNpm() {
  const said = spawnSync('npm', ['version', '--json'], { cwd: root, encoding: 'utf8' })
  if (said.error) stop(`npm could not be started: ${said.error.message}`)
  if (said.status !== 0) stop(`npm does not say on which Node it runs:\n${said.stderr}`)
  const version = JSON.parse(said.stdout).node
  if (installsAll(version)) return ['npm']
  say(`npm runs on Node ${version} here, which is too old for some packages: bringing a newer one first…`)
  const folder = join(root, '.cache', 'first-node')
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'tools', 'first-node', file), join(folder, file))
  runNpm(['npm'], [], folder)
  const modules = join(folder, 'node_modules')
  if (!existsSync(packagedNode(modules))) stop(noNode)
  return [packagedNode(modules), join(modules, 'npm', 'bin', 'npm-cli.js')]
}

function installNodePackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.cache', 'probant-lock')
  const installed = existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
  if (installed) return
  const npm = bringNpm()
  say('Installing Node packages (npm ci)…')
  // Development packages are needed at run time too: the web application is built on the machine.
  runNpm(npm, ['--include=dev'], root)
  linkNode(join(root, 'node_modules'))
  if (!existsSync(pinnedNode)) stop(noNode)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lock)
}

/** npm 9, Debian 12's own, takes the command of the package it installed away again, with that of the other architecture's package. */
export function linkNode(modules) {
  const link = join(modules, '.bin', 'node')
  if (existsSync(link) || !existsSync(packagedNode(modules))) return
  rmSync(link, { force: true })
  symlinkSync(relative(dirname(link), packagedNode(modules)), link)
}

function canBecomeRoot() {
  return process.getuid?.() === 0 || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}

/**
 * Installs what is missing, in the newest version that the package manager offers: its lists are refreshed before, as an old list names old
 * versions, of the browser too. Without a network the lists that are there have to do.
 * @param {[string, string][]} wanted
 */
export function installSystemPackages(wanted) {
  const missing = [...new Set(wanted.filter(([file]) => !existsSync(file)).map(([, name]) => name))]
  if (missing.length === 0) return
  const install = ['install', '-y', '--no-install-recommends', ...missing]
  if (!existsSync('/usr/bin/apt-get'))
    stop(
      `These programs are missing: ${missing.join(', ')}. Install them with the system's package manager, then run this again.`,
    )
  if (!canBecomeRoot())
    stop(
      `These system packages are missing. Ask an administrator to run this once, then run this again:\n\n  sudo apt-get update && sudo apt-get ${install.join(' ')}\n`,
    )
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive']
  const apt = (args) => {
    const [command, ...rest] = [...prefix, 'apt-get', ...args]
    return run(command, rest, { DEBIAN_FRONTEND: 'noninteractive' })
  }
  say('Reading the package lists…')
  if (apt(['update', '-qq', '--error-on=any']) !== 0)
    say('The package lists could not be refreshed: what they offered when they were last read is installed, which may be old.')
  say(`Installing system packages: ${missing.join(', ')}…`)
  if (apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]) !== 0)
    stop(`The system packages could not be installed: ${missing.join(', ')}.`)
  const still = wanted.filter(([file]) => !existsSync(file)).map(([file, name]) => `${file} (package ${name})`)
  if (still.length > 0) stop(`Still missing after the installation: ${still.join(', ')}.`)
}

function checkFolder() {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    stop(`The folder ${root} is not writable for this user; clone the repository where it is.`)
  }
}

/** @param {{tests: boolean}} purpose */
export function setUp({ tests }) {
  if (process.platform !== 'linux') stop('Probant captures on Linux (Debian 12 or newer, Ubuntu).')
  checkFolder()
  // First: once the pinned Node is there, `npm start` runs on it, and it needs a library of the system.
  installSystemPackages(tests ? [...runtime, ...oracles] : runtime)
  installNodePackages()
  if (!tests) return
  unpackOtherBrowser(root, say)
  unpackServers(say)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  setUp({ tests: process.argv.includes('--tests') })
  say('Everything that Probant needs is installed.')
}
