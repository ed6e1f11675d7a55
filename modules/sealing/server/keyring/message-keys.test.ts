import { createHash, createPublicKey, verify } from 'node:crypto'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import { openKeyring } from './open-keyring.ts'
import { messageKeyKinds } from './message-key-file.ts'
import { messageKeys } from './message-keys.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let dir: string
let now: Date
const said: unknown[] = []
const log = { info: (...all: unknown[]) => void said.push(all), warn: (...all: unknown[]) => void said.push(all) }
const clock = { now: () => now }
beforeEach(async () => {
  folder = await temporaryFolder()
  dir = join(folder.dir, 'keys')
  now = new Date('2026-11-21T10:00:00Z')
  said.length = 0
})
afterEach(() => folder.remove())

const spki = (publicKey: Uint8Array) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]),
    format: 'der',
    type: 'spki',
  })

test('the log and the witness sign notes with Ed25519 under the name that the caller gives', async () => {
  const keyring = await openKeyring({ dir, clock, log })
  const message = Buffer.from('proofs.example/log\n1\nAAAA\n')
  const signers = [
    [await keyring.logSigner('proofs.example/log'), 1],
    [await keyring.witnessSigner('proofs.example/witness'), 4],
  ] as const
  for (const [signer, type] of signers) {
    const signature = await signer.sign(message)
    expect(signature).toHaveLength(64)
    expect(verify(null, message, spki(signer.publicKey), signature)).toBe(true)
    // C2SP signed-note: the key's hash binds name, type and key.
    const typed = Buffer.concat([Uint8Array.of(type), signer.publicKey])
    const id = createHash('sha256').update(`${signer.name}\n`).update(typed).digest().subarray(0, 4)
    expect(Buffer.from(signer.keyId)).toEqual(id)
    expect(signer.vkey).toBe(`${signer.name}+${id.toString('hex')}+${typed.toString('base64')}`)
  }
  expect(signers[0][0].publicKey).not.toEqual(signers[1][0].publicKey)
  const again = await openKeyring({ dir, clock, log })
  expect((await again.logSigner('proofs.example/log')).publicKey).toEqual(signers[0][0].publicKey)
  for (const name of ['', 'a b', 'a+b', 'a\n', '\ud800']) await expect(keyring.logSigner(name), name).rejects.toThrow('key name')
})

test('keys are rotated, their history is kept, and a running process takes up the new one', async () => {
  await openKeyring({ dir, clock, log })
  const [here, elsewhere] = [messageKeys({ dir, clock, log }), messageKeys({ dir, clock, log })]
  for (const kind of messageKeyKinds) {
    now = new Date('2026-11-21T10:00:00Z')
    const first = await here.current(kind)
    await expect(elsewhere.rotate(kind)).rejects.toThrow('sealing.clock_before_key')
    now = new Date('2027-01-01T00:00:00Z')
    const second = await elsewhere.rotate(kind)
    expect((await here.current(kind)).publicKey).toEqual(second.publicKey)
    expect(second.publicKey).not.toEqual(first.publicKey)
    expect((await here.history(kind)).map(({ key, until }) => [key.number, key.since, until])).toEqual([
      [1, first.since, second.since],
      [2, second.since, null],
    ])
  }
  for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o777, name).toBe(0o600)
})

test('several that need the first key at once get one', async () => {
  await openKeyring({ dir, clock, log })
  const all = await Promise.all(Array.from({ length: 12 }, () => messageKeys({ dir, clock, log }).current('log-signing')))
  expect(new Set(all.map((key) => Buffer.from(key.publicKey).toString('hex'))).size).toBe(1)
})

test('no secret is written to a log or an error, and a file with any octet changed is refused by name', async () => {
  await openKeyring({ dir, clock, log })
  for (const kind of messageKeyKinds) {
    const keys = messageKeys({ dir, clock, log })
    const { file, secret } = await keys.current(kind)
    const whole = await readFile(file)
    const hex = Buffer.from(secret).toString('hex')
    expect(whole.toString()).toContain(hex)
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole)
      damaged[at] = damaged[at] === 0x31 ? 0x32 : 0x31
      await writeFile(file, damaged)
      const error: unknown = await keys.current(kind).catch((thrown: unknown) => thrown)
      expect(error, `offset ${at}`).toMatchObject({ code: 'sealing.keyring_damaged', data: { path: file } })
      expect(JSON.stringify(error) + String(error) + String((error as Error).cause)).not.toContain(hex.slice(0, 12))
    }
    await writeFile(file, whole)
    await chmod(file, 0o644)
    await expect(keys.current(kind)).rejects.toMatchObject({ code: 'sealing.keyring_permissions' })
    expect(JSON.stringify(said)).not.toContain(hex)
  }
})
