import { afterEach, expect, test, vi } from 'vitest'
import { apiAddress } from './api-address.ts'

afterEach(() => vi.unstubAllEnvs())

test('K-26: calls go to where the page came from, unless the build was given another base', () => {
  expect(apiAddress('/evidences/')).toBe('/evidences/')
  vi.stubEnv('VITE_API_BASE', '')
  expect(apiAddress('/evidences/')).toBe('/evidences/')
  for (const base of ['https://api.example.org', 'https://api.example.org/']) {
    vi.stubEnv('VITE_API_BASE', base)
    expect(apiAddress('/evidences/')).toBe('https://api.example.org/evidences/')
  }
  // A whole address is taken as it is.
  expect(apiAddress('https://files.example.org/one')).toBe('https://files.example.org/one')
})
