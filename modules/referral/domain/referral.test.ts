import { assert, emailAddress, property } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { maskAddress } from './mask-address.ts'
import { isSamePerson, type KnownPerson } from './same-person.ts'

test('E-42 of an address as much is shown as tells a friend, and no more', () => {
  expect(maskAddress('jeanne.martin@example.org')).toBe('j•••@e•••.org')
  expect(maskAddress('élodie@müller.fr')).toBe('é•••@m•••.fr')
  expect(maskAddress('a@b')).toBe('a•••@b•••')
  assert(
    property(emailAddress(), (address) => {
      const [local = '', domain = ''] = address.split('@')
      const masked = maskAddress(address)
      if (local.length > 1) expect(masked).not.toContain(local)
      expect(masked).not.toContain(domain)
    }),
  )
})

const jeanne: KnownPerson = {
  id: '1',
  firstName: 'Jeanne',
  lastName: 'Martin',
  birthDate: null,
  companyNumber: null,
  address: null,
  zip: null,
  mobilePhone: null,
  groupId: null,
  addresses: ['jeanne@example.org'],
}
const other = (said: Partial<KnownPerson>): KnownPerson => ({
  ...jeanne,
  id: '2',
  firstName: 'Paul',
  lastName: 'Durand',
  addresses: ['paul@example.org'],
  ...said,
})

test('nobody refers himself: by a second address, his firm, his telephone, his group or his name with his address', () => {
  expect(isSamePerson(jeanne, other({}))).toBe(false)
  expect(isSamePerson(jeanne, jeanne)).toBe(true)
  expect(isSamePerson(jeanne, other({ addresses: ['jeanne+2@example.org'] }))).toBe(true)
  expect(isSamePerson({ ...jeanne, companyNumber: '732 829 320' }, other({ companyNumber: '732829320' }))).toBe(true)
  expect(isSamePerson({ ...jeanne, mobilePhone: '+33612345678' }, other({ mobilePhone: '+33612345678' }))).toBe(true)
  expect(isSamePerson({ ...jeanne, groupId: 'g' }, other({ groupId: 'g' }))).toBe(true)
  const home = { address: '2, place du Marché', zip: '69001' }
  expect(isSamePerson({ ...jeanne, ...home }, other({ ...home }))).toBe(false)
  const namesake = { firstName: 'JEANNE', lastName: 'Martin' }
  expect(isSamePerson(jeanne, other(namesake))).toBe(false)
  expect(isSamePerson({ ...jeanne, ...home }, other({ ...namesake, address: '2 Place du Marche', zip: '69001' }))).toBe(true)
  expect(isSamePerson({ ...jeanne, birthDate: '1980-01-02' }, other({ ...namesake, birthDate: '1980-01-02' }))).toBe(true)
})
