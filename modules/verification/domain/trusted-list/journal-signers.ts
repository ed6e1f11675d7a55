/**
 * Who may sign the list of lists, by the Official Journal of the European Union: the anchor of everything here. A newer publication
 * replaces this one; between two, the list of lists itself names changes by its pivots.
 */
export type JournalSigners = {
  readonly journal: string
  /** As the list of lists writes it among its SchemeInformationURI: pivots before it are newer than the publication. */
  readonly url: string
  /** SHA-256 of each certificate. */
  readonly signers: readonly string[]
}

/**
 * OJ C, C/2026/1944: information on Member States' trusted lists, notified under Implementing Decision (EU) 2015/1505 as amended by
 * Implementing Decision (EU) 2025/2164.
 */
export const journalSigners: JournalSigners = {
  journal: 'C/2026/1944',
  url: 'https://eur-lex.europa.eu/eli/C/2026/1944/oj',
  signers: [
    'd2064fdd70f6982dcc516b86d9d5c56aea939417c624b2e478c0b29de54f8474',
    'e0a620fbb6747362bb933ac44169d676a553444716cf5f31605f12a22b8396b1',
    'c0641c4f7d56c431b1c924742db7fce9c1eef7d7fd212113a2768486b3abcdc5',
    'df7e29360c34b2b8d6d5f40325c1d4d12c9922cecd33b7407674a74b2b3ca1e5',
    'b63d416744e7098bf9ec2caa596a93bc2468e37f8284ba65ecc061711bcbaa18',
    '236103f03a8031ae8f47f9059bf8de38564cdbfebedde4a597d50f8980aa653b',
  ],
}

export const lotlAddress = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml'
