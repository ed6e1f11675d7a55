import { expect, test } from 'vitest'
import { commonPasswords } from '../server/passwords/common-passwords.ts'
import { isCommonPassword } from './common-password.ts'
import { passwordFaultsOf } from './password.ts'

const isCommon = (password: string, ...about: string[]) => isCommonPassword(password, commonPasswords, about)

test('V-03 K-19: a password has 8 to 32 characters, of whichever script', () => {
  const of = (length: number, letter = 'é') => `Aa1-${letter.repeat(length - 4)}`
  for (const length of [8, 9, 31, 32]) expect(passwordFaultsOf(of(length))).toEqual([])
  // A character that a computer writes in two halves is one.
  expect(passwordFaultsOf(of(32, '𝒶'))).toEqual([])
  expect([passwordFaultsOf(of(7)), passwordFaultsOf(of(33)), passwordFaultsOf(of(7, '𝒶'))]).toEqual([
    ['password_too_short'],
    ['password_too_long'],
    ['password_too_short'],
  ])
})

test('V-04: common passwords that are dressed up to fit the rules are told from others', () => {
  // Those that people take where a capital, a digit and a special character are asked for.
  const dressed =
    `P@ssw0rd Passw0rd! Password1! Password123! P@ssword1 Pa$$w0rd1 Welcome1! Welcome@123 Qwerty123! Qwerty@123 Abcd@1234
    Admin@123 Letmein1! Summer2026! Football1! Monkey123! Dragon#1 Iloveyou1! Sunshine1! Princess1! 1qaz@WSX !QAZ2wsx Zaq1@wsx Test@1234
    Superman1! Batman123! Trustno1! Master#123 Azerty123! Shadow12! Michael1! Charlie1! Nathalie1! Soleil123!`.split(/\s+/)
  expect(dressed.filter((password) => passwordFaultsOf(password).length > 0)).toEqual([])
  expect(dressed.filter((password) => !isCommon(password))).toEqual([])
  const good = ['Correct-horse 7', 'Another-horse 8', 'Vf7!kWqz0t', 'Le petit-prince 1943', 'Sunshine!48271934', 'Été à Nîmes 7!']
  expect(good.filter((password) => isCommon(password))).toEqual([])
})

test('of the common passwords themselves none passes once it fits the rules', () => {
  expect(commonPasswords.size).toBeGreaterThan(40_000)
  let tried = 0
  const passed = [...commonPasswords].filter((word) => {
    const password = `${word.charAt(0).toUpperCase()}${word.slice(1)}1!`
    if (passwordFaultsOf(password).length > 0) return false
    tried += 1
    return !isCommon(password)
  })
  expect(passed).toEqual([])
  // ASVS 5.0 6.2.4 asks for 3,000.
  expect(tried).toBeGreaterThan(20_000)
})

test('what a stranger knows of somebody is no password of his', () => {
  for (const password of ['Dupont-2026!', 'Claire.dupont1!', 'Cl@ire2026!', 'Probant#2026'])
    expect(isCommon(password, 'Claire', 'Dupont', 'claire.dupont@example.org', 'Probant')).toBe(true)
  expect(isCommon('Li-1 Correct!', 'Li')).toBe(false)
})
