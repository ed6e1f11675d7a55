/** Who timestamps, whom the verifier trusts, and which keys sign. */
import { address, commaSeparated, integer, mebi, text } from './parsers.ts'
import { setting } from './setting.ts'

export const sealing = {
  tsaUrls: setting({
    name: 'TSA_URLS',
    accepts: 'comma-separated addresses starting with `http://` or `https://`',
    parse: commaSeparated(address(['http:', 'https:']).parse),
    fallback: [] as readonly string[],
    fallbackText: 'the embedded authority, which is *not qualified*',
    meaning: 'RFC 3161 timestamp authorities, tried in this order.',
  }),
  trustedLists: setting({
    name: 'PROBANT_TRUSTED_LISTS',
    accepts: '`none`, or an address starting with `https://` or `http://`',
    parse(this: void, value: string): string {
      return value === 'none' ? value : address(['https:', 'http:']).parse(value)
    },
    fallback: 'https://ec.europa.eu/tools/lotl/eu-lotl.xml',
    fallbackText: '`https://ec.europa.eu/tools/lotl/eu-lotl.xml`',
    meaning:
      "The European Union's list of trusted lists. Once a day the worker reads it and the lists it names, verifies their signatures, and keeps what it had where one cannot be had; until it could, the shipped snapshot stands. `none` reads nothing.",
  }),
  trustedListSeconds: setting({
    name: 'PROBANT_TRUSTED_LIST_SECONDS',
    ...integer(1, 600, 'seconds'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'How long one trusted list may take to arrive.',
  }),
  trustedListBytes: setting({
    name: 'PROBANT_TRUSTED_LIST_BYTES',
    ...integer(mebi, 16 * mebi, 'bytes'),
    fallback: 16 * mebi,
    fallbackText: '`16777216` (16 MiB)',
    meaning: 'Longest trusted list that is taken. The largest, of Germany, has some 5 MiB.',
  }),
  tokenModule: setting({
    name: 'PROBANT_PKCS11_MODULE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'the key that seals is in a file of the data folder',
    meaning:
      'PKCS#11 module (a shared library) of the token or security module that holds the key that seals: ECDSA P-256. It is reached through `pkcs11-tool` of OpenSC, which must be installed.',
  }),
  tokenLabel: setting({
    name: 'PROBANT_PKCS11_TOKEN',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'Label of the token.',
  }),
  tokenKey: setting({
    name: 'PROBANT_PKCS11_KEY',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'Label of the key pair in the token; the public key must be there too.',
  }),
  tokenPinFile: setting({
    name: 'PROBANT_PKCS11_PIN_FILE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_PKCS11_MODULE`',
    meaning: 'File with the PIN and nothing else, readable by its owner alone. A PIN that the token refuses is not tried again.',
  }),
  tokenCertificate: setting({
    name: 'PROBANT_PKCS11_CERTIFICATE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: "the platform's own authority certifies the key",
    meaning: 'PEM file with the certificate of that key and its issuers up to the root, leaf first.',
  }),
  archiveCertificate: setting({
    name: 'PROBANT_WACZ_CERTIFICATE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'web archives carry an anonymous signature',
    meaning:
      'PEM file with the certificate of a domain of the operator and its issuers, leaf first, to sign web archives (WACZ) in the domain form. Tools of others accept it for the seven days after its start; afterwards the anonymous form is written.',
  }),
  archiveKey: setting({
    name: 'PROBANT_WACZ_KEY',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_WACZ_CERTIFICATE`',
    meaning: 'PEM file of the private key of that certificate, elliptic curve. Read by the worker alone.',
  }),
} as const
