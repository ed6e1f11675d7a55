import type { Plugin } from 'vite'

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [member: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The arguments of each `throw new Error(…)`, of whichever kind of the language's own errors. */
function* sentencesIn(node: Node): Generator<{ start: number; end: number }> {
  const thrown = node.type === 'ThrowStatement' && isNode(node['argument']) ? node['argument'] : undefined
  const callee = thrown?.type === 'NewExpression' && isNode(thrown['callee']) ? thrown['callee'] : undefined
  if (callee !== undefined && /^(?:Range|Type)?Error$/.test(String(callee['name']))) {
    const said = (thrown?.['arguments'] as readonly Node[]).map(({ start, end }) => ({ start, end }))
    const [first, last] = [said[0], said.at(-1)]
    if (first !== undefined && last !== undefined) yield { start: first.start, end: last.end }
    return
  }
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) if (isNode(child)) yield* sentencesIn(child)
  }
}

/**
 * What the libraries of hashes and curves say to whoever programs with them is two kilobytes, and nobody reads it here: a verifier that is
 * refused by one of them gives a reason of its own. They still throw, each where it did and the same kind of error.
 */
export function dropSentences(): Plugin {
  return {
    name: 'probant:drop-sentences',
    transform(code, id) {
      if (!/\/node_modules\/@(?:noble|scure)\//.test(id)) return null
      let kept = ''
      let from = 0
      for (const { start, end } of sentencesIn(this.parse(code) as unknown as Node)) {
        kept += code.slice(from, start)
        from = end
      }
      return { code: kept + code.slice(from), map: null }
    },
  }
}
