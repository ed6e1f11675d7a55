import { expect, test } from 'vitest'
import { tokenIn } from './token-in.ts'

const token = `${'aZ0_-'.repeat(8)}abc`

test('R-05 the address of a sale is found in what was pasted, and nothing else is taken for one', () => {
  for (const given of [
    token,
    ` ${token}\n`,
    `https://probant.example/fr/sale/${token}/`,
    `/en/sale/${token}?a=b`,
    `x/sale/${token}#y`,
  ])
    expect(tokenIn(given, 'sale')).toBe(token)
  for (const given of [
    '',
    'sale',
    `${token}a`,
    `/en/licence/${token}/`,
    `/en/sale/${token}/more`,
    `/en/sale/%00${token.slice(3)}/`,
  ])
    expect(tokenIn(given, 'sale')).toBeNull()
})
