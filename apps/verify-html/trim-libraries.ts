import type { Plugin } from 'vite'

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown }
type Cut = { readonly start: number; readonly end: number; readonly by: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** What makes keys and signatures, and what pads and writes in place: a verifier has nothing to sign, and deciphers whole blocks. */
const uncalled: Readonly<Record<string, readonly string[]>> = {
  'curves/abstract/weierstrass.js': ['sign', 'prepSig', 'getSharedSecret'],
  'curves/abstract/edwards.js': ['sign', 'getExtendedPublicKey'],
  'curves/secp256k1.js': ['schnorrSign', 'schnorrGetPublicKey'],
  'curves/utils.js': ['createHmacDrbg'],
  'ciphers/aes.js': ['padPCKS'],
  'ciphers/utils.js': ['complexOverlapBytes', 'getOutput', 'overlapBytes'],
}

function* cutsIn(node: Node, unused: Set<string>): Generator<Cut> {
  const thrown = node.type === 'ThrowStatement' && isNode(node['argument']) ? node['argument'] : undefined
  const callee = thrown?.type === 'NewExpression' && isNode(thrown['callee']) ? thrown['callee'] : undefined
  if (callee !== undefined && /^(?:Range|Type)?Error$/.test(String(callee['name']))) {
    const said = thrown?.['arguments'] as readonly Node[]
    const [first, last] = [said[0], said.at(-1)]
    if (first !== undefined && last !== undefined) yield { start: first.start, end: last.end, by: '' }
    return
  }
  const name = node.type === 'FunctionDeclaration' && isNode(node['id']) ? String(node['id']['name']) : ''
  if (unused.delete(name) && isNode(node['body'])) {
    yield { start: node['body'].start, end: node['body'].end, by: '{ throw new Error() }' }
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
      const unused = new Set(uncalled[path])
      let kept = ''
      let from = 0
      for (const { start, end, by } of cutsIn(this.parse(code) as unknown as Node, unused)) {
        kept += code.slice(from, start) + by
        from = end
      }
      if (unused.size > 0) throw new Error(`${path} has no ${[...unused].join(', ')}`)
      return { code: kept + code.slice(from), map: null }
    },
  }
}
