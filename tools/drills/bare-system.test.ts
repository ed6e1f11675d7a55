import { expect, test } from 'vitest'
import { debianSources } from './bare-system.ts'

test('a bare Debian is made from where this machine has its own, and from nowhere else', () => {
  const lines = [
    'Debian|http://archive.example/debian/|bookworm|main',
    'Debian|http://archive.example/debian/|bookworm|main',
    'Debian|http://archive.example/debian/|bookworm-updates|main',
    'Debian|http://archive.example/security/|bookworm-security|main',
    'Debian|http://archive.example/debian/|sid|main',
    'Somebody|http://elsewhere.example/|bookworm|main',
    '',
  ]
  expect(debianSources(() => lines.join('\n'))).toEqual([
    'deb http://archive.example/debian/ bookworm main',
    'deb http://archive.example/debian/ bookworm-updates main',
    'deb http://archive.example/security/ bookworm-security main',
  ])
  expect(() => debianSources(() => lines.slice(4).join('\n'))).toThrow('bookworm')
})
