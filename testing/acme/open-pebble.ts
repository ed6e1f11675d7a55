import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { serverProgram } from '../../tools/unpack-servers.mjs'
import { freePort } from '../free-port.ts'

export type Pebble = {
  /** What {@link acme} configurations name. */
  readonly directory: string
  /** PEM: what its own address is trusted by. */
  readonly trust: string
  readonly binding: { readonly kid: string; readonly hmacKey: string }
  /** PEM: the root of what it gives, another at each start. */
  readonly root: string
  close(): Promise<void>
}

const told = async (program: ChildProcess, word: string): Promise<void> => {
  if (program.stdout === null || program.stderr === null) throw new Error('what it says is not heard')
  const said = Promise.withResolvers<void>()
  for (const stream of [program.stdout, program.stderr])
    createInterface(stream).on('line', (line) => {
      if (line.includes(word)) said.resolve()
    })
  program.once('exit', (code) => said.reject(new Error(`it ended with ${code}`)))
  await said.promise
}

const read = async (url: string, ca: string): Promise<string> =>
  await new Promise((resolve, reject) => {
    request(url, { ca }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts).toString()))
    })
      .on('error', reject)
      .end()
  })

/**
 * Let's Encrypt's own authority for tests, on loopback, with names that all lead to this machine. As others do it refuses some nonces, and
 * takes accounts only of whoever it knows.
 * @param port where it looks for answers, in place of 80
 */
export async function openPebble(port: number): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'probant-pebble-'))
  const [certificate, privateKey, config] = ['cert.pem', 'key.pem', 'config.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const [listen, management, names] = [await freePort(), await freePort(), await freePort()]
  const binding = { kid: 'known', hmacKey: Buffer.alloc(32, 7).toString('base64url') }
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=pebble',
    ].concat(['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', privateKey, '-out', certificate]),
    { stdio: 'ignore' },
  )
  writeFileSync(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${listen}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate,
        privateKey,
        httpPort: port,
        tlsPort: port,
        externalAccountBindingRequired: true,
        externalAccountMACKeys: { [binding.kid]: binding.hmacKey },
      },
    }),
  )
  const programs: ChildProcess[] = []
  const start = async (program: string, args: string[], word: string) => {
    const started = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' },
    })
    programs.push(started)
    await told(started, word)
  }
  const close = async () => {
    for (const program of programs) {
      if (program.exitCode !== null || program.pid === undefined) continue
      const ended = once(program, 'exit')
      program.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '', '-management', '127.0.0.1:0']
    await start(
      join(dirname(serverProgram('pebble')), 'pebble-challtestsrv'),
      [...none, '-dns01', `127.0.0.1:${names}`],
      'Starting management server',
    )
    await start(serverProgram('pebble'), ['-config', config, '-dnsserver', `127.0.0.1:${names}`], 'Listening on')
    const trust = readFileSync(certificate, 'utf8')
    return {
      directory: `https://127.0.0.1:${listen}/dir`,
      trust,
      binding,
      root: await read(`https://127.0.0.1:${management}/roots/0`, trust),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
