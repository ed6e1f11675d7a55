import type { MessageId, Messages } from '../../../../platform/messages/messages.ts'

/**
 * What settings refuse, as their parsers say it for logs: in English, as a sentence that begins with a name. `platform/config` knows no languages;
 * whoever sets up an installation is answered in his. Held to every setting that is asked for by a test.
 */
const sentences: readonly (readonly [RegExp, MessageId])[] = [
  [/^(?<name>\S+) must be an address starting with (?<first>\S+) or (?<second>\S+)$/, 'setup.fault.address'],
  [
    /^(?<name>\S+) must list addresses starting with (?<first>\S+) or (?<second>\S+), not (?<given>.*)$/s,
    'setup.fault.addresses',
  ],
  [/^(?<name>\S+) must be text of at most (?<most>\d+) characters(?: without control characters)?$/, 'setup.fault.text'],
  [/^(?<name>\S+) must be a whole number from (?<least>\d+) to (?<most>\d+)$/, 'setup.fault.whole_number'],
  [/^(?<name>\S+) must list IP addresses or CIDR ranges, not (?<given>.*)$/s, 'setup.fault.ranges'],
  [/^(?<name>\S+) must be an e-mail address$/, 'setup.fault.mail'],
  [/^(?<name>\S+) must be an e-mail address or Name <address>$/, 'setup.fault.sender'],
  [/^(?<name>\S+) must be a bucket name$/, 'setup.fault.bucket'],
  [/^(?<name>\S+) must be nine digits$/, 'setup.fault.siren'],
  [/^(?<name>\S+) must be five digits$/, 'setup.fault.zip'],
  [/^(?<name>\S+) must be `FR` and eleven digits or letters$/, 'setup.fault.vat_id'],
  [/^(?<name>\S+) must be an IBAN without spaces, with its right check digits$/, 'setup.fault.iban'],
  [/^(?<name>\S+) must be a BIC of 8 or 11 characters$/, 'setup.fault.bic'],
  [/^(?<name>\S+) must be (?<first>[\w-]+) or (?<second>[\w-]+) or (?<third>[\w-]+)$/, 'setup.fault.one_of_three'],
  [/^(?<name>\S+) must be (?<first>[\w-]+) or (?<second>[\w-]+)$/, 'setup.fault.one_of_two'],
  [/^(?<name>\S+) must be (?<first>[\w-]+)$/, 'setup.fault.one'],
  [/^(?<name>\S+) cannot have control characters$/, 'setup.fault.control'],
  [/^(?<name>\S+) cannot have an apostrophe beside /, 'setup.fault.quotes'],
  [/^(?<name>\S+) is required with (?<other>\S+)$/, 'setup.fault.required'],
  [/^(?<name>\S+) is required in production$/, 'setup.fault.required_production'],
  [/^(?<names>\S+(?:, \S+)*) and (?<last>\S+) are given together$/, 'setup.fault.together'],
  [/^(?<name>\S+) goes without (?<other>\S+)$/, 'setup.fault.without'],
  [/^(?<name>\S+) must have a name that an authority can reach with (?<other>\S+)$/, 'setup.fault.reachable'],
  [/^(?<name>\S+) must start with https:\/\/ with (?<other>\S+)$/, 'setup.fault.https_with'],
  [/^(?<name>\S+) must start with https:\/\/ in production: see (?<other>\S+)$/, 'setup.fault.https_production'],
  [/^(?<name>\S+) must start with https:\/\/, except on the machine itself$/, 'setup.fault.https'],
]

/** @returns the fault in the reader's language; as it is where it is of a setting that no step asks for */
export function sayFault(fault: string, messages: Messages): string {
  for (const [pattern, id] of sentences) {
    const groups = pattern.exec(fault)?.groups
    if (groups !== undefined) return messages.format(id, groups)
  }
  return fault
}
