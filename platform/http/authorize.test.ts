import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Actor, ApiScope, DelegationScope, StaffRole } from '../../kernel/actor.ts'
import { endpoint, type Access } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import { authorize } from './authorize.ts'

const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
const user: Actor = {
  userId: 'u',
  accountId: 'u',
  delegation: null,
  sessionId: 's',
  roles: new Set(),
  secondFactor: false,
  locale: 'en',
}
const staff = (role: StaffRole, secondFactor = true): Actor => ({ ...user, roles: new Set([role]), secondFactor })
const withKey = (...scopes: ApiScope[]): Actor => ({
  ...user,
  apiKey: { id: 'k', name: 'Backup', scopes: new Set(scopes) },
})
const known: Readonly<Record<string, Actor>> = {
  user,
  verifier: staff('verifier'),
  administrator: staff('administrator'),
  'key-to-read': withKey('documents:read', 'evidences:read'),
  'key-to-create': withKey('documents:create'),
  'administrator-without-second-factor': staff('administrator', false),
}

async function ask(
  call: { access: readonly Access[]; delegable?: DelegationScope; apiScope?: ApiScope },
  sent: { bearer?: string; evidenceToken?: string; delegation?: DelegationScope; authorization?: string },
): Promise<string> {
  const contract = endpoint({ method: 'GET', path: '/x/', summary: 'x', response: 'stream', ...call })
  const headers: Record<string, string> = {}
  if (sent.bearer !== undefined) headers['authorization'] = `Bearer ${sent.bearer}`
  if (sent.authorization !== undefined) headers['authorization'] = sent.authorization
  if (sent.evidenceToken !== undefined) headers['x-evidence-token'] = sent.evidenceToken
  if (sent.delegation !== undefined) headers['x-delegation'] = 'd'
  const request = { headers, ip: '127.0.0.1', raw: { url: '/x/' } } as unknown as FastifyRequest
  try {
    const admitted = await authorize(contract, request, {
      secret: 's'.repeat(32),
      clock,
      authenticate: async ({ bearer, delegation }) => {
        const actor = known[bearer]
        if (actor === undefined) throw new DomainError('unauthenticated', 'http.session_ended')
        if (delegation === undefined) return actor
        return { ...actor, accountId: 'other', delegation: { id: delegation, scope: sent.delegation ?? 'read' } }
      },
    })
    return [admitted.actor?.accountId, admitted.evidenceToken].filter((each) => each !== undefined).join('+') || 'stranger'
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

describe('who gets past the door', () => {
  test.each([
    ['open', {}, 'stranger'],
    ['open', { bearer: 'user' }, 'u'],
    // Who claims to be somebody is never silently taken for a stranger.
    ['open', { bearer: 'ended' }, 'http.session_ended'],
    ['open', { authorization: 'Bearer' }, 'http.session_ended'],
    ['open', { authorization: 'Basic dTpw' }, 'http.session_ended'],
    ['user', {}, 'http.sign_in_required'],
    ['user', { bearer: 'user' }, 'u'],
    ['user', { evidenceToken: 't' }, 'http.sign_in_required'],
    ['user', { bearer: 'x'.repeat(201) }, 'http.session_ended'],
    ['evidence_token', { bearer: 'user' }, 'http.evidence_token_missing'],
    ['evidence_token', { evidenceToken: 't' }, 't'],
    ['signed_link', {}, 'http.link_invalid'],
    // Staff calls do not exist for anyone else (P-14, decision H-20).
    ['administrator', {}, 'http.not_found'],
    ['administrator', { bearer: 'user' }, 'http.not_found'],
    ['administrator', { bearer: 'verifier' }, 'http.not_found'],
    ['administrator', { bearer: 'administrator-without-second-factor' }, 'http.not_found'],
    ['administrator', { bearer: 'administrator', delegation: 'manage' }, 'u'],
    ['administrator', { bearer: 'administrator' }, 'u'],
    ['administrator', { bearer: 'ended' }, 'http.session_ended'],
  ] as const)('%s × %j: %s', async (access, sent, expected) => {
    expect(await ask({ access: [access] }, sent)).toBe(expected)
  })

  test('a token of an evidence and a signed-in user are both told to the handler', async () => {
    const access = ['evidence_token', 'user'] as const
    expect(await ask({ access }, { bearer: 'user', evidenceToken: 't' })).toBe('u+t')
    expect(await ask({ access }, { evidenceToken: 't' })).toBe('t')
    expect(await ask({ access }, {})).toBe('http.sign_in_required')
  })

  test.each([
    [undefined, 'manage', 'http.not_delegated'],
    ['read', 'read', 'other'],
    ['create', 'read', 'http.not_delegated'],
    ['create', 'create', 'other'],
    ['create', 'manage', 'other'],
    ['manage', 'create', 'http.not_delegated'],
  ] as const)('P-09 a call that asks for %s, by a delegate who holds %s: %s', async (delegable, held, expected) => {
    const call = delegable === undefined ? { access: ['user' as const] } : { access: ['user' as const], delegable }
    expect(await ask(call, { bearer: 'user', delegation: held })).toBe(expected)
  })

  test.each([
    ['user', undefined, 'key-to-read', 'http.not_for_keys'],
    ['open', undefined, 'key-to-read', 'http.not_for_keys'],
    ['user', 'documents:create', 'key-to-read', 'http.key_lacks_scope'],
    ['open', 'documents:create', 'key-to-read', 'http.key_lacks_scope'],
    ['user', 'documents:read', 'key-to-read', 'u'],
    // One scope holds no other.
    ['user', 'documents:read', 'key-to-create', 'http.key_lacks_scope'],
    ['user', 'documents:create', 'key-to-create', 'u'],
    ['administrator', 'documents:create', 'key-to-create', 'http.not_found'],
    ['evidence_token', 'evidences:read', 'key-to-read', 'http.evidence_token_missing'],
  ] as const)('%s × scope %s × %s: %s', async (access, apiScope, bearer, expected) => {
    expect(await ask({ access: [access], ...(apiScope === undefined ? {} : { apiScope }) }, { bearer })).toBe(expected)
  })
})
