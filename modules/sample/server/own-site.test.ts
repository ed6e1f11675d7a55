import { expect, test } from 'vitest'
import { ownSite } from './own-site.ts'

test('the pages are the installation’s own: as others see it, or, while developing, here', () => {
  const of = (publicUrl: string, environment: 'development' | 'production' = 'development') => ownSite({ publicUrl, environment })
  expect(of('https://probant.example', 'production')).toEqual({ origin: 'https://probant.example', allowAddresses: [] })
  expect(of('http://localhost:8080')).toEqual({ origin: 'http://127.0.0.1:8080', allowAddresses: ['127.0.0.1:8080'] })
  expect(of('http://localhost')).toEqual({ origin: 'http://127.0.0.1:80', allowAddresses: ['127.0.0.1:80'] })
  // Nothing of this machine is let be reached where visitors are.
  for (const own of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:80']) expect(of(own, 'production')).toBeNull()
})
