import { runTool } from '../../../../testing/keyring.ts'

/** A field of an XML file: names of its elements from the root on, without namespaces. */
export type Leaf = { readonly path: string; readonly value: string; readonly attributes: Readonly<Record<string, string>> }

const program = `
import json, sys, xml.etree.ElementTree as tree
def leaves(node, path):
    path = path + [node.tag.split('}')[1]]
    if len(node) == 0: yield {'path': '/'.join(path), 'value': node.text or '', 'attributes': node.attrib}
    for child in node: yield from leaves(child, path)
print(json.dumps(list(leaves(tree.parse(sys.argv[1]).getroot(), []))))
`

/** As a parser that is not ours reads it. */
export async function readLeaves(dir: string, file: string): Promise<readonly Leaf[]> {
  const { code, output } = await runTool(dir, 'python3', '-c', program, file)
  if (code !== 0) throw new Error(output)
  return JSON.parse(output) as Leaf[]
}
