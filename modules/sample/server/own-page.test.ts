import { expect, test } from 'vitest'
import { ownPage } from './own-page.ts'

test('the page is the installation’s own: as others see it, or, while developing, here', () => {
  const of = (publicUrl: string, environment: 'development' | 'production' = 'development') =>
    ownPage({ publicUrl, environment }, 'fr')
  expect(of('https://probant.example', 'production')).toEqual({ url: 'https://probant.example/fr/', allowAddresses: [] })
  expect(of('http://localhost:8080')).toEqual({ url: 'http://127.0.0.1:8080/fr/', allowAddresses: ['127.0.0.1:8080'] })
  expect(of('http://localhost')).toEqual({ url: 'http://127.0.0.1:80/fr/', allowAddresses: ['127.0.0.1:80'] })
  // Nothing of this machine is let be reached where visitors are.
  for (const own of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80']) expect(of(own, 'production')).toBeNull()
})
