/** Whatever is sent or given away in confidence stands in no log, at any level. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/create-log.ts'
import { withDatabase } from '../database.ts'
import { password, personOf } from '../permissions/people.ts'
import { openSite } from './open-site.test-data.ts'

const database = withDatabase()

test('ASVS 16.2.5 14.1.2 passwords, tokens, codes, addresses and what was captured are in no log, neither in its file nor at the terminal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probant-secrets-'))
  const terminal: string[] = []
  const log = createLog({ role: 'web', level: 'debug', folder, terminal: (line) => void terminal.push(line) })
  const site = await openSite(database.db, log)
  const secrets = [
    'Canary-7 password',
    'canary.address@people.example',
    'canary-page',
    'canary-code',
    'CanaryName',
    'canary-agent',
  ]
  try {
    const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${site.origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'user-agent': 'canary-agent', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    }
    const [canary, email, page, code, name] = secrets
    const chosen = { password: canary, password_confirmation: canary }
    const owner = personOf(site.world, 'owner')
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    await send('POST', '/rest-auth/registration/', {
      email,
      ...chosen,
      first_name: name,
      last_name: 'D',
      terms: true,
      locale: 'en',
    })
    await send('POST', '/rest-auth/registration/', {
      email,
      ...chosen,
      first_name: '<',
      last_name: name,
      terms: true,
      locale: 'en',
    })
    await send('POST', '/rest-auth/registration/verify-email/', { key: code })
    await send('POST', '/rest-auth/login/', { email, password: canary, code })
    const signedIn = await send('POST', '/rest-auth/login/', { email: owner.email, password, remember_me: true })
    const token = String(signedIn['access_token'])
    expect(token).toMatch(/^[\w-]{43}$/)
    await send('POST', '/rest-auth/password/change/', { old_password: canary, ...chosen }, bearer(token))
    await send('POST', '/rest-auth/password/reset/', { email })
    await send('POST', '/rest-auth/password/reset/confirm/', { uid: owner.id, token: site.world.resetToken, ...chosen })
    await send('POST', '/emails/', { email }, bearer(token))
    const { key } = await send('POST', '/api_keys/', { name, scopes: ['evidences:read'] }, bearer(token))
    expect(key).toMatch(/^pbt_/)
    await send('GET', '/evidences/', undefined, bearer(String(key)))
    await send('GET', '/emails/', undefined, bearer(String(key)))
    const made = await send('POST', '/evidences/', {
      url: `https://example.org/${page}?q=${page}`,
      action: 'static',
      locale: 'en',
    })
    await send('GET', `/evidences/${site.world.owned.id}/?${page}=1`, undefined, { 'x-evidence-token': site.world.owned.token })
    await send('GET', `/evidences/${site.world.free.id}/`, undefined, { 'x-evidence-token': site.world.free.token })
    await send('GET', `/files/${site.world.free.id}/piece/?path=${page}&expires=9999999999&signature=${code}`)
    await send('GET', `/nothing/${page}/`, undefined, bearer(code ?? ''))
    await send('GET', `/evidences/${page}/`, undefined, bearer(token))
    // Every call there is that ends by itself and ends no session, with a canary in each of its fields and parts of its path.
    const administrator = personOf(site.world, 'administrator').token
    for (const { method, path, body } of site.operations) {
      if (/events|logout|sessions/.test(path)) continue
      const named = Object.keys(body?.['properties'] ?? {})
      const asked = `${path.replaceAll(/:\w+/g, page ?? '')}?${page}=${code}`
      await send(
        method,
        asked,
        method === 'GET' ? undefined : Object.fromEntries(named.map((field) => [field, canary])),
        bearer(administrator),
      )
    }
    // A defect, too: what is thrown is logged whole.
    await database.db.schema.alterTable('profile').renameTo('profile_gone').execute()
    const broken = await send('GET', '/profiles/current/', undefined, bearer(token))
    expect(broken['code']).toBe('http.internal')
    const evidenceToken = String(made['evidence_token'])
    expect(evidenceToken).toMatch(/^[\w-]{20,}/)
    secrets.push(
      token,
      owner.token,
      evidenceToken,
      site.world.free.token,
      site.world.owned.token,
      site.world.resetToken,
      password,
    )
    secrets.push(owner.email, administrator, String(key))
  } finally {
    await site.close()
  }
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const all = [...written, ...terminal].join('\n')
  for (const what of ['answered', 'refused', 'request failed']) expect(all).toContain(what)
  for (const secret of secrets) expect(all).not.toContain(secret)
  // Each entry is one line of JSON with when, who and which request (ASVS 16.2.1, 16.2.4, 16.4.1).
  for (const line of written.join('').trim().split('\n')) {
    const entry = JSON.parse(line) as Record<string, unknown>
    expect(entry).toMatchObject({ time: expect.any(Number), role: 'web', msg: expect.any(String) })
  }
  rmSync(folder, { recursive: true })
})
