import type { Plugin } from 'vite'

/** Texts are only taken apart here, and drawn by the page: what makes HTML of them is cut off, or the bundler keeps it for its name's sake. */
export function trimMarked(): Plugin {
  return {
    name: 'probant:trim-marked',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/marked\/lib\/marked\.esm\.js$/ },
      handler(source) {
        const from = /var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/.exec(source)?.index
        const lexer = /[{,](\w+) as Lexer[,}]/.exec(source)?.[1]
        if (from === undefined || lexer === undefined) throw new Error('marked is made in another way than what trims it knows')
        return { code: `${source.slice(0, from)}export{${lexer} as Lexer};`, map: null }
      },
    },
  }
}
