import type { Plugin } from 'vite'
import en from '../../modules/verification/messages/en.json' with { type: 'json' }
import fr from '../../modules/verification/messages/fr.json' with { type: 'json' }
import { proofWords as proofEn } from '../../modules/verification/messages/proof-words.en.ts'
import { proofWords as proofFr } from '../../modules/verification/messages/proof-words.fr.ts'
import { proofKinds } from '../../modules/verification/domain/report/proof-report.ts'
import { verifiers } from '../../modules/verification/domain/proof/verifiers.ts'
import { idsOf, type Names } from './names.ts'

/** What the page never says: words of the command line, of the server's answers, of other pages. */
const elsewhere = /^verification\.(?:cli\.|log\.|\w+_required$|too_long$|unknown_header$|took_too_long$)/

/** Kinds that are typed in forms of the page, and that no file is. */
const typed = proofKinds.filter((kind) => verifiers[kind] === undefined).map((kind) => `verification.proof.${kind}.`)

type Tree = { [name: string]: Tree | 0 }

function treeOf(ids: readonly string[]): Tree {
  const tree: Tree = {}
  for (const id of ids) {
    const names = id.replace(/^verification\./, '').split('.')
    let node = tree
    for (const name of names.slice(0, -1)) {
      const below = node[name]
      node = node[name] = below === undefined ? {} : below === 0 ? { '': 0 } : below
    }
    const last = names.at(-1) ?? ''
    const there = node[last]
    if (there === undefined || there === 0) node[last] = 0
    else there[''] = 0
  }
  return tree
}

/**
 * The words are a third of the file. Each id is written once, and the texts of a language stand together: a compressor finds a phrase again
 * within its last 32 KiB alone (RFC 1951 §2).
 */
export function packWords(): Plugin {
  return {
    name: 'probant:words',
    load(id) {
      if (!id.endsWith('/verify-html/catalogue.ts')) return null
      const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        en: { ...en, ...proofEn },
        fr: { ...fr, ...proofFr },
      }
      const names: Names = treeOf(
        Object.keys(languages['en'] ?? {}).filter(
          (message) => !elsewhere.test(message) && !typed.some((each) => message.startsWith(each)),
        ),
      )
      const texts = Object.fromEntries(
        Object.entries(languages).map(([language, words]) => [
          language,
          idsOf(names, 'verification')
            .map((message) => {
              const text = words[message]
              if (text === undefined || text.includes('\n')) throw new Error(`${message} cannot be packed`)
              return text
            })
            .join('\n'),
        ]),
      )
      return `export const catalogue = ${JSON.stringify({ names, ...texts })}`
    },
  }
}
