import * as fc from '../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { abaChecksumHolds, bankFieldFault, endingOf, fieldsOfType, readBankAccount, bankAccountTypes } from './bank-account.ts'

/** The example of each country in the IBAN Registry of SWIFT, the registration authority of ISO 13616. */
const registry = `AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201
AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456
BR1800360305000010009795493C1 CH9300762011623852957 CY17002001280000001200527600 CZ6508000000192000145399
DE89370400440532013000 DK5000400440116243 DO28BAGR00000001212453611324 EE382200221020145685 ES9121000418450200051332
FI2112345600000785 FO6264600001631634 FR1420041010050500013M02606 GB29NWBK60161331926819 GE29NB0000000101904917
GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695 GT82TRAJ01020000001210029690 HR1210010051863000160
HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999 IS140159260076545510730339
IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 KZ86125KZT5004100100
LB62099900000001001901229114 LI21088100002324013AA LT121000011101001000 LU280019400644750000 LV80BANK0000435195001
MC5811222000010123456789030 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984
MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR NL91ABNA0417164300
NO9386011117947 PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702
PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379
SA0380000000608010167519 SE4550000000058398257466 SI56263300012039086 SK3112000000198742637541
SM86U0322509800000000270100 TN5910006035183598478831 TR330006100519786457841326 VG96VPVG0000012345678901`.split(/\s+/)

/** Routing numbers that their banks publish. */
const routing = ['021000021', '026009593', '111000025', '122105155', '122000247', '091000019', '011401533', '121000358']

const holder = { owner_name: 'Élodie O’Neill', owner_address: '1 rue de la Paix, 75002 Paris' }
const accepted = (read: ReturnType<typeof readBankAccount>) => ('account' in read ? read.account : read.faults)

describe('E-15 IBAN and BIC', () => {
  test.each(registry)('takes %s, however it is printed', (iban) => {
    expect(bankFieldFault('IBAN', 'iban', iban)).toBeNull()
    const printed = ` ${iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ')} `
    expect(accepted(readBankAccount('IBAN', { ...holder, iban: printed }))).toEqual({ type: 'IBAN', iban, ...holder })
  })

  test('finds every single digit that is another one (ISO 7064, mod 97-10)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...registry), fc.nat(33), fc.integer({ min: 1, max: 9 }), (iban, nth, by) => {
        const digits = Array.from(iban.matchAll(/\d/g), ({ index }) => index)
        const at = digits[nth % digits.length]
        const changed = Array.from(iban, (sign, i) => (i === at ? String((Number(sign) + by) % 10) : sign)).join('')
        expect(bankFieldFault('IBAN', 'iban', changed)).toBe('iban_invalid')
      }),
      { numRuns: 300 },
    )
  })

  test('refuses lengths of no country, and what is no IBAN', () => {
    for (const wrong of [
      'FR14',
      'DE8937040044053201300',
      'DE893704004405320130000',
      'ZZ89370400440532013000',
      '🏦',
      'x'.repeat(5000),
    ])
      expect(bankFieldFault('IBAN', 'iban', wrong)).toBe('iban_invalid')
  })

  test('H-32 a BIC has 8 or 11 characters and a country', () => {
    for (const bic of ['DEUTDEFF', 'deutdeff500', 'BNPAFRPPXXX', 'NEDSZAJJ'])
      expect(bankFieldFault('other', 'bic', bic)).toBeNull()
    for (const bic of ['DEUTDEF', 'DEUTDEFF5', 'DEUTDEFF5000', 'DEUTZZFF', '1234DEFF'])
      expect(bankFieldFault('other', 'bic', bic)).toBe('bic_invalid')
    expect(bankFieldFault('IBAN', 'bic', '')).toBeNull()
    expect(bankFieldFault('other', 'bic', ' ')).toBe('bic_required')
  })
})

describe('E-17 V-18 routing numbers', () => {
  test.each(routing)('takes %s', (aba) => expect(bankFieldFault('US', 'aba', aba)).toBeNull())

  test('finds every single digit that is another one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...routing), fc.nat(8), fc.integer({ min: 1, max: 9 }), (aba, at, by) => {
        const changed = Array.from(aba, (digit, i) => (i === at ? String((Number(digit) + by) % 10) : digit)).join('')
        expect(bankFieldFault('US', 'aba', changed)).toBe('aba_checksum')
      }),
    )
    expect(abaChecksumHolds('000000000')).toBe(false)
  })

  test('nine digits, no more, no fewer', () => {
    expect(bankFieldFault('US', 'aba', '02100002')).toBe('aba_length')
    expect(bankFieldFault('US', 'aba', '0210000210')).toBe('aba_length')
    expect(bankFieldFault('US', 'aba', '02100002l')).toBe('digits_only')
  })
})

describe('lengths of the other kinds', () => {
  test.each([
    ['GB', 'sort_code', '60-16-13', null],
    ['GB', 'sort_code', '60161', 'sort_code_length'],
    ['GB', 'sort_code', '6016133', 'sort_code_length'],
    ['GB', 'account_number', '31926819', null],
    ['GB', 'account_number', '3192681', 'account_number_length'],
    ['GB', 'account_number', '3192681a', 'digits_only'],
    ['GB', 'account_number', '３１９２６８１９', null],
    ['CA', 'branch_code', '00012', null],
    ['CA', 'branch_code', '0012', 'branch_code_length'],
    ['CA', 'institution_number', '003', null],
    ['CA', 'institution_number', '0003', null],
    ['CA', 'institution_number', '03', 'institution_number_length'],
    ['CA', 'institution_number', '00003', 'institution_number_length'],
    ['CA', 'account_number', '1'.repeat(20), null],
    ['CA', 'account_number', '1'.repeat(21), 'account_number_length'],
    ['CA', 'bank_name', 'Caisse Générale 24', null],
    ['CA', 'bank_name', 'Bank & Co', 'bank_name_characters'],
    ['CA', 'bank_name', 'B'.repeat(51), 'bank_name_length'],
    ['US', 'account_number', '1'.repeat(17), null],
    ['US', 'account_number', '1'.repeat(18), 'account_number_length'],
    ['US', 'deposit_type', 'savings', null],
    ['US', 'deposit_type', 'current', 'deposit_type_unknown'],
    ['other', 'account_number', 'AB12-34', null],
    ['other', 'account_number', 'A'.repeat(35), 'account_number_length'],
    ['other', 'account_number', 'A_1', 'account_number_invalid'],
    ['other', 'owner_name', 'A\u202EB', 'characters'],
    ['other', 'owner_address', 'x'.repeat(301), 'too_long'],
  ] as const)('V-16…V-22 %s %s %s', (type, field, typed, fault) => {
    expect(bankFieldFault(type, field, typed)).toBe(fault)
  })

  test('V-12 each field that a kind needs asks for itself', () => {
    for (const type of bankAccountTypes) {
      const wanted = fieldsOfType[type].filter((field) => !(type === 'IBAN' && field === 'bic'))
      const read = readBankAccount(type, {})
      expect('faults' in read && read.faults).toEqual(Object.fromEntries(wanted.map((field) => [field, [`${field}_required`]])))
    }
  })

  test('fields of another kind are not kept', () => {
    const read = readBankAccount('GB', {
      ...holder,
      sort_code: '601613',
      account_number: '31926819',
      iban: registry[0],
      aba: '1',
    })
    expect(accepted(read)).toEqual({ type: 'GB', sort_code: '601613', account_number: '31926819', ...holder })
    expect('account' in read && endingOf(read.account)).toBe('6819')
  })

  test('whatever is typed, there is an answer', () => {
    const text = fc.array(fc.nat(0x10ffff), { maxLength: 60 }).map((points) => String.fromCodePoint(...points))
    fc.assert(
      fc.property(fc.constantFrom(...bankAccountTypes), fc.oneof(text, fc.string()), (type, typed) => {
        for (const field of fieldsOfType[type]) {
          const read = readBankAccount(type, { [field]: typed })
          expect('faults' in read ? Object.keys(read.faults).length : 0).toBeGreaterThan(0)
        }
      }),
    )
  })
})
