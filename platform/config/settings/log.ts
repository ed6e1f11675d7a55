/** The public log, its witnesses and its anchors in Bitcoin. */
import { address, commaSeparated, integer, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

/** Name of a key or of a log, as c2sp.org/signed-note allows it. */
function parseKeyName(name: string): string {
  if (!/^[^\s+,#]{1,200}$/u.test(name)) throw new RangeError('must be a name without blanks, commas, + or #')
  return name
}

/** A verifier key of c2sp.org/signed-note: what it says of itself is checked where it is used. */
function parseVerifierKeyText(key: string): string {
  if (!/^[^\s+,#]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43,}={0,2}$/u.test(key))
    throw new RangeError(`must hold verifier keys name+hash+key, not ${JSON.stringify(key)}`)
  return key
}

/** Addresses without login, query or fragment, as OpenTimestamps writes them into proofs; a slash at the end is taken off. */
function calendarList(list: string): readonly string[] {
  if (list === 'none') return []
  return commaSeparated((item) => {
    const url = URL.parse(item)
    if (url === null || !/^https?:\/\/[A-Za-z0-9\-._/:]{1,500}$/.test(item) || url.username !== '')
      throw new RangeError(`must list addresses starting with http:// or https://, not ${JSON.stringify(item)}`)
    return item.replace(/\/+$/, '')
  })(list)
}

export const log = {
  logOrigin: setting({
    name: 'PROBANT_LOG_ORIGIN',
    accepts: 'name without blanks, commas, `+` or `#`',
    parse: parseKeyName,
    fallback: undefined as string | undefined,
    fallbackText: '`PROBANT_PUBLIC_URL` without its scheme, and `/log`',
    meaning: 'Identity of the public log, fixed for ever by its first entry: a later value changes nothing.',
  }),
  logWitnesses: setting({
    name: 'PROBANT_LOG_WITNESSES',
    accepts: 'comma-separated addresses of witnesses, each with `#` and its verifier key (`https://host/prefix#name+hash+key`)',
    parse: commaSeparated((item) => {
      const [url = '', key = '', ...rest] = item.split('#')
      if (rest.length > 0) throw new RangeError('must have one # for each witness')
      return { url: address(['http:', 'https:']).parse(url).replace(/\/+$/, ''), key: parseVerifierKeyText(key) }
    }),
    fallback: [] as readonly { url: string; key: string }[],
    fallbackText: 'none: the operator alone signs the log',
    meaning: 'Witnesses (c2sp.org/tlog-witness) that are asked to cosign each checkpoint of the public log, in the background.',
  }),
  witnessedLogs: setting({
    name: 'PROBANT_WITNESSED_LOGS',
    accepts: 'comma-separated verifier keys of logs; `origin#` before one whose name is not the origin of its log',
    parse: commaSeparated((item) => {
      const at = item.lastIndexOf('#')
      const key = parseVerifierKeyText(item.slice(at + 1))
      return { origin: at < 0 ? key.slice(0, key.indexOf('+')) : item.slice(0, at), key }
    }),
    fallback: [] as readonly { origin: string; key: string }[],
    fallbackText: 'none',
    meaning:
      'Logs of others that this installation cosigns as a witness, at `/witness/add-checkpoint`, each only as long as it does nothing but grow.',
  }),
  witnessName: setting({
    name: 'PROBANT_WITNESS_NAME',
    accepts: 'name without blanks, commas, `+` or `#`',
    parse: parseKeyName,
    fallback: undefined as string | undefined,
    fallbackText: '`PROBANT_PUBLIC_URL` without its scheme, and `/witness`',
    meaning: 'Name of the key with which this installation cosigns logs of others.',
  }),
  otsCalendars: setting({
    name: 'PROBANT_OTS_CALENDARS',
    accepts: '`none`, or comma-separated addresses starting with `http://` or `https://`',
    parse: calendarList,
    fallback: [
      'https://alice.btc.calendar.opentimestamps.org',
      'https://bob.btc.calendar.opentimestamps.org',
      'https://finney.calendar.eternitywall.com',
      'https://btc.calendar.catallaxy.com',
    ] as readonly string[],
    fallbackText:
      'the four public calendars: `alice` and `bob` of opentimestamps.org, `finney` of eternitywall.com, catallaxy.com',
    meaning:
      'OpenTimestamps calendars that anchor checkpoints of the public log in Bitcoin, in order of preference; two of them are asked each time. They learn the commitment of a checkpoint and nothing else. `none`: no calendar.',
  }),
  anchorMinutes: setting({
    name: 'PROBANT_ANCHOR_EVERY',
    ...integer(1, 10_080, 'minutes'),
    fallback: 60,
    fallbackText: '`60`',
    meaning: 'Least time between two anchors of the public log. What was sealed meanwhile shares one.',
  }),
  anchorDays: setting({
    name: 'PROBANT_ANCHOR_GIVE_UP',
    ...integer(1, 365, 'days'),
    fallback: 7,
    fallbackText: '`7`',
    meaning: 'When an anchor that no block took is given up; another is begun, which covers the same seals.',
  }),
  bitcoinRpc: setting({
    name: 'PROBANT_BITCOIN_RPC',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: 'none',
    meaning:
      "JSON-RPC address of the operator's own Bitcoin Core node, without credentials. Its word on block headers comes before that of others.",
  }),
  bitcoinCredentials: setting({
    name: 'PROBANT_BITCOIN_CREDENTIALS',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'none; required with `PROBANT_BITCOIN_RPC`',
    meaning: "File that holds `user:password` for the node: Core's own `.cookie`, or one of yours. Read at each call.",
  }),
  bitcoinWallet: setting({
    name: 'PROBANT_BITCOIN_WALLET',
    ...address(['http:', 'https:']),
    fallback: undefined as string | undefined,
    fallbackText: 'the same as `PROBANT_BITCOIN_RPC`',
    meaning: "JSON-RPC address of the node's wallet that pays, `…/wallet/<name>` when the node has several.",
  }),
  bitcoinPay: setting({
    name: 'PROBANT_BITCOIN_PAY',
    ...oneOf('on', 'off'),
    fallback: 'off',
    fallbackText: '`off`',
    meaning:
      'Whether checkpoints of the public log are also anchored by transactions of that node (`OP_RETURN`), which its wallet pays for. Needs `PROBANT_BITCOIN_RPC`.',
  }),
  bitcoinMaxFee: setting({
    name: 'PROBANT_BITCOIN_MAX_FEE',
    ...integer(200, 10_000_000, 'satoshi'),
    fallback: 20_000,
    fallbackText: '`20000`',
    meaning: 'Most that one such transaction may cost, replacements included.',
  }),
  bitcoinNetwork: setting({
    name: 'PROBANT_BITCOIN_NETWORK',
    ...oneOf('main', 'regtest'),
    fallback: 'main',
    fallbackText: '`main`',
    meaning:
      'The chain whose blocks are relied on; headers that are not of its difficulty are refused. `regtest` is for trials and refused in production: what stands in it proves nothing.',
  }),
  bitcoinConfirmations: setting({
    name: 'PROBANT_BITCOIN_CONFIRMATIONS',
    ...integer(1, 1000),
    fallback: 6,
    fallbackText: '`6`',
    meaning: "Blocks, an anchor's own included, before it is relied on and packages are made anew with it.",
  }),
  esplora: setting({
    name: 'PROBANT_ESPLORA',
    accepts: '`none`, or comma-separated addresses starting with `http://` or `https://`, two or more',
    parse: calendarList,
    fallback: ['https://blockstream.info/api', 'https://mempool.space/api'] as readonly string[],
    fallbackText: '`https://blockstream.info/api,https://mempool.space/api`',
    meaning:
      'Esplora servers that are asked for block headers when there is no own node, or it does not answer. Two must agree: one alone is not believed.',
  }),
} as const
