import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from './api-error.ts'
import { answerSignIn, askToSignIn, onSignInAsked, signInReason } from './ask-to-sign-in.ts'
import { call } from './call.ts'
import { actFor, beginSession, currentSession, endSession, onSession, parseSession } from './session.ts'

const response = z.object({ ok: z.boolean() })
const mine = endpoint({ method: 'GET', path: '/mine/', summary: '', access: ['user'], response })
const anybody = endpoint({ method: 'GET', path: '/anybody/', summary: '', access: ['open'], response })
const create = endpoint({ method: 'POST', path: '/create/', summary: '', access: ['open'], response })

function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage
}

const sent: Headers[] = []
/** Tokens that the server knows; any other is that of a session that is over. */
let good = new Set<string>()

beforeEach(() => {
  sent.length = 0
  good = new Set(['first', 'second'])
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('fetch', (_: string, init: { headers: Headers }) => {
    sent.push(init.headers)
    const bearer = init.headers.get('authorization')?.slice('Bearer '.length)
    if (bearer !== undefined && !good.has(bearer)) {
      const body = { code: 'http.session_ended', message: '', fields: {}, data: {}, request_id: 'r' }
      return Promise.resolve(Response.json(body, { status: 401 }))
    }
    return Promise.resolve(Response.json({ ok: true }))
  })
})
afterEach(() => vi.unstubAllGlobals())

const session = (token: string, userId = 'u') => ({ token, userId, brand: null })
const bearers = () => sent.map((headers) => headers.get('authorization'))
/** The dialog, as the visitor uses it. */
function whenAsked(act: () => boolean): () => void {
  return onSignInAsked(() => {
    if (signInReason() !== null) queueMicrotask(() => answerSignIn(act()))
  })
}

test('S-03 H-08: kept across sessions of the browser when asked to be remembered, else in this one alone; ended in both', () => {
  beginSession(session('first'), true)
  expect([localStorage.getItem('probant.session') !== null, sessionStorage.getItem('probant.session')]).toEqual([true, null])
  beginSession(session('second'), false)
  expect([localStorage.getItem('probant.session'), sessionStorage.getItem('probant.session') !== null]).toEqual([null, true])
  expect(currentSession()?.token).toBe('second')
  endSession('first')
  expect(currentSession()?.token).toBe('second')
  endSession('second')
  expect(currentSession()).toBeNull()
})

test('a browser that refuses storage keeps the session as long as the page', () => {
  const refused = {
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new Error('refused')
    },
  }
  vi.stubGlobal('sessionStorage', refused)
  vi.stubGlobal('localStorage', refused)
  beginSession(session('first'), true)
  expect(currentSession()?.token).toBe('first')
  endSession('first')
  expect(currentSession()).toBeNull()
})

test('what another program left under the key is no session', () => {
  for (const stored of [null, '', '{', '[]', 'null', '7', '{"token":1,"userId":"u"}', '{"token":"t"}'])
    expect(parseSession(stored)).toBeNull()
  expect(parseSession('{"token":"t","userId":"u","brand":"other"}')).toEqual({ ...session('t'), delegation: null })
})

test('C-00: the bearer goes with what may need it, never with what anyone may read, nor with a call that is nobody’s', async () => {
  await call(mine, {})
  beginSession(session('first'), false)
  await call(mine, {})
  await call(create, {})
  await call(anybody, {})
  await call(create, { anonymous: true })
  expect(bearers()).toEqual([null, 'Bearer first', 'Bearer first', null, null])
})

test('D-04 H-13: a session that is over is taken up by signing in, and the call is sent again', async () => {
  beginSession(session('over'), false)
  const heard = vi.fn()
  const stop = [
    onSession(heard),
    whenAsked(() => {
      beginSession(session('second'), false)
      return true
    }),
  ]
  // All who wait are answered by one dialog.
  expect(await Promise.all([call(mine, {}), call(create, {})])).toEqual([{ ok: true }, { ok: true }])
  expect(bearers()).toEqual(['Bearer over', 'Bearer over', 'Bearer second', 'Bearer second'])
  expect(heard).toHaveBeenCalled()
  for (const each of stop) each()
})

test('it is never sent again in the name of somebody else, nor when he does not sign in', async () => {
  beginSession(session('over'), false)
  const stopOther = whenAsked(() => {
    beginSession(session('second', 'somebody else'), false)
    return true
  })
  await expect(call(mine, {})).rejects.toThrow(ApiError)
  expect(bearers()).toEqual(['Bearer over'])
  stopOther()
  beginSession(session('over'), false)
  const stop = whenAsked(() => false)
  await expect(call(mine, {})).rejects.toMatchObject({ status: 401, code: 'http.session_ended' })
  expect(currentSession()).toBeNull()
  stop()
})

test('H-22: who acts for somebody does so by what may be delegated, in this tab, until that ends or he does', async () => {
  const shared = endpoint({ method: 'GET', path: '/shared/', summary: '', access: ['user'], delegable: 'read', response })
  beginSession(session('first'), true)
  actFor('delegation-1')
  expect(localStorage.getItem('probant.session')).not.toContain('delegation-1')
  await call(shared, {})
  await call(mine, {})
  expect(sent.map((headers) => headers.get('x-delegation'))).toEqual(['delegation-1', null])
  vi.stubGlobal('fetch', () => {
    const body = { code: 'http.delegation_ended', message: '', fields: {}, data: {}, request_id: 'r' }
    return Promise.resolve(Response.json(body, { status: 403 }))
  })
  await expect(call(shared, {})).rejects.toMatchObject({ code: 'http.delegation_ended' })
  expect(currentSession()).toMatchObject({ token: 'first', delegation: null })
  // Of another user's session what the former did in this tab is nothing.
  actFor('delegation-1')
  beginSession(session('second', 'somebody else'), false)
  expect(currentSession()?.delegation).toBeNull()
})

test('where nothing can ask him, the refusal is told at once', async () => {
  beginSession(session('over'), false)
  await expect(call(mine, {})).rejects.toMatchObject({ code: 'http.session_ended' })
})

test('what the session does not suffice for is asked for where the visitor is, and sent again; his session goes on', async () => {
  let proven = false
  vi.stubGlobal('fetch', (_: string, init: { headers: Headers }) => {
    sent.push(init.headers)
    const body = { code: 'identity.proof_required', message: '', fields: {}, data: {}, request_id: 'r' }
    return Promise.resolve(proven ? Response.json({ ok: true }) : Response.json(body, { status: 403 }))
  })
  beginSession(session('first'), false)
  const stop = onSignInAsked(() => {
    if (signInReason() !== null) queueMicrotask(() => answerSignIn(proven))
  })
  await expect(call(mine, {})).rejects.toMatchObject({ code: 'identity.proof_required' })
  expect([currentSession()?.token, signInReason(), sent.length]).toEqual(['first', null, 1])
  stop()
  const reasons: unknown[] = []
  const prove = onSignInAsked(() => {
    reasons.push(signInReason())
    proven = true
    if (signInReason() !== null) queueMicrotask(() => answerSignIn(true))
  })
  expect(await call(mine, {})).toEqual({ ok: true })
  expect([reasons[0], bearers()]).toEqual(['prove', ['Bearer first', 'Bearer first', 'Bearer first']])
  prove()
})

test('whose session ends while he is asked to prove himself signs in, and everything that waits goes on', async () => {
  const shown: unknown[] = []
  const stop = onSignInAsked(() => shown.push(signInReason()))
  const proof = askToSignIn('prove')
  const ended = askToSignIn('ended')
  expect(shown).toEqual(['prove', 'ended'])
  // What comes later does not turn it back.
  const again = askToSignIn('prove')
  expect(signInReason()).toBe('ended')
  answerSignIn(true)
  expect(await Promise.all([proof, ended, again])).toEqual([true, true, true])
  stop()
})
