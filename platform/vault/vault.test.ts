import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, property, string, uint8Array } from '../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { createVault, openVault, VaultError } from './vault.ts'

const vault = createVault(Buffer.alloc(32, 7))

test('what was sealed opens for the same purpose and the same thing, whatever the bytes', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), string(), string(), (bytes, purpose, of) => {
      const sealed = vault.seal(purpose, of, bytes)
      expect(vault.open(purpose, of, sealed)).toEqual(Buffer.from(bytes))
      expect(vault.seal(purpose, of, bytes)).not.toEqual(sealed)
      expect(() => vault.open(`${purpose}x`, of, sealed)).toThrow(VaultError)
      expect(() => vault.open(purpose, `${of}x`, sealed)).toThrow(VaultError)
    }),
    { numRuns: 50 },
  )
})

test('a changed, shortened or foreign byte string does not open', () => {
  const sealed = vault.seal('a.b', '1', Buffer.from('secret'))
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(() => vault.open('a.b', '1', changed), `bit ${String(bit)}`).toThrow(VaultError)
  }
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => vault.open('a.b', '1', sealed.subarray(0, length))).toThrow(VaultError)
  expect(() => createVault(Buffer.alloc(32, 8)).open('a.b', '1', sealed)).toThrow('another master key')
})

test('the master key is made once, for its owner alone', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'probant-vault-'))
  try {
    const sealed = openVault({ masterKey: undefined, dataFolder }).seal('a.b', '1', Buffer.from('secret'))
    expect(statSync(join(dataFolder, 'master-key')).mode & 0o777).toBe(0o600)
    expect(openVault({ masterKey: undefined, dataFolder }).open('a.b', '1', sealed).toString()).toBe('secret')
    expect(() => openVault({ masterKey: Buffer.alloc(32), dataFolder }).open('a.b', '1', sealed)).toThrow(VaultError)
  } finally {
    rmSync(dataFolder, { recursive: true })
  }
})
