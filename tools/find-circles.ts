/** Circles of a directed graph: its strongly connected components of more than one node (Tarjan 1972). */

/** @returns each circle once, its nodes in order of their names; a node that points at itself alone is none */
export function findCircles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const circles: string[][] = []

  function visit(node: string): number {
    const index = order.size
    let low = index
    order.set(node, index)
    open.push(node)
    isOpen.add(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === index) {
      const circle = open.splice(open.indexOf(node))
      for (const each of circle) isOpen.delete(each)
      if (circle.length > 1) circles.push(circle.toSorted())
    }
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
}
