import { expect, test } from 'vitest'
import { offlineFiles, type BuiltChunk } from './offline-files.ts'

const chunk = (fileName: string, given: Partial<BuiltChunk> = {}): BuiltChunk => ({
  fileName,
  source: null,
  isEntry: false,
  imports: [],
  dynamicImports: [],
  css: [],
  ...given,
})
const chunks = [
  chunk('assets/index-1.js', {
    isEntry: true,
    imports: ['assets/base-1.js'],
    dynamicImports: ['assets/Proofs-1.js', 'assets/Account-1.js'],
    css: ['assets/index-1.css'],
  }),
  chunk('assets/base-1.js'),
  chunk('assets/Account-1.js', { source: '/x/apps/web/pages/Account.tsx' }),
  chunk('assets/Proofs-1.js', {
    source: '/x/apps/web/pages/Proofs.tsx',
    imports: ['assets/base-1.js'],
    dynamicImports: ['assets/read-1.js'],
    css: ['assets/Proofs-1.css'],
  }),
  chunk('assets/read-1.js'),
  chunk('assets/verification.fr-1.js', { source: '/x/apps/web/catalogues/fr/verification.ts' }),
]

test('what the verifier is made of is kept, and nothing of other pages', () => {
  const { version, files } = offlineFiles(chunks, ['assets/verify.worker-1.js', 'assets/picture.worker-1.js', 'assets/a.woff2'])
  expect(files).toEqual([
    'assets/Proofs-1.css',
    'assets/Proofs-1.js',
    'assets/base-1.js',
    'assets/index-1.css',
    'assets/index-1.js',
    'assets/read-1.js',
    'assets/verification.fr-1.js',
    'assets/verify.worker-1.js',
  ])
  // A deployment that changes any of them is another version.
  expect(offlineFiles(chunks, ['assets/verify.worker-2.js']).version).not.toBe(version)
})
