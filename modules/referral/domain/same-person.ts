/** What is known of somebody, as far as it says who he is. */
export type KnownPerson = {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly birthDate: string | null
  readonly companyNumber: string | null
  readonly address: string | null
  readonly zip: string | null
  readonly mobilePhone: string | null
  readonly groupId: string | null
  /** Proven addresses, in lower case. */
  readonly addresses: readonly string[]
}

const plain = (text: string | null): string =>
  (text ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** `jeanne+shop@example.org` reaches whom `jeanne@example.org` does. */
const mailbox = (address: string): string => address.toLowerCase().replace(/\+[^@]*@/, '@')

/**
 * Whether two accounts are of one person or one firm, by what they say of themselves: nobody refers himself. What is not said proves nothing.
 */
export function isSamePerson(a: KnownPerson, b: KnownPerson): boolean {
  if (a.id === b.id) return true
  const same = (x: string | null, y: string | null): boolean => plain(x) !== '' && plain(x) === plain(y)
  if (a.groupId !== null && a.groupId === b.groupId) return true
  if (same(a.companyNumber, b.companyNumber) || same(a.mobilePhone, b.mobilePhone)) return true
  if (a.addresses.some((each) => b.addresses.some((other) => mailbox(each) === mailbox(other)))) return true
  const isNamesake = same(`${a.firstName}${a.lastName}`, `${b.firstName}${b.lastName}`)
  return isNamesake && (same(a.birthDate, b.birthDate) || (same(a.address, b.address) && same(a.zip, b.zip)))
}
