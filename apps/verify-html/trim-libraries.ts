import type { Plugin } from 'vite'

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown }
type Cut = { readonly start: number; readonly end: number; readonly by: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** What makes keys and signatures, and what pads and writes in place: a verifier has nothing to sign, and deciphers whole blocks. */
const uncalled: Readonly<Record<string, readonly string[]>> = {
  'curves/abstract/weierstrass.js': [
    'sign',
    'prepSig',
    'getSharedSecret',
    'getPublicKey',
    'randomSecretKey',
    'isValidSecretKey',
    'isProbPub',
    'int2octets',
  ],
  'curves/abstract/edwards.js': [
    'sign',
    'getExtendedPublicKey',
    'getPublicKey',
    'getPrivateScalar',
    'randomSecretKey',
    'isValidSecretKey',
  ],
  'curves/ed25519.js': ['toMontgomery', 'toMontgomerySecret'],
  'curves/secp256k1.js': ['schnorrSign', 'schnorrGetPublicKey', 'schnorrGetExtPubKey'],
  'curves/utils.js': ['createHmacDrbg'],
  'ciphers/aes.js': ['padPCKS'],
  'ciphers/utils.js': ['complexOverlapBytes', 'getOutput', 'overlapBytes'],
  'base/index.js': ['decodeToBytes'],
}

/**
 * What the ciphers ask of whoever calls them, which the one caller here sees to: octets, a whole number of blocks, no value for a place. And what
 * the hashes and notations ask, which the types of this code see to: octets, text, numbers, a prefix that is ours.
 */
const unchecked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ciphers/utils.js': { abytes: '{ return value }', wrapCipher: '(params, constructor) => constructor' },
  'hashes/utils.js': { ahash: '{}', anumber: '{}', aoutput: '{}' },
  'base/index.js': {
    abytes: '{}',
    afn: '{}',
    anumArr: '{}',
    anumber: '{}',
    assertBech32Printable: '{}',
    astr: '{}',
    unsafeWrapper: '{ return fn }',
  },
}

function* cutsIn(node: Node, unused: Map<string, string>): Generator<Cut> {
  const thrown = node.type === 'ThrowStatement' && isNode(node['argument']) ? node['argument'] : undefined
  const callee = thrown?.type === 'NewExpression' && isNode(thrown['callee']) ? thrown['callee'] : undefined
  if (callee !== undefined && /^(?:Range|Type)?Error$/.test(String(callee['name']))) {
    const said = thrown?.['arguments'] as readonly Node[]
    const [first, last] = [said[0], said.at(-1)]
    if (first !== undefined && last !== undefined) yield { start: first.start, end: last.end, by: '' }
    return
  }
  const part = node.type === 'FunctionDeclaration' ? node['body'] : node.type === 'VariableDeclarator' ? node['init'] : undefined
  const name = isNode(part) && isNode(node['id']) ? String(node['id']['name']) : ''
  const by = unused.get(name)
  if (by !== undefined && isNode(part)) {
    unused.delete(name)
    yield { start: part.start, end: part.end, by }
    return
  }
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) if (isNode(child)) yield* cutsIn(child, unused)
  }
}

/**
 * Leaves out of the libraries of hashes, ciphers and curves what nobody reads or calls here: what they say to whoever programs with them, and all
 * that is not called. They throw where they did and the same kind of error; a verifier that is refused by one of them gives a reason of its own.
 * A library that has become another one fails the build.
 */
export function trimLibraries(): Plugin {
  return {
    name: 'probant:trim-libraries',
    transform(code, id) {
      const [, path] = /\/node_modules\/@(?:noble|scure)\/(.+)$/.exec(id) ?? []
      if (path === undefined) return null
      const thrown = (uncalled[path] ?? []).map((name) => [name, '{ throw new Error() }'] as const)
      const unused = new Map([...thrown, ...Object.entries(unchecked[path] ?? {})])
      let kept = ''
      let from = 0
      for (const { start, end, by } of cutsIn(this.parse(code) as unknown as Node, unused)) {
        kept += code.slice(from, start) + by
        from = end
      }
      if (unused.size > 0) throw new Error(`${path} has no ${[...unused.keys()].join(', ')}`)
      return { code: kept + code.slice(from), map: null }
    },
  }
}
