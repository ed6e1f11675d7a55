import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { trimLibraries } from './trim-libraries.ts'
import { packWords } from './pack-words.ts'

/**
 * Puts the content policy into the finished page: nothing may be loaded from anywhere, and only the one script and the one style
 * of this file run. Their hashes are taken from the text as written, so the build fails rather than ship a page without policy.
 */
function contentPolicy(): Plugin {
  return {
    name: 'probant:content-policy',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'))
        if (page?.type !== 'asset' || typeof page.source !== 'string') throw new Error('no page in the bundle')
        const html = page.source.replace('<script type="module" crossorigin>', '<script type="module">')
        const hashesOf = (tag: string): string[] =>
          [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
            ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
          )
        const [script, ...scripts] = hashesOf('script')
        const [style, ...styles] = hashesOf('style')
        if (
          script === undefined ||
          style === undefined ||
          scripts.length + styles.length > 0 ||
          /\ssrc=|<link (?!rel="icon")/.test(html.replace(/<script[\s\S]*<\/script>/, ''))
        )
          throw new Error('the page is not one script and one style')
        const policy = `default-src 'none'; script-src ${script}; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'`
        page.source = html.replace(
          '<meta charset="utf-8" />',
          `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        )
      },
    },
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [packWords(), trimLibraries(), viteSingleFile({ removeViteModuleLoader: true }), contentPolicy()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/verify/', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { input: fileURLToPath(new URL('./verify.html', import.meta.url)) },
  },
})
