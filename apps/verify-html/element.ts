export type Child = Node | string | null

/** One element. Text is only ever text: nothing of a package is read as markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Our own drawing, already escaped by `sealRosette`, as a node. */
export function svg(markup: string): Node {
  return document.importNode(new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement, true)
}
