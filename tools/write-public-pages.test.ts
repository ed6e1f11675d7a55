import { expect, test } from 'vitest'
import { filesOf } from './write-public-pages.mjs'

const manifest = {
  'a.tsx': { file: 'a.js', css: ['a.css'], imports: ['b.ts', 'c.ts'] },
  'b.ts': { file: 'b.js', imports: ['c.ts'] },
  'c.ts': { file: 'c.js', css: ['c.css'], imports: ['a.tsx'] },
}

test('of a chunk and of all that it imports every file is named once, what is needed first before what needs it', () => {
  expect(filesOf(manifest, 'a.tsx')).toEqual({ css: ['c.css', 'a.css'], scripts: ['c.js', 'b.js', 'a.js'] })
  expect(() => filesOf(manifest, 'd.ts')).toThrow('the manifest names no d.ts')
})
